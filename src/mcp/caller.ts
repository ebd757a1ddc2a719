/**
 * Finds the session that calls a tool. Claude Code names it to the process, Codex with each call; of the others the
 * client's name tells the agent, and the daemon looks for its one session at work.
 */
import { agentSessionId, type KeptAgent } from "#domain";

export interface Caller {
  /** Null = it is not told. */
  readonly session: string | null;
  readonly agent: KeptAgent | null;
}

/** As clients call themselves: `codex-mcp-client`, `gemini-cli-mcp-client`, `copilot-cli`, `opencode`. */
const names: readonly (readonly [KeptAgent, RegExp])[] = [
  ["codex", /^codex\b/i],
  ["gemini", /^gemini\b/i],
  ["copilot", /\bcopilot\b/i],
  ["opencode", /^opencode\b/i],
  ["cursor", /^cursor\b/i],
];

/** `own`: the session that the environment names. Another agent may have inherited it from a shell of Claude Code. */
export function callerOf(
  client: string | null | undefined,
  meta: Readonly<Record<string, unknown>> | undefined,
  own: string | null,
): Caller {
  const agent = names.find(([, pattern]) => pattern.test(client ?? ""))?.[0] ?? null;
  if (agent === null) return { session: own, agent };
  const id = agent === "codex" ? sessionIn(meta?.["x-codex-turn-metadata"]) : null;
  return { session: id === null ? null : agentSessionId("codex", id), agent };
}

/** Name of the client as each request says it from the revision of 2026-07-28 on; before it, only the greeting did. */
export function clientIn(envelope: object | undefined): string | null {
  const client = envelope as { readonly [key: string]: unknown } | undefined;
  const info = client?.["io.modelcontextprotocol/clientInfo"] as { readonly name?: unknown } | null;
  return typeof info?.name === "string" ? info.name : null;
}

function sessionIn(metadata: unknown): string | null {
  const id = (metadata as { readonly session_id?: unknown } | null | undefined)?.session_id;
  return typeof id === "string" && /^[\w.:-]{1,100}$/u.test(id) ? id : null;
}

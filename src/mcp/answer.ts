/** Holds the common parts of the tools: their dependencies, the form of an answer, and times as models write them. */
import { type KeptAgent, agentSessionId } from "#domain";
import { parseDuration, parseNow } from "#kit";
import type { McpServer, ServerContext } from "@modelcontextprotocol/server";
import { type Clients, type McpDeps, ToolFailure } from "./client.ts";

export interface Tools extends McpDeps {
  readonly clients: Clients;
  /** Agent that calls, where its session is not known; null = that is not known either. */
  readonly agent: KeptAgent | null;
}

export interface Serving {
  readonly server: McpServer;
  readonly tools: Tools;
}

interface Answer {
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly isError?: boolean;
  readonly [field: string]: unknown;
}

/** A tool as a function from input to text; what it cannot do is an answer that says so, never a broken connection. */
export const answering =
  <Input>({ tools, server }: Serving, work: (tools: Tools, input: Input) => Promise<string>) =>
  async (input: Input, { mcpReq }: ServerContext): Promise<Answer> => {
    const { program, session } = tools;
    const client = clientIn(mcpReq.envelope) ?? server.server.getClientVersion()?.name;
    const caller = callerOf(client, mcpReq._meta, session);
    try {
      return { content: [{ type: "text", text: await work({ ...tools, ...caller }, input) }] };
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      return { content: [{ type: "text", text: callable(error.message, program) }], isError: true };
    }
  };

/** Commands in a sentence, as the model can run them: what its shell has on the PATH is unknown. */
const callable = (sentence: string, program: string): string =>
  sentence.replaceAll(/`continuity(?= [a-z])/g, () => `\`${program}`);

/** `7d`, `2026-09-01` or ISO 8601 as epoch milliseconds in text; durations count back from now. */
export function timeText(given: string, nowMs: number): string {
  const spanMs = parseDuration(given);
  const isSpan = spanMs !== null && Number.isFinite(spanMs);
  const atMs = isSpan ? nowMs - spanMs : parseNow(given);
  if (atMs === null)
    throw new ToolFailure(`"${given.slice(0, 40)}" is not a time: write 7d, 12h or 2026-09-01.`);
  return `${atMs}`;
}

/** A field when there is a value, no field otherwise. */
export const field = <Name extends string, Value>(
  name: Name,
  value: Value | null | undefined,
): { readonly [Key in Name]?: Value } =>
  // A computed name widens to `string`; the type parameter is what it is.
  (value === null || value === undefined ? {} : { [name]: value }) as {
    readonly [Key in Name]?: Value;
  };

interface Caller {
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

/**
 * Turns a hook envelope into a prepared event: gated, typed, bounded. Everything that enters the store passes here.
 *
 * Reads the payload tolerantly: the client's format is undocumented in places, so unknown fields are ignored and
 * missing ones are null. Must not touch the store.
 */
import { storedLimits, type HookEnvelope, type ProjectIdentity } from "#domain";
import { bothEnds, textField } from "#kit";
import { booleanOf, sinceAnswerOf, toolRecord, type ToolRecord } from "./payload.ts";
import type { WorkerContext } from "../context.ts";

interface EventBase {
  readonly sessionId: string;
  readonly atMs: number;
  readonly project: ProjectIdentity | null;
  readonly cwd: string | null;
  readonly transcriptPath: string | null;
  readonly promptId: string | null;
  /** Time zone of whoever typed; null = that of the daemon. */
  readonly zone: string | null;
  /** True when a program sends the session's prompts, and they do not count as a person's. */
  readonly isHeadless: boolean;
  /** Set for agents whose start event does not always bring the start context, see AgentSpec.startWithPrompt. */
  readonly startContext: (typeof startContexts)[number] | null;
}

export type PreparedEvent = EventBase &
  (
    | {
        readonly type: "start";
        readonly source: string;
        /** The age of this context's last answer; null when the client does not say. */
        readonly sinceAnswerMs: number | null;
      }
    | {
        readonly type: "submit";
        /** Null when the prompt was private as a whole. */
        readonly prompt: string | null;
        /** The texts of private blocks; for scrubbing what comes back of it, in memory only. */
        readonly hidden: readonly string[];
        /** The texts that were taken for secrets, kept for the same purpose. */
        readonly secrets: readonly string[];
        /** True when it had a private block. */
        readonly isPrivate: boolean;
        /** True when the Stop of the turn before is on its way: that turn was not interrupted. */
        readonly isStopCarried: boolean;
      }
    | { readonly type: "tool"; readonly tool: ToolRecord }
    | { readonly type: "stop"; readonly answer: string | null; readonly continued: boolean }
    | { readonly type: "subagent-start"; readonly agentType: string }
    | { readonly type: "subagent"; readonly agentType: string; readonly answer: string | null }
    | { readonly type: "compact-summary"; readonly summary: string }
    | { readonly type: "pre-compact" }
    | { readonly type: "end" }
    /** Something of a subagent's own that the parent session has no use for. */
    | { readonly type: "inner" }
  );

/** Null when the payload has no session: nothing can be remembered of it. */
export function prepareEvent(
  deps: WorkerContext,
  envelope: HookEnvelope,
  project: ProjectIdentity | null,
): PreparedEvent | null {
  const { payload } = envelope;
  const sessionId = textField(payload, "session_id");
  if (sessionId === null) return null;
  const base: EventBase = {
    sessionId: sessionId.slice(0, 128),
    atMs: envelope.atMs,
    project,
    cwd: textField(payload, "cwd"),
    transcriptPath: textField(payload, "transcript_path"),
    promptId: textField(payload, "prompt_id"),
    zone: envelope.zone ?? null,
    isHeadless: booleanOf(payload, "headless") && deps.settings().capture.headless !== "full",
    startContext: startContexts.find((one) => one === payload["start_context"]) ?? null,
  };
  return { ...base, ...details(deps, envelope, base.sessionId) };
}

/**
 * `compacted`: a compaction took the start text away before this prompt; `unread`: the hook left the prompt in the
 * spool without the start text.
 */
const startContexts = ["first-prompt", "after-compaction", "compacted", "unread"] as const;

type Details = PreparedEvent extends infer Event
  ? Event extends EventBase
    ? Omit<Event, keyof EventBase>
    : never
  : never;

function details(deps: WorkerContext, envelope: HookEnvelope, sessionId: string): Details {
  const { clientEvent, payload } = envelope;
  const scrub = (text: string | null): string | null =>
    text === null
      ? null
      : bothEnds(deps.hidden.scrub(deps.gate, sessionId, { text }), storedLimits.answerCharsMax);
  if (isInner(envelope)) return { type: "inner" };
  switch (envelope.hook) {
    case "start":
      return {
        type: "start",
        source: textField(payload, "source") ?? "startup",
        sinceAnswerMs: sinceAnswerOf(payload),
      };
    case "submit":
      return submitDetails(deps, payload, sessionId);
    case "tool":
      return {
        type: "tool",
        tool: toolRecord({
          payload,
          boring: deps.settings().capture.boring,
          gate: deps.gate,
          scrub,
        }),
      };
    case "stop":
      return stopDetails(payload, scrub);
    case "subagent":
      return toldOfSubagent(envelope, scrub);
    case "compact":
      return clientEvent === "PostCompact"
        ? { type: "compact-summary", summary: scrub(textField(payload, "compact_summary")) ?? "" }
        : { type: "pre-compact" };
    case "end":
      return { type: "end" };
  }
}

type Scrub = (text: string | null) => string | null;

/** `isInner` tells the events of a subagent: its start, its prompts and its end are not the user's. */
const isInner = ({ hook, payload }: HookEnvelope): boolean =>
  textField(payload, "agent_id") !== null &&
  (hook === "start" || hook === "submit" || hook === "end");

/** The end of a subagent is not the end of the user's turn. */
const stopDetails = (payload: Readonly<Record<string, unknown>>, scrub: Scrub): Details =>
  textField(payload, "agent_id") === null
    ? {
        type: "stop",
        answer: scrub(textField(payload, "last_assistant_message")),
        continued: booleanOf(payload, "stop_hook_active"),
      }
    : subagentDetails({ agent_type: "unnamed", ...payload }, scrub);

function submitDetails(
  deps: WorkerContext,
  payload: Readonly<Record<string, unknown>>,
  sessionId: string,
): Details {
  const gated = deps.hidden.clean(deps.gate, sessionId, textField(payload, "prompt") ?? "");
  return {
    type: "submit",
    prompt: gated.whollyPrivate ? null : bothEnds(gated.text.trim(), storedLimits.promptCharsMax),
    hidden: gated.hidden,
    // A secret is known by what stands around it (`X_KEY=…`); a part of it in an answer, only by itself.
    secrets: gated.secrets,
    isPrivate: gated.whollyPrivate || gated.hidden.length > 0 || booleanOf(payload, "had_private"),
    isStopCarried: deps.isStopCarried(sessionId),
  };
}

function toldOfSubagent({ clientEvent, payload }: HookEnvelope, scrub: Scrub): Details {
  if (clientEvent !== "SubagentStart") return subagentDetails(payload, scrub);
  const agentType = (textField(payload, "agent_type") ?? "unnamed").slice(0, 100);
  return { type: "subagent-start", agentType };
}

/** The SubagentStop that compaction fires has no agent type: its last message is the compaction summary. */
function subagentDetails(payload: Readonly<Record<string, unknown>>, scrub: Scrub): Details {
  const answer = scrub(textField(payload, "last_assistant_message"));
  const agentType = textField(payload, "agent_type") ?? "";
  if (agentType !== "") return { type: "subagent", agentType, answer };
  return { type: "compact-summary", summary: answer ?? "" };
}

/**
 * "Keep nothing of this", said to an agent in any words: its running turn leaves no record, as if its prompt had been
 * understood at once. What was kept of it is deleted for good (src/daemon/intake/forget-turn.ts).
 */
import type { Turn } from "#domain";
import { err, ok, type Result } from "#kit";
import { takingBackFault } from "#memory";
import type { TurnForgottenJson } from "../forms-memory.ts";
import type { ServiceError } from "./errors.ts";
import { purge } from "./forget.ts";
import { type Asking, askingSession } from "./reader.ts";
import type { Context } from "./context.ts";

/** Tools that bring the agent no text of others. */
const innerTools: ReadonlySet<string> = new Set([
  "AskUserQuestion",
  "EnterPlanMode",
  "ExitPlanMode",
  "TaskCreate",
  "TaskGet",
  "TaskList",
  "TaskUpdate",
  "TodoRead",
  "TodoWrite",
  "ToolSearch",
]);
const ownTool = /continuity[\w-]*memory_[a-z]+$/;

interface Leaving {
  readonly turn: Turn;
  readonly prompt: string;
  readonly cwd: string | null;
  readonly transcriptPath: string | null;
}

/**
 * The running turn of the session that asks, with all that was typed in it, if its user typed the quote there and it
 * may be such an order. Null for a turn that leaves no record already.
 */
export function turnToForget(
  context: Context,
  ask: Asking & { readonly quote: string },
): Result<Leaving | null, ServiceError> {
  const { sessions } = context.store;
  const session = sessions.byId(askingSession(context, ask) ?? "");
  if (session === null) return err({ type: "turn.none" });
  const { cwd, sessionId, transcriptPath } = session;
  const turn = sessions.currentTurn(sessionId);
  const isQuiet = context.memoryWriter.isQuiet(sessionId, "");
  if (isQuiet && turn?.status !== "open") return ok(null);
  if (turn === null || turn.prompt === null) return err({ type: "turn.none" });
  const typed = [turn.prompt, ...(ask.meanwhile ?? [])];
  const quote = context.gate.clean(ask.quote).text.trim();
  const fault = faultOf(context, turn, { quote, typed });
  if (fault !== null) return err({ type: "turn.stays", reason: fault, uri: uriOf(turn) });
  return ok({ turn, prompt: typed.join("\n\n"), cwd, transcriptPath });
}

/** Returns why a turn stays on the record; null = the agent may take it off. */
function faultOf(
  { store: { sessions } }: Context,
  { isHeadless, n, sessionId }: Turn,
  said: { readonly quote: string; readonly typed: readonly string[] },
): string | null {
  // Nobody typed what a program sends.
  if (isHeadless === true) return "a program sent its prompt";
  const [before] = sessions.turnsBefore(sessionId, n, 1);
  const tools = sessions.toolUses(sessionId, n);
  return takingBackFault({
    ...said,
    answerBefore: before?.answer ?? null,
    hasReadOthers: tools.some(({ tool }) => !innerTools.has(tool) && !ownTool.test(tool)),
  });
}

const uriOf = ({ sessionId, n }: Turn): string => `mem://sessions/${sessionId}/turns/${n}`;

/** Cleans the file of a turn that was deleted. Fails where it was not: nothing is accepted while capture is paused. */
export function turnForgotten(
  context: Context,
  turn: Turn,
): Result<TurnForgottenJson, ServiceError> {
  if (context.store.sessions.turn(turn.sessionId, turn.n)?.id === turn.id)
    return err({ type: "turn.stays", reason: "capture is paused or off", uri: uriOf(turn) });
  return ok({ purged: purge(context) });
}

/** One turn of a transcript as an item: gated, and searched for orders, as a live one would be. */
import {
  answeredText,
  editingTools,
  planText,
  printsFiles,
  refusedCall,
  remarkUses,
  secretMark,
  storedLimits,
  type Candidate,
  type Session,
  type ToolUse,
  type Turn,
} from "#domain";
import { exchangeOf, leavesNoRecord, ordersOf, type TurnContext } from "#memory";
import {
  bothEnds,
  createValueBook,
  tellingMarksOf,
  tellingMarksOfTask,
  tellingWordsIn,
} from "#kit";
import type { TranscriptToolCall, TranscriptTurn } from "#clients";
import { bounded, type ImportedMemory, type ItemOf } from "../items.ts";
import type { ReadContext } from "../source.ts";

export interface ReadTurn {
  readonly item: ItemOf<"turn">;
  readonly turn: Turn;
  readonly tools: readonly ToolUse[];
}

const toolsMax = 500;
/** Calls and remarks of a turn that are handed over. */
const usesMax = 500;
const printedCharsMax = 4_096;
const memoriesMax = 40;

type Scrub = (text: string) => string;

/** Turns of one session in order; each is judged by those before it. */
export function createTurnReader(context: ReadContext, sessionId: string) {
  let before: { prompt: string | null; answer: string | null } = { prompt: null, answer: null };
  let lastMs: number | null = null;
  const isOff = (turn: TranscriptTurn): boolean =>
    isLeftOut(turn) || context.isOffTheRecord(sessionId, turn.promptId);
  const overheard = createOverheard(context, isOff);
  const promptOf = (turn: TranscriptTurn): GatedPrompt => {
    const gated = gatedPrompt(context, turn);
    return { ...gated, prompt: gated.prompt === null ? null : overheard.hide(gated.prompt) };
  };
  return {
    /** True for a turn that leaves no record. */
    isOff,
    /** Takes note of what was private in turns, whether they are imported or not. */
    hear: overheard.hear,
    /** The user's words in a turn, behind the gate; null when there was a private block. */
    titleOf: (turn: TranscriptTurn): string | null => {
      const { prompt, isPrivate } = promptOf(turn);
      return isPrivate ? null : prompt;
    },
    read: (source: TranscriptTurn, session: Session, n: number): ReadTurn => {
      const startedAt = source.startedAtMs ?? lastMs ?? session.startedAt;
      lastMs = Math.max(startedAt, source.endedAtMs ?? startedAt);
      const { prompt, hidden, isPrivate } = promptOf(source);
      overheard.open(prompt ?? "");
      const scrub: Scrub = (text) => overheard.scrub(text, hidden);
      const shown = isPrivate ? { ...source, answer: null, remarks: [], toolCalls: [] } : source;
      const place = { sessionId: session.sessionId, turn: n, atMs: startedAt };
      const tools = toolsOf(shown.toolCalls.slice(-toolsMax), place, scrub);
      const about: TurnContext = {
        ...place,
        project: session.project,
        branch: source.prompts[0]?.branch ?? session.branch,
        prompt,
        answer: shown.answer && bothEnds(scrub(shown.answer.text), storedLimits.answerCharsMax),
        interrupted: source.interrupted,
        previousPrompt: before.prompt,
        previousAnswer: before.answer,
        isHeadless: isHeadless(source) && context.settings.capture.headless !== "full",
        isPrivate,
        tools,
      };
      before = { prompt: isPrivate ? null : prompt, answer: about.answer };
      const turn = { ...turnOf(source, about), endedAt: lastMs, prompt, isPrivate };
      const remarks = remarkUses(
        shown.remarks.map(({ text }) => scrub(text)),
        place,
      );
      const item = {
        kind: "turn" as const,
        ...turn,
        branch: about.branch,
        interrupted: source.interrupted,
        tools: [...tools.slice(remarks.length - usesMax), ...remarks].map(toolItem),
        ...(prompt === null ? { exchange: null, memories: [] } : learntFrom(about)),
      };
      return { item, turn, tools };
    },
  };
}

function turnOf(source: TranscriptTurn, about: TurnContext): Omit<Turn, "endedAt" | "prompt"> {
  const filesOf = (edits: boolean): readonly string[] =>
    bounded(
      about.tools
        .filter(({ tool }) => editingTools.has(tool) === edits)
        .flatMap(({ files }) => files),
    );
  return {
    id: 0,
    sessionId: about.sessionId,
    n: about.turn,
    promptId: source.promptId?.slice(0, 200) ?? null,
    line: source.prompts[0]?.line ?? source.firstLine,
    status: source.interrupted ? "interrupted" : "closed",
    startedAt: about.atMs,
    isHeadless: about.isHeadless === true,
    answer: about.answer,
    toolCount: about.tools.length,
    filesRead: filesOf(false),
    filesEdited: filesOf(true),
  };
}

/**
 * Private words and secrets of a session that is imported, against which its other texts are held: their marks, the
 * values, and the words that its user said in the open. In memory only.
 */
function createOverheard(
  { gate, withoutRetold, isOpenValue }: ReadContext,
  isOff: (turn: TranscriptTurn) => boolean,
) {
  const marks = new Set<string>();
  const known = new Set<string>();
  const secrets = createValueBook();
  const marksOf = (turn: TranscriptTurn): readonly string[] => {
    const clean = textsOf(turn).map((text) => gate.clean(text));
    secrets.add(clean.flatMap((text) => text.secrets));
    return isOff(turn)
      ? textsOf(turn).flatMap(tellingMarksOfTask)
      : clean.flatMap(({ hidden }) => hidden.flatMap(tellingMarksOf));
  };
  const hide = (text: string): string =>
    secrets.hide(text, { mark: secretMark, isOpen: isOpenValue });
  const of = {
    has: (mark: string): boolean => marks.has(mark),
    isKnown: (word: string): boolean => known.has(word),
  };
  return {
    hear: (turns: readonly TranscriptTurn[]): void => {
      for (const mark of turns.flatMap(marksOf)) marks.add(mark);
    },
    open: (prompt: string): void => {
      for (const { word } of tellingWordsIn(prompt)) known.add(word);
    },
    /** The text without secrets that are known by value. */
    hide,
    /** The text behind the gate, without echoes of `hidden`; its secrets are known from now on. */
    scrub: (text: string, hidden: readonly string[]): string => {
      const clean = gate.cleanAgainst(text, hidden);
      secrets.add(clean.secrets);
      const open = hide(clean.text);
      return marks.size === 0 ? open : withoutRetold(open, of);
    },
  };
}

/** The texts that a turn's user sent. */
const textsOf = ({ command, prompts }: TranscriptTurn): readonly string[] =>
  [command?.text ?? [], prompts.map(({ text }) => text)].flat();

export const isHeadless = ({ command, prompts }: TranscriptTurn): boolean =>
  (command ?? prompts[0])?.isHeadless === true;

interface GatedPrompt {
  readonly prompt: string | null;
  readonly isPrivate: boolean;
  readonly hidden: readonly string[];
}

/** True when one of a turn's prompts orders that nothing of the turn is remembered, or its agent saw to that. */
const isLeftOut = (turn: TranscriptTurn): boolean =>
  turn.toolCalls.some((call) => call.forgetsTurn) || textsOf(turn).some(leavesNoRecord);

function gatedPrompt({ gate }: ReadContext, turn: TranscriptTurn): GatedPrompt {
  const clean = gate.clean(textsOf(turn).join("\n\n"));
  return {
    prompt: clean.whollyPrivate ? null : bothEnds(clean.text.trim(), storedLimits.promptCharsMax),
    isPrivate: clean.whollyPrivate || clean.hidden.length > 0,
    hidden: [...clean.hidden, ...clean.secrets],
  };
}

function toolsOf(
  calls: readonly TranscriptToolCall[],
  place: { readonly sessionId: string; readonly turn: number; readonly atMs: number },
  scrub: Scrub,
): readonly ToolUse[] {
  // One look at everything the calls name; only where the gate has something to say, at each by itself.
  const all = calls
    .flatMap((call) => [call.target ?? "", ...call.files, printedOf(call) ?? ""])
    .join("\n");
  const clean: Scrub = scrub(all) === all ? (text) => text : scrub;
  return calls.map((call): ToolUse => {
    const printed = printedOf(call);
    return {
      id: 0,
      ...place,
      toolUseId: call.toolUseId,
      tool: call.tool.slice(0, 120),
      target: call.target === null ? null : clean(call.target),
      // A path that the gate would change is left out: half a path names nothing.
      files: call.files.filter((path) => clean(path) === path),
      outcome: call.outcome === "error" || call.outcome === "rejected" ? "error" : "ok",
      text: printed === null ? null : bothEnds(clean(printed), printedCharsMax),
      agentId: null,
    };
  });
}

/** Returns the user's answer that stands in place of an output, with the plan that it was about; else the error. */
function printedOf(call: TranscriptToolCall): string | null {
  const said = saidIn(call);
  return call.plan === null ? said : planText(call.plan, said);
}

function saidIn(call: TranscriptToolCall): string | null {
  const { outcome, choices, refusal, errorLine, target, tool } = call;
  if (choices.length > 0) return answeredText(choices);
  if (outcome === "rejected") return refusedCall(refusal);
  // A command that went well keeps the line that says otherwise; one that shows a file keeps none.
  const isKept = outcome === "error" || (tool === "Bash" && !printsFiles(target ?? ""));
  return isKept ? errorLine : null;
}

const toolItem = ({ toolUseId, tool, target, files, outcome, text }: Omit<ToolUse, "id">) => ({
  toolUseId,
  tool,
  target,
  files,
  outcome,
  text,
});

const learntFrom = (about: TurnContext) => ({
  exchange: exchangeOf(about),
  memories: ordersOf(about).slice(0, memoriesMax).map(memoryIn),
});

const memoryIn = (candidate: Candidate): ImportedMemory => ({
  ...candidate,
  category: candidate.category === "sessions" ? "entities" : candidate.category,
  tags: bounded(candidate.tags),
  files: bounded(candidate.files),
  aliases: bounded(candidate.aliases),
});

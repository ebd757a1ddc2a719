/** One turn of a transcript as an item: gated, and searched for orders, as a live one would be. */
import {
  answeredText,
  planText,
  printsFiles,
  refusedCall,
  remarkUses,
  storedLimits,
  type Candidate,
  type ToolUse,
  type Turn,
} from "#domain";
import { exchangeOf, leavesNoRecord, ordersOf, type TurnContext } from "#memory";
import { bothEnds } from "#kit";
import type { TranscriptToolCall, TranscriptTurn } from "#clients";
import { bounded, type ImportedMemory, type ItemOf } from "../items.ts";
import type { ReaderDeps } from "../source.ts";
import { textsOf, type Overheard } from "./private-words.ts";

export interface Whereabouts {
  readonly sessionId: string;
  readonly project: string | null;
  readonly projectName: string | null;
  readonly branch: string | null;
  readonly cwd: string | null;
  readonly startedAt: number;
}

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

const editingTools: ReadonlySet<string> = new Set(["Edit", "Write", "MultiEdit", "NotebookEdit"]);

/** Turns of one session in order; each is judged by those before it. */
export function createTurnReader(deps: ReaderDeps, where: Whereabouts, overheard: Overheard) {
  let before: { prompt: string | null; answer: string | null } = { prompt: null, answer: null };
  let lastMs = where.startedAt;
  let gated: { readonly of: TranscriptTurn; readonly said: GatedPrompt } | null = null;
  /** A session's first prompt is asked for before its turn is read. */
  const saidIn = (told: TranscriptTurn): GatedPrompt => {
    if (gated?.of !== told) gated = { of: told, said: gatedPrompt(deps, told) };
    return gated.said;
  };
  return {
    /** The user's words in a turn, behind the gate; null when there was a private block. */
    titleOf: (told: TranscriptTurn): string | null =>
      saidIn(told).isPrivate ? null : saidIn(told).prompt,
    read: (told: TranscriptTurn, n: number): ReadTurn => {
      const startedAt = told.startedAtMs ?? lastMs;
      const endedAt = Math.max(startedAt, told.endedAtMs ?? startedAt);
      lastMs = endedAt;
      const { prompt, hidden, isPrivate } = saidIn(told);
      overheard.open(prompt ?? "");
      const scrub = (text: string): string => overheard.scrub(deps.gate.cleanAgainst(text, hidden));
      const shown = isPrivate ? withoutWork(told) : told;
      const answer = answerOf(shown, scrub);
      const tools = toolsOf(shown, { where, n, atMs: startedAt, scrub });
      const context: TurnContext = {
        sessionId: where.sessionId,
        turn: n,
        project: where.project,
        projectName: where.projectName,
        branch: told.prompts[0]?.branch ?? where.branch,
        atMs: startedAt,
        prompt: prompt === "" ? null : prompt,
        answer,
        interrupted: told.interrupted,
        previousPrompt: before.prompt,
        previousAnswer: before.answer,
        isHeadless: isHeadless(told) && deps.settings().capture.headless !== "full",
        tools,
      };
      const learnt = prompt === null ? nothing : learn(context);
      before = { prompt: shown === told ? prompt : null, answer };
      const said = { prompt, isPrivate, isHeadless: context.isHeadless === true, answer };
      const turn = turnOf(told, { where, n, ...said, tools, startedAt, endedAt });
      const remarks = remarkUses(
        shown.remarks.map(({ text }) => scrub(text)),
        { sessionId: where.sessionId, turn: n, atMs: startedAt },
      );
      const uses = [...tools.slice(remarks.length - usesMax), ...remarks];
      const item = { ...itemOf(turn, learnt), branch: context.branch, tools: uses.map(toolItem) };
      return { item, turn, tools };
    },
  };
}

/** True for a turn of a headless run. */
export const isHeadless = ({ command, prompts }: TranscriptTurn): boolean =>
  (command ?? prompts[0])?.isHeadless === true;

const withoutWork = (told: TranscriptTurn): TranscriptTurn => ({
  ...told,
  answer: null,
  remarks: [],
  toolCalls: [],
});

interface GatedPrompt {
  readonly prompt: string | null;
  readonly isPrivate: boolean;
  readonly hidden: readonly string[];
}

/** True when one of a turn's prompts orders that nothing of the turn is remembered. */
export const isLeftOut = (told: TranscriptTurn): boolean => textsOf(told).some(leavesNoRecord);

function gatedPrompt({ gate }: ReaderDeps, told: TranscriptTurn): GatedPrompt {
  const said = textsOf(told).join("\n\n");
  const clean = gate.clean(said);
  return {
    prompt: clean.whollyPrivate ? null : bothEnds(clean.text.trim(), storedLimits.promptCharsMax),
    isPrivate: clean.whollyPrivate || clean.hidden.length > 0,
    hidden: [...clean.hidden, ...clean.secrets],
  };
}

function answerOf(told: TranscriptTurn, scrub: (text: string) => string): string | null {
  const text = told.answer?.text ?? null;
  return text === null ? null : bothEnds(scrub(text), storedLimits.answerCharsMax);
}

interface ToolPlace {
  readonly where: Whereabouts;
  readonly n: number;
  readonly atMs: number;
  readonly scrub: (text: string) => string;
}

function toolsOf(told: TranscriptTurn, place: ToolPlace): readonly ToolUse[] {
  const calls = told.toolCalls.slice(-toolsMax);
  const scrub = scrubOf(calls, place.scrub);
  return calls.map((call) => toolOf(call, { ...place, scrub }));
}

/** One look at everything the calls name; only where the gate has something to say, at each by itself. */
function scrubOf(
  calls: readonly TranscriptToolCall[],
  scrub: ToolPlace["scrub"],
): ToolPlace["scrub"] {
  const together = calls
    .flatMap((call) => [call.target ?? "", ...call.files, printedOf(call) ?? ""])
    .join("\n");
  return scrub(together) === together ? (text) => text : scrub;
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

const toolOf = (call: TranscriptToolCall, { where, n, atMs, scrub }: ToolPlace): ToolUse => ({
  id: 0,
  sessionId: where.sessionId,
  turn: n,
  toolUseId: call.toolUseId,
  tool: call.tool.slice(0, 120),
  target: call.target === null ? null : scrub(call.target),
  // A path that the gate would change is left out: half a path names nothing.
  files: call.files.filter((path) => scrub(path) === path),
  outcome: call.outcome === "error" || call.outcome === "rejected" ? "error" : "ok",
  text: textOf(printedOf(call), scrub),
  atMs,
  agentId: null,
});

const textOf = (printed: string | null, scrub: ToolPlace["scrub"]): string | null =>
  printed === null ? null : bothEnds(scrub(printed), printedCharsMax);

interface Learnt {
  readonly exchange: ItemOf<"turn">["exchange"];
  readonly memories: readonly ImportedMemory[];
}

const nothing: Learnt = { exchange: null, memories: [] };

function learn(context: TurnContext): Learnt {
  const exchange = exchangeOf(context);
  return {
    exchange:
      exchange === null
        ? null
        : {
            l0: exchange.l0,
            l1: exchange.l1,
            l2: exchange.l2,
            importance: exchange.importance,
            tags: [...exchange.tags],
          },
    memories: ordersOf(context).slice(0, memoriesMax).map(importedOf),
  };
}

const importedOf = (candidate: Candidate): ImportedMemory => ({
  category: candidate.category === "sessions" ? "entities" : candidate.category,
  uriHint: candidate.uriHint,
  l0: candidate.l0,
  l1: candidate.l1,
  l2: candidate.l2,
  importance: candidate.importance,
  tags: bounded(candidate.tags),
  files: bounded(candidate.files),
  aliases: bounded(candidate.aliases),
  project: candidate.project,
  branch: candidate.branch,
  atMs: candidate.atMs,
  evidence: { ...candidate.evidence },
});

function turnOf(
  told: TranscriptTurn,
  read: {
    readonly where: Whereabouts;
    readonly n: number;
    readonly prompt: string | null;
    readonly isPrivate: boolean;
    readonly isHeadless: boolean;
    readonly answer: string | null;
    readonly tools: readonly ToolUse[];
    readonly startedAt: number;
    readonly endedAt: number;
  },
): Turn {
  const filesOf = (edits: boolean): readonly string[] =>
    bounded(
      read.tools
        .filter(({ tool }) => editingTools.has(tool) === edits)
        .flatMap(({ files }) => files),
    );
  return {
    id: 0,
    sessionId: read.where.sessionId,
    n: read.n,
    promptId: told.promptId?.slice(0, 200) ?? null,
    line: told.prompts[0]?.line ?? told.firstLine,
    status: told.interrupted ? "interrupted" : "closed",
    startedAt: read.startedAt,
    endedAt: read.endedAt,
    prompt: read.prompt,
    isPrivate: read.isPrivate,
    isHeadless: read.isHeadless,
    answer: read.answer,
    toolCount: read.tools.length,
    filesRead: filesOf(false),
    filesEdited: filesOf(true),
  };
}

const toolItem = ({ toolUseId, tool, target, files, outcome, text }: Omit<ToolUse, "id">) => ({
  toolUseId,
  tool,
  target,
  files: [...files],
  outcome,
  text,
});

const itemOf = (turn: Turn, learnt: Learnt): Omit<ItemOf<"turn">, "tools"> => ({
  kind: "turn",
  sessionId: turn.sessionId,
  n: turn.n,
  promptId: turn.promptId,
  line: turn.line,
  prompt: turn.prompt,
  ...(turn.isPrivate === true ? { isPrivate: true } : {}),
  ...(turn.isHeadless === true ? { isHeadless: true } : {}),
  answer: turn.answer,
  startedAt: turn.startedAt,
  endedAt: turn.endedAt ?? turn.startedAt,
  interrupted: turn.status === "interrupted",
  toolCount: turn.toolCount,
  filesRead: [...turn.filesRead],
  filesEdited: [...turn.filesEdited],
  exchange: learnt.exchange,
  memories: [...learnt.memories],
});

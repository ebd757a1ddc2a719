/**
 * A turn as extraction is given it, and as what it mattered. Tells as what a turn mattered, by what happened in it and
 * never by its words. It is the first tag of its exchange. Pure.
 */
import {
  editingTools,
  type EvaluationType,
  isRefusedCall,
  type ObservationType,
  type ToolUse,
} from "#domain";
import { askedCommand, identifiersOf, readPrompt } from "#language";
import { limits } from "../limits.ts";
import { commitsIn } from "./digest-title.ts";
import { choicesIn, isCommand, isMended } from "./checkpoint-files.ts";

// The facts of a turn that extraction is given: gated text only. Pure.

export interface TurnContext {
  readonly sessionId: string;
  /** Turn number from 1. */
  readonly turn: number;
  readonly project: string | null;
  readonly branch: string | null;
  /** Event time of the prompt, epoch ms. */
  readonly atMs: number;
  readonly prompt: string | null;
  /** The assistant's last message of the turn; null while the turn is open or when it was interrupted. */
  readonly answer: string | null;
  readonly interrupted: boolean;
  readonly previousPrompt: string | null;
  /** The assistant's last words before this prompt: the subject of "no, it's eu-central-1". */
  readonly previousAnswer: string | null;
  readonly tools: readonly ToolUse[];
  /** Open ends that earlier sessions of the project left. */
  readonly openEnds?: readonly string[];
  /** True when a program sent the prompt: only `/remember` is an order then. */
  readonly isHeadless?: boolean;
  /** True when a part of the prompt was private: an order may have lost what it was about. */
  readonly isPrivate?: boolean;
}

const rememberCommand = /^\/(?:continuity:)?remember\s+\S/iu;

/** True for `/remember` with a text. */
export function isRememberCommand(prompt: string | null): boolean {
  return rememberCommand.test(askedCommand(prompt ?? ""));
}

/** `typedOf` gives the typed part of the turn's prompt; empty when nothing was. */
export const typedOf = (prompt: string | null, previousAnswer: string | null): string =>
  prompt === null ? "" : readPrompt(prompt, previousAnswer).typed;

/** Kind of a turn's words, where it is known: an order to remember, or the answer to a question of the agent's. */
export interface Known {
  readonly isOrder: boolean;
  readonly isAnswer: boolean;
}

/** The kind of a turn, by the first fact that holds. */
function turnTypeOf({ interrupted, tools }: TurnContext, known: Known): EvaluationType {
  if (known.isOrder || known.isAnswer || choicesIn(tools).length > 0) return "decision";
  if (interrupted || tools.some(isRefused)) return "correction";
  if (isMended(tools)) return "insight";
  if (tools.findLast(isCommand)?.outcome === "error") return "error";
  return tools.some(isEdit) || commitsIn(tools).length > 0 ? "iteration" : "routine";
}

const isEdit = ({ tool, outcome }: TurnContext["tools"][number]): boolean =>
  editingTools.has(tool) && outcome === "ok";

const isRefused = ({ outcome, text }: TurnContext["tools"][number]): boolean =>
  outcome === "error" && isRefusedCall(text);

/** Outcome of a turn's tools; null when it has no end or they only looked around. */
function observedIn(turn: TurnContext, type: EvaluationType): ObservationType | null {
  const { answer, interrupted, tools } = turn;
  if (interrupted || answer === null || tools.length === 0) return null;
  if (type === "decision") return "decision";
  return toldBy(commitsIn(tools)[0]) ?? madeBy(tools);
}

function madeBy(tools: TurnContext["tools"]): ObservationType | null {
  if (tools.some(isEdit)) return isMended(tools) ? "bugfix" : "change";
  return isMended(tools) ? "discovery" : null;
}

/** Type that a subject names itself: `fix(cart): round the tax`. */
const toldBy = (subject = ""): ObservationType | undefined =>
  commitTypes[conventional.exec(subject)?.[1]?.toLowerCase() ?? ""];

const conventional = /^(\w+)(?:\([^)]*\))?!?:\s/u;
const commitTypes: Readonly<Record<string, ObservationType>> = {
  feat: "feature",
  fix: "bugfix",
  refactor: "refactor",
};

/** The type first, then what was observed and the names that it is about. */
export function tagsOf(turn: TurnContext, known: Known, l0: string): readonly string[] {
  const type = turnTypeOf(turn, known);
  const names = identifiersOf(l0).map((name) => name.toLowerCase());
  const all = [type, observedIn(turn, type) ?? type, ...names.filter((tag) => isTag.test(tag))];
  return [...new Set(all)].slice(0, limits.exchangeTagsMax);
}

const isTag = /^[\w./:@-]{2,40}$/u;

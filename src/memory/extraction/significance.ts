/**
 * Tells as what a turn mattered, by what happened in it and never by its words. It is the first tag of its exchange.
 * Pure.
 */
import { isRefusedCall, type EvaluationType, type ObservationType } from "#domain";
import { identifiersOf } from "#language";
import { limits } from "../limits.ts";
import { commitsIn } from "./digest-work.ts";
import { choicesIn, editTools, isCommand, isMended } from "./tool-work.ts";
import type { TurnContext } from "./turn-context.ts";

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
  editTools.has(tool) && outcome === "ok";

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

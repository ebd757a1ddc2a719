/**
 * Memories that rules and classifiers of earlier versions had guessed. They belong to the archive, as what was merely
 * said; what orders to keep it, by the grammar of today, stays. Pure.
 */
import { categoryRules, type Category, type MemoryNode } from "#domain";
import type { TurnContext } from "../extraction/turn-context.ts";
import { archiveUri } from "../tree/uri.ts";
import { ordersOf } from "./orders.ts";

/** Matches what a rule took for a statement. */
const stated: ReadonlySet<string> = new Set([
  "fact",
  "note",
  "naming",
  "person",
  "change",
  "pattern",
  "state",
]);

/** Matches what a rule or a classifier took for an order. */
const meant: ReadonlySet<string> = new Set([
  "rule",
  "decision",
  "preference",
  "remember",
  "self",
  "cause",
]);

/** The types of claude-mem's notes that say more than what was seen on the way. */
const telling: ReadonlySet<string> = new Set(["bugfix", "decision", "preference"]);

/** Is a note of claude-mem's a memory, by its type? All others are the archive's. */
export const isTellingNote = (type: string): boolean => telling.has(type);

type Guessed = Pick<
  MemoryNode,
  "category" | "evidence" | "l0" | "l1" | "maker" | "origin" | "tags"
>;

/**
 * Where a memory belongs that an earlier version made: `archive` when no writer of today would make it (a mere
 * statement, what a classifier took for an order, what recurring moments had become), another category when the order
 * behind it is no rule; null = where it is. `by`: who made it, as its first revision says.
 */
export function placeOfGuess(node: Guessed, by: string): Category | "archive" | null {
  const { category, l1, maker, tags } = node;
  if (category === null || category === "sessions") return null;
  if (maker === "extract") return recurring.test(l1 ?? "") ? "archive" : null;
  const [, source] = by.split(":");
  if (maker === "import" && source === "claude-mem")
    return tags.some(isTellingNote) ? null : "archive";
  return wentThroughRules(maker, source) ? placeOfSaid(node) : null;
}

/** Other programs' memories were kept on purpose; only what was said went through our rules. */
const wentThroughRules = (maker: MemoryNode["maker"], source: string | undefined): boolean =>
  maker === "import" ? source === "claude-code" : maker === "signal" || maker === "stop";

function placeOfSaid(node: Guessed): ReturnType<typeof placeOfGuess> {
  if (node.tags.some((tag) => meant.has(tag))) return placeOfOrder(node);
  return node.tags.some((tag) => stated.has(tag)) ? "archive" : null;
}

/** Beginning of the overview of a memory that consolidation had made of moments. */
const recurring = /^Came up \d+ times:\n/u;

/** By what its words, or those that it was learnt from, order. */
function placeOfOrder({ category, evidence, l0, origin }: Guessed): Category | "archive" | null {
  const said = [...evidence.map(({ quote }) => quote), l0, l0.replace(/^[\w.-]+: /u, "")];
  const ordered = said.flatMap((prompt) => ordersOf({ ...nothingElse, prompt }));
  if (origin !== "user" || ordered.length === 0) return "archive";
  const isRule = ordered.some((order) => order.category === "preferences");
  // "I prefer …" is a fact until somebody says that it is more.
  return category === "preferences" && !isRule ? (ordered[0]?.category ?? null) : null;
}

const nothingElse: TurnContext = {
  sessionId: "",
  turn: 0,
  project: null,
  projectName: null,
  branch: null,
  atMs: 0,
  prompt: null,
  answer: null,
  interrupted: false,
  previousPrompt: null,
  previousAnswer: null,
  tools: [],
};

/** Its place in the archive: with its session, or apart where that is not known. `n` tells it from all others. */
export const sentenceUri = (sessionId: string | null, n: number): string =>
  sessionId === null
    ? `${categoryRules.sessions.root}/sentences/${n}`
    : archiveUri({ sessionId, part: "sentences", n });

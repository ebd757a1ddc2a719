/** Makes a candidate of the words that an order keeps: of which kind they are, and where they hold. Pure. */
import type { Candidate, Category } from "#domain";
import { cutAtWord, cutToTokens, oneLine } from "#kit";
import { describesUser, holdsEverywhere, type OrderKind } from "#language";
import type { TurnContext } from "../extraction/significance.ts";
import { limits } from "../limits.ts";
import { slugOf } from "../tree/slug.ts";
import { isAllOwn } from "./wide.ts";

const categoryOf: Readonly<Record<OrderKind, Category>> = {
  rule: "preferences",
  decision: "events",
  fact: "entities",
  place: "entities",
  cause: "cases",
  technique: "patterns",
};
/** `remember` marks a fact; what hangs beside the rules and is none is a `place`. */
const tagOf: Readonly<Record<OrderKind, string>> = {
  rule: "rule",
  decision: "decision",
  fact: "remember",
  place: "place",
  cause: "cause",
  technique: "place",
};

/** The words that an order keeps, and whose they are. */
export interface Matter {
  readonly text: string;
  readonly kind: OrderKind;
  readonly by: "agent" | "user";
  /** The order's own sentence and, where they are the user's, the words it points at. */
  readonly quote: string;
  /** The words that may say where it holds, if not the whole quotation: no task that follows the order. */
  readonly scope?: string;
  readonly isOutright: boolean;
  /** Not all that was ordered fits. */
  readonly isCut?: boolean;
}

export function candidateOf(turn: TurnContext, matter: Matter): Candidate {
  const line = oneLine(matter.text);
  const l0 = cutToTokens(line, limits.l0TokensMax);
  const kind = matter.kind === "rule" && matter.by === "agent" ? "fact" : matter.kind;
  return {
    ...placeOf(turn, { ...matter, kind }, line),
    uriHint: slugOf(line),
    l0,
    l1: l0 === line ? null : matter.text,
    l2: null,
    importance: matter.isOutright && kind === "fact" ? 5 : 4,
    tags: [tagOf[kind]],
    files: [],
    aliases: [],
    origin: matter.by,
    maker: "signal",
    evidence: {
      sessionId: turn.sessionId,
      turn: turn.turn,
      line: null,
      quote: cutAtWord(oneLine(matter.quote), limits.quoteCharsMax),
    },
    branch: turn.branch,
    atMs: turn.atMs,
  };
}

/** Finds where a memory hangs and holds: who the user is holds in every project, and so does what they say for all. */
function placeOf(
  turn: TurnContext,
  { by, isOutright, kind, quote, scope }: Matter,
  line: string,
): Pick<Candidate, "category" | "project"> {
  const category = categoryOf[kind];
  const { project } = turn;
  if (by === "agent" || !isAllOwn(turn, quote)) return { category, project };
  if (isOutright && kind === "fact" && describesUser(line))
    return { category: "profile", project: null };
  const holds = { isOutright, isRule: kind === "rule" };
  const isGlobal = holdsEverywhere(oneLine(scope ?? quote), line, holds);
  return { category, project: isGlobal ? null : project };
}

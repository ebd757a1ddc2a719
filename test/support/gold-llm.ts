/**
 * A model that knows the right answers: it finds the facts of a gold file whose evidence stands in what it is shown, and
 * says nothing else. For measuring the pipeline apart from any model.
 */
import { readFileSync } from "node:fs";
import { scriptedLlm, type AskedQuestion, type Script, type ScriptedLlm } from "./scripted-llm.ts";

export interface GoldFact {
  readonly id: string;
  readonly statement: string;
  readonly category: string;
  readonly project: string | null;
  readonly session: string;
  readonly turn: number;
  readonly supersedes?: string;
  readonly evidence: { readonly source: string; readonly span: string };
  readonly anchors: readonly string[];
}

export interface Gold {
  readonly facts: readonly GoldFact[];
  readonly search: readonly { readonly query: string; readonly relevant: readonly string[] }[];
  readonly probes: readonly {
    readonly id: string;
    readonly project: string;
    readonly date: string;
    readonly prompt: string;
    /** Facts that answer it; none = silence is right. */
    readonly needs: readonly string[];
  }[];
}

export const readGold = (path: string): Gold => JSON.parse(readFileSync(path, "utf8")) as Gold;

/** `sessions`: from the client's session id to the gold file's. */
export const goldLlm = (
  gold: Gold,
  sessions: ReadonlyMap<string, string>,
  script: Partial<Script> = {},
): ScriptedLlm =>
  scriptedLlm({
    answer: (question) => goldAnswer(gold, sessions.get(question.sessionId ?? "") ?? "", question),
    ...script,
  });

/** `session`: of the gold file; null when it is not known whose question this is, as behind a model's API. */
export function goldAnswer(
  gold: Gold,
  session: string | null,
  { prompt }: Pick<AskedQuestion, "prompt">,
): unknown {
  const told = prompt.slice(Math.max(0, prompt.indexOf("\nRecord:")));
  const ofSession = gold.facts.filter((fact) => session === null || fact.session === session);
  const facts = ofSession.filter(({ evidence }) =>
    squeezed(told).includes(squeezed(evidence.span)),
  );
  return {
    title: facts[0]?.statement ?? "A session",
    outcome: facts.map(({ statement }) => statement).join(" "),
    open: [],
    ended: [],
    // Only the last of a value that the session itself replaced is told.
    memories: facts
      .filter(({ id }) => !facts.some(({ supersedes }) => supersedes === id))
      .map((fact) => memoryOf(gold, fact, prompt)),
  };
}

const memoryOf = (
  gold: Gold,
  fact: GoldFact,
  prompt: string,
): Readonly<Record<string, unknown>> => ({
  kind: kindOf(fact),
  ...slotOf(gold, fact),
  value: fact.statement,
  line: fact.statement,
  aliases: aliasesOf(gold, fact),
  scope: fact.project ?? "everywhere",
  valid: "durable",
  turn: fact.turn,
  quote: fact.evidence.span,
  replaces: replacedIn(gold, fact, prompt),
});

/** What the agent said is a cause or a place; the rest goes by the file's category. */
function kindOf({ category, evidence }: GoldFact): string {
  if (evidence.source !== "user") return category === "cases" ? "cause" : "place";
  const kinds = { preferences: "rule", events: "decision", cases: "cause", patterns: "place" };
  return kinds[category as keyof typeof kinds] ?? "fact";
}

/** Facts that replace one another are values of one slot. */
function slotOf(
  gold: Gold,
  fact: GoldFact,
): { readonly subject: string; readonly attribute: string } {
  const old = gold.facts.find(({ id }) => id === fact.supersedes);
  return old === undefined
    ? { subject: `thing ${fact.id}`, attribute: "value" }
    : slotOf(gold, old);
}

/** What the gold file says people search for to find it. */
const aliasesOf = (gold: Gold, { id }: GoldFact): readonly string[] =>
  gold.search.filter(({ relevant }) => relevant[0] === id).map(({ query }) => query);

/** The known memory that says what the fact replaces: one in which all its anchors stand. */
function replacedIn(gold: Gold, { supersedes }: GoldFact, prompt: string): number {
  const old = gold.facts.find(({ id }) => id === supersedes);
  if (old === undefined) return 0;
  for (const [, number = "", line = ""] of prompt.matchAll(/^(\d+)\. \[[^\]]*\] (.*)$/gm))
    if (old.anchors.every((anchor) => isIn(line, anchor))) return Number(number);
  return 0;
}

/** One of the alternatives begins at the start of a word. */
export const isIn = (text: string, anchor: string): boolean =>
  anchor.split("|").some((part) => ` ${plain(text)}`.includes(` ${plain(part)}`));

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/(\d)[.:](?=\d)/g, "$1§")
    .replace(/[^\p{L}\p{N}§]+/gu, " ")
    .trim();

const squeezed = (text: string): string => text.toLowerCase().replace(/\s+/gu, " ");

/**
 * Candidates of a turn without any model: the user's own statements and the assistant's stated conclusions, each as a
 * self-contained memory. Nothing that a tool printed becomes a rule. Pure: same turn, same candidates.
 */
import type { Candidate, Origin } from "#domain";
import { oneLine } from "#kit";
import { contentWords, wordsOf } from "../language/index.ts";
import { slugOf } from "../tree/slug.ts";
import { aliasesOf } from "./aliases.ts";
import { causeIn, isProblem, newStateIn } from "./answer.ts";
import { changeVerb } from "./cues.ts";
import { clauseOf, concreteTokens } from "./clause.ts";
import { categoryOf, importanceOf, isGlobal, replaces } from "./classify.ts";
import { l0Of, l1Of, l2Of, lineOf, quoteOf } from "./compose.ts";
import { resolveDates } from "./dates.ts";
import { filesIn } from "./files.ts";
import { isQuestion, isTask } from "./forms.ts";
import { sentencesOf } from "./sentences.ts";
import { thoughtsOf } from "./thoughts.ts";
import type { Thought } from "./thoughts.ts";
import { typedOf, type TurnContext } from "./turn-context.ts";
import { spokenIn } from "./slash.ts";

/** 30-extraction: "returns at most 12 candidates". */
const candidatesMax = 12;

/**
 * Everything of a closed turn that is worth remembering, at most 12, in the order it was said: statements of the
 * prompt (origin user), then conclusions of the answer (origin agent, or tool when the words come from tool output).
 */
export function candidatesOfTurn(turn: TurnContext): readonly Candidate[] {
  const said = saidCandidates(turn, "stop");
  const told = said.filter(({ tags }) => !tags.includes("note"));
  const concluded = concludedCandidates(turn, told);
  return [...said, ...concluded].slice(0, candidatesMax);
}

/** The phrases of a prompt that ask for memory at once, in force for the very next prompt (maker `signal`). */
export const scanSignals = (turn: TurnContext): readonly Candidate[] =>
  saidCandidates({ ...turn, answer: null }, "signal").slice(0, candidatesMax);

function saidCandidates(turn: TurnContext, maker: "signal" | "stop"): readonly Candidate[] {
  if (turn.prompt === null) return [];
  const thoughts = thoughtsOf(spokenIn(typedOf(turn)), turn.answer).filter(
    (thought) => maker === "stop" || thought.isSignal,
  );
  return mostTelling(thoughts).flatMap((thought) => saidCandidate(thought, turn, maker) ?? []);
}

/** Of more than can be kept, those that a rule recognised go first; the order stays. */
function mostTelling(thoughts: readonly Thought[]): readonly Thought[] {
  if (thoughts.length <= candidatesMax) return thoughts;
  const told = thoughts.filter(({ kind }) => kind !== "note");
  const notes = thoughts.filter(({ kind }) => kind === "note");
  const kept = new Set([...told, ...notes].slice(0, candidatesMax));
  return thoughts.filter((thought) => kept.has(thought));
}

function saidCandidate(
  thought: Thought,
  turn: TurnContext,
  maker: "signal" | "stop",
): Candidate | null {
  const line = lineOf(thought, turn);
  const quote = quoteOf(thought);
  if (line === null || wordsOf(line).length < 2 || isOnlySecret(line)) return null;
  const project = isGlobal(thought) ? null : turn.project;
  const owner = project === null ? userLabel(thought) : turn.projectName;
  return candidateOf({
    turn,
    line,
    quote,
    owner,
    project,
    category: categoryOf(thought),
    importance: importanceOf(thought),
    tags: [thought.kind],
    origin: "user",
    maker,
    replaces: replaces(thought),
  });
}

const secret = /(?:\b\w{1,40}=)?\[redacted(?::[\w-]{1,60})?\]/g;

/** With its secret taken out, nothing but a few words is left: the secret was what it said. */
const isOnlySecret = (line: string): boolean =>
  line.search(secret) >= 0 && concreteTokens(line.replace(secret, " ")).length === 0;

/** A global memory names the person it is about; a colleague is named already. */
const userLabel = ({ kind }: Thought): string | null => (kind === "person" ? null : "User");

interface Parts extends Pick<
  Candidate,
  "category" | "importance" | "tags" | "origin" | "maker" | "replaces" | "project"
> {
  readonly turn: TurnContext;
  readonly line: string;
  readonly quote: string;
  readonly owner: string | null;
}

function candidateOf(parts: Parts): Candidate {
  const { turn, line, quote, owner, ...fields } = parts;
  return {
    ...fields,
    uriHint: slugOf(line),
    l0: l0Of(line, owner),
    l1: l1Of({ said: quote, turn }),
    l2: l2Of(turn),
    files: filesIn(line, turn),
    aliases: aliasesOf(line),
    branch: turn.branch,
    atMs: turn.atMs,
    evidence: { sessionId: turn.sessionId, turn: turn.turn, line: null, quote },
  };
}

/** The cause the answer states; else the new state of a setting when the user's words gave no memory of it. */
function concludedCandidates(turn: TurnContext, said: readonly Candidate[]): readonly Candidate[] {
  if (turn.answer === null) return [];
  const asked = typedOf(turn);
  const cause = causeIn(turn.answer, asked, { isTold: said.length > 0 });
  if (cause !== null) {
    const problem = problemOf(asked);
    const line = problem === null ? cause.text : `${problem} → ${cause.text}`;
    return [concluded(turn, { line, quote: cause.text, category: "cases", importance: 3 })];
  }
  const wasOrdered = said.length === 0 && changeVerb.test(asked);
  const state = wasOrdered ? newStateIn(turn.answer) : null;
  return state === null
    ? []
    : [concluded(turn, { line: state, quote: state, category: "entities", importance: 2 })];
}

const concluded = (
  turn: TurnContext,
  found: Pick<Parts, "line" | "quote" | "category" | "importance">,
): Candidate =>
  candidateOf({
    ...found,
    line: resolveDates(oneLine(found.line), turn.atMs),
    quote: found.quote.slice(0, 300),
    turn,
    owner: turn.projectName,
    project: turn.project,
    tags: [found.category === "cases" ? "cause" : "state"],
    origin: originOfWords(found.quote, turn),
    maker: "stop",
    replaces: false,
  });

/** A problem is told in the first words of a prompt; longer ones are cut. */
const problemCharsMax = 140;

/** What the user reported or asked, without "have a look" and the like; null when the prompt says neither. */
function problemOf(prompt: string): string | null {
  const told = sentencesOf(prompt)
    .map((sentence) => clauseOf(sentence))
    .filter((clause) => contentWords(clause.masked).length >= 2 && !isTask(clause.masked));
  const statement =
    told.find((clause) => isProblem(clause.masked)) ?? told.find((clause) => !isQuestion(clause));
  if (statement === undefined) return null;
  const parts = statement.body.split(/,\s+/);
  const text = parts
    .filter((part) => !isTask(part) && !(parts.length > 1 && isBareQuestion(part)))
    .join(", ")
    .replace(/[.?!]+$/, "");
  return text === "" || text.length > problemCharsMax ? null : text;
}

/** "…, whats going on": asks, and says nothing of the problem. */
const isBareQuestion = (part: string): boolean =>
  contentWords(part).length < 3 &&
  /^(?:what'?s|whats|why|any idea|how come|find out|look into)\b/i.test(part);

/** Words in a row that make a sentence somebody else's. */
const copiedWords = 6;

/** `tool` when the words stand in what a tool printed this turn: then they are data at second hand. */
function originOfWords(text: string, turn: TurnContext): Origin {
  const printed = turn.tools.map((use) => use.text ?? "").join("\n");
  if (printed === "") return "agent";
  const haystack = ` ${wordsOf(printed).join(" ")} `;
  const words = wordsOf(text);
  for (let n = 0; n + copiedWords <= words.length; n += 1)
    if (haystack.includes(` ${words.slice(n, n + copiedWords).join(" ")} `)) return "tool";
  return "agent";
}

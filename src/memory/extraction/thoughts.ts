/**
 * Clauses that belong together become one thought: the statement with its reason, the name with the thing named,
 * the answer with the question the writer asked and answered. A thought is what one memory is made from. Pure.
 */
import { statementsOf } from "./answer.ts";
import { clauseOf } from "./clause.ts";
import type { Clause } from "./clause.ts";
import { person } from "./cues.ts";
import { belongsTo, describesProblem, isLeadFor, isReasonFor, selfAnswer } from "./joins.ts";
import { judge } from "./judge.ts";
import type { Judgement, Kind } from "./judge.ts";
import { noteOf } from "./notes.ts";
import { sentencesOf } from "./sentences.ts";

export interface Thought {
  readonly kind: Kind;
  readonly isSignal: boolean;
  /** All clauses in order; the first may be a lead-in that was not judged worth keeping by itself. */
  readonly clauses: readonly Clause[];
  /** The clauses that carry the statement. */
  readonly core: readonly Clause[];
  /** The topic label above it, if any. */
  readonly topic: string;
}

/** More passing remarks than this in one prompt are a text about something, not remarks. */
const notesMax = 6;

/** What was set is confirmed early in an answer. */
const answeredMax = 20;

/** The thoughts of a prompt that are worth remembering, in order; `answer`: what was answered, if anything yet. */
export function thoughtsOf(prompt: string, answer: string | null): readonly Thought[] {
  const clauses = sentencesOf(prompt).map((sentence) => clauseOf(sentence));
  const isReport = clauses.some((clause) => describesProblem(clause.masked));
  let thoughts: readonly Thought[] = [];
  const answered = answer === null ? [] : statementsOf(answer).slice(0, answeredMax);
  let topic = "";
  const notes: Thought[] = [];
  clauses.forEach((clause, n) => {
    const previous = clauses[n - 1] ?? null;
    topic = topicFor(clause, topic);
    const judged = judgedIn(clause, previous, isReport);
    thoughts = withClause(thoughts, { clause, judged, previous, topic });
    const isOpen = judged === null && notes.length < notesMax;
    const note = isOpen ? noteOf(clause, { isReport, answered, topic }) : null;
    if (note !== null) notes.push(note);
  });
  return inOrder(clauses, [...thoughts, ...unused(notes, thoughts)]);
}

/** Notes whose clause has not become part of a thought. */
const unused = (notes: readonly Thought[], thoughts: readonly Thought[]): readonly Thought[] => {
  const told = new Set(thoughts.flatMap(({ clauses }) => clauses));
  return notes.filter(({ clauses }) => clauses.every((clause) => !told.has(clause)));
};

const inOrder = (clauses: readonly Clause[], thoughts: readonly Thought[]): readonly Thought[] => {
  const place = new Map(clauses.map((clause, n) => [clause, n]));
  const placeOf = ({ core }: Thought): number =>
    Math.min(...core.map((own) => place.get(own) ?? 0));
  return [...thoughts].sort((a, b) => placeOf(a) - placeOf(b));
};

/** A label names the topic of what follows, until something else is talked about. */
const topicFor = (clause: Clause, topic: string): string =>
  clause.label !== "" || clause.isNewThought ? clause.label : hasOwnSubject(clause) ? "" : topic;

/** "the bucket is …" needs no topic from above; "query by role" and "move it" do. */
const hasOwnSubject = (clause: Clause): boolean =>
  (!clause.needsSubject && person.test(clause.masked)) || ownSubject.test(clause.masked);

const ownSubject =
  /^(?:(?:the|our|my|all|every|each|new|no) )?[\p{L}\p{N}_/@.-]+(?: [\p{L}\p{N}_-]+){0,4} (?:is|are|was|were|has|have|must|should|goes|go|lives?|runs?|uses?|needs?|wants?|turned|took|left|owns|gets?|comes?)\b/iu;

/** Where a problem is being described, plain statements describe it: they are no facts to keep. */
function judgedIn(clause: Clause, previous: Clause | null, isReport: boolean): Judgement | null {
  const found = judge(clause);
  const kept = found?.isWeak === true && isReport ? null : found;
  return kept ?? selfAnswer(clause, previous);
}

interface Step {
  readonly clause: Clause;
  readonly judged: Judgement | null;
  readonly previous: Clause | null;
  readonly topic: string;
}

/** The thoughts with one more clause: joined to the last, or a new one, or left out. */
function withClause(thoughts: readonly Thought[], step: Step): readonly Thought[] {
  const { clause, judged, previous } = step;
  const last = thoughts.at(-1);
  const adjacent = last !== undefined && last.clauses.at(-1) === previous ? last : null;
  if (judged === null) {
    const isReason = adjacent !== null && isReasonFor(clause, adjacent);
    return isReason ? [...thoughts.slice(0, -1), extended(adjacent, clause, null)] : thoughts;
  }
  if (adjacent !== null && belongsTo(clause, judged, adjacent))
    return [...thoughts.slice(0, -1), extended(adjacent, clause, judged)];
  return [
    ...thoughts,
    newThought({ ...step, previous: adjacent === null ? previous : null }, judged),
  ];
}

function newThought({ clause, previous, topic }: Step, judged: Judgement): Thought {
  const lead = previous !== null && isLeadFor(previous, clause, judged) ? [previous] : [];
  return { ...judged, clauses: [...lead, clause], core: [clause], topic };
}

/** Adds a clause; a stronger judgement takes over the kind. */
function extended(thought: Thought, clause: Clause, judged: Judgement | null): Thought {
  const takesOver = judged !== null && rank[judged.kind] < rank[thought.kind];
  return {
    kind: takesOver ? judged.kind : thought.kind,
    isSignal: thought.isSignal || (judged?.isSignal ?? false),
    clauses: [...thought.clauses, clause],
    core: judged === null ? thought.core : [...thought.core, clause],
    topic: thought.topic,
  };
}

const rank: Readonly<Record<Kind, number>> = {
  remember: 0,
  self: 1,
  decision: 2,
  change: 3,
  preference: 4,
  rule: 5,
  naming: 6,
  pattern: 7,
  cause: 8,
  person: 9,
  fact: 10,
  note: 11,
};

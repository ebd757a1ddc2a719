/**
 * Clauses that belong together become one thought: the statement with its reason, the name with the thing named,
 * the answer with the question the writer asked and answered. A thought is what one memory is made from. Pure.
 */
import { contentWords, valuesOf, wordsOf } from "../language/index.ts";
import { clauseOf } from "./clause.ts";
import type { Clause } from "./clause.ts";
import { concreteTokens } from "./clause.ts";
import { asksForCause } from "./answer.ts";
import { habitual, person, question, request, task, trouble } from "./cues.ts";
import { isQuestion, isTask, judge } from "./judge.ts";
import type { Judgement, Kind } from "./judge.ts";
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

/** A thought longer than this is several thoughts. */
const thoughtCharsMax = 320;

/** The thoughts of a prompt that are worth remembering, in order. */
export function thoughtsOf(prompt: string): readonly Thought[] {
  const clauses = sentencesOf(prompt).map((sentence) => clauseOf(sentence));
  const isReport = clauses.some((clause) => describesProblem(clause.masked));
  const thoughts: Thought[] = [];
  let topic = "";
  clauses.forEach((clause, n) => {
    if (clause.label !== "" || clause.isNewThought) topic = clause.label;
    else if (hasOwnSubject(clause)) topic = "";
    const previous = clauses[n - 1] ?? null;
    const found = judge(clause);
    const judged =
      (found?.isWeak === true && isReport ? null : found) ?? selfAnswer(clause, previous);
    const last = thoughts.at(-1);
    const isAdjacent = last !== undefined && last.clauses.at(-1) === previous;
    if (judged === null) {
      if (isAdjacent && isReasonFor(clause, last))
        thoughts.splice(-1, 1, extended(last, clause, null));
    } else if (isAdjacent && belongsTo(clause, judged, last)) {
      thoughts.splice(-1, 1, extended(last, clause, judged));
    } else {
      const free = isAdjacent ? null : previous;
      thoughts.push(newThought(clause, judged, { previous: free, topic }));
    }
  });
  return thoughts;
}

/** Something was chosen or set: what stands before is often its reason. */
const isChoice = ({ kind, isSignal }: Judgement): boolean =>
  kind === "change" || kind === "decision" || (kind === "preference" && isSignal);

/** "the bucket is …" needs no topic from above; "query by role" and "move it" do. */
const hasOwnSubject = (clause: Clause): boolean =>
  (!clause.needsSubject && person.test(clause.masked)) || ownSubject.test(clause.masked);

const ownSubject =
  /^(?:(?:the|our|my|all|every|each|new|no) )?[\p{L}\p{N}_/@.-]+(?: [\p{L}\p{N}_-]+){0,4} (?:is|are|was|were|has|have|must|should|goes|go|lives?|runs?|uses?|needs?|wants?|turned|took|left|owns|gets?|comes?)\b/iu;

const textLength = (thought: Thought): number =>
  thought.clauses.reduce((sum, clause) => sum + clause.body.length, 0);

function newThought(
  clause: Clause,
  judged: Judgement,
  around: { readonly previous: Clause | null; readonly topic: string },
): Thought {
  const lead = around.previous !== null && isLeadFor(around.previous, clause, judged);
  return {
    ...judged,
    clauses: lead && around.previous !== null ? [around.previous, clause] : [clause],
    core: [clause],
    topic: around.topic,
  };
}

/** "how do we release? -- right: canary first": the question names what the answer is about. */
function selfAnswer(clause: Clause, previous: Clause | null): Judgement | null {
  const answersItself =
    previous !== null &&
    isQuestion(previous) &&
    (clause.sentence.isTail || isNamedTopic(previous)) &&
    !isQuestion(clause) &&
    !isTask(clause.masked) &&
    (concreteTokens(clause.masked).length > 0 || contentWords(clause.masked).length >= 3);
  return answersItself ? { kind: "fact", isSignal: false } : null;
}

/** A problem told at some length; "wrong again" alone is a correction. */
const describesProblem = (text: string): boolean =>
  asksForCause.test(text) || (trouble.test(text) && contentWords(text).length >= 3);

/** "nightly job? 01:30 utc": a question that only names the topic. */
const isNamedTopic = (clause: Clause): boolean =>
  contentWords(clause.masked).length <= 3 && !question.test(clause.masked);

/** Does the sentence before say what this one is about? */
function isLeadFor(previous: Clause, clause: Clause, judged: Judgement): boolean {
  if (previous.body.length + clause.body.length > thoughtCharsMax) return false;
  if (isQuestion(previous))
    return (clause.sentence.isTail || isNamedTopic(previous)) && !request.test(previous.masked);
  if (contentWords(previous.masked).length < 2) return false;
  if (clause.needsSubject || judged.kind === "naming") return true;
  if (isPointer(clause)) return true;
  return (
    isChoice(judged) && !clause.isNewThought && !task.test(previous.masked) && isStatement(previous)
  );
}

/** "remember this", "remember that": the thing itself stands before. */
export const isPointer = (clause: Clause): boolean =>
  /^(?:please |pls )?(?:remember|keep in mind|don'?t forget)(?: (?:this|that|it))?(?: please| pls| forever| always| for (?:later|next time|the future))?[.!]*$/i.test(
    clause.body,
  );

const isStatement = (clause: Clause): boolean =>
  !isQuestion(clause) && !isTask(clause.masked) && contentWords(clause.masked).length >= 2;

/** A sentence that only explains the statement before it. */
function isReasonFor(clause: Clause, thought: Thought): boolean {
  if (clause.isNewThought) return false;
  if (isSupplement(clause)) return true;
  if (!isStatement(clause)) return false;
  if (textLength(thought) + clause.body.length > thoughtCharsMax) return false;
  const explains =
    /^(?:they|they're|theyre|it|its|it's|that|that's|thats|this|because|since|otherwise|so that|reason|the reason|us|ours)\b|\b(?:because|since|so|otherwise|that'?s why|last (?:time|year|month|week))\b/i.test(
      clause.masked,
    );
  const sharesWord = shared(clause, thought) > 0;
  const isRemedy = trouble.test(clause.masked) && thought.kind !== "fact";
  return explains || sharesWord || isRemedy || isAside(clause, thought);
}

/** A completion has no verb and few words. */
const supplementWordsMax = 7;

/** "zustand only", "use hashtextextended": a few words that complete what was just said. */
const isSupplement = (clause: Clause): boolean => {
  const count = wordsOf(clause.masked).length;
  if (count < 2 || count > supplementWordsMax || isQuestion(clause)) return false;
  if (count <= 4 && /^use \S+/i.test(clause.masked)) return true;
  return (
    !habitual.test(clause.masked) &&
    !isTask(clause.masked) &&
    concreteTokens(clause.masked).length > 0
  );
};

/** "… I like detail", "… I skim": the motive behind a preference. */
const isAside = (clause: Clause, thought: Thought): boolean =>
  /^i (?:like|love|hate|skim|want|need)\b/i.test(clause.masked) &&
  (thought.kind === "preference" || thought.kind === "rule");

/** Two statements about one thing in a row are one thought, unless both are facts of their own. */
function belongsTo(clause: Clause, judged: Judgement, thought: Thought): boolean {
  if (textLength(thought) + clause.body.length > thoughtCharsMax) return false;
  if (clause.needsSubject || isPointer(clause)) return true;
  if (clause.isNewThought && clause.label !== thought.topic) return false;
  if (judged.kind === "self" || thought.kind === "self") return judged.kind === thought.kind;
  if (
    thought.kind === "person" &&
    /\b(?:took over|takes over|replaces|instead of)\b/i.test(clause.masked)
  )
    return true;
  if (judged.kind === "person" || thought.kind === "person") return false;
  const isChosen = isChoice(judged);
  const wasReason =
    thought.kind === "fact" || thought.kind === "cause" || thought.kind === "decision";
  if (isChosen && wasReason && !clause.isNewThought) return true;
  const bothValued = valued(clause) && thought.core.some((core) => valued(core));
  return !bothValued && shared(clause, thought) > 0;
}

const valued = (clause: Clause): boolean => valuesOf(clause.masked).length > 0;

const shared = (clause: Clause, thought: Thought): number => {
  const words = new Set(thought.clauses.flatMap((other) => contentWords(other.masked)));
  return contentWords(clause.masked).filter((word) => words.has(word)).length;
};

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
};

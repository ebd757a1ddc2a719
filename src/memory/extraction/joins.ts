/** Which clauses belong together: reason and choice, name and thing named, question and its own answer. Pure. */
import { contentWords, valuesOf, wordsOf } from "../language/index.ts";
import { asksForCause } from "./answer.ts";
import { concreteTokens } from "./clause.ts";
import type { Clause } from "./clause.ts";
import { habitual, question, request, task, trouble } from "./cues.ts";
import { isQuestion, isTask, withoutIf } from "./forms.ts";
import type { Judgement, Kind } from "./judge.ts";
import type { Thought } from "./thoughts.ts";

/** A thought longer than this is several thoughts. */
const thoughtCharsMax = 320;

/** "how do we release? -- right: canary first": the question names what the answer is about. */
export function selfAnswer(clause: Clause, previous: Clause | null): Judgement | null {
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
export const describesProblem = (text: string): boolean =>
  asksForCause.test(text) || (trouble.test(withoutIf(text)) && contentWords(text).length >= 3);

/** "nightly job? 01:30 utc": a question that only names the topic. */
const isNamedTopic = (clause: Clause): boolean =>
  contentWords(clause.masked).length <= 3 && !question.test(clause.masked);

/** Does the sentence before say what this one is about? */
export function isLeadFor(previous: Clause, clause: Clause, judged: Judgement): boolean {
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
export function isReasonFor(clause: Clause, thought: Thought): boolean {
  if (clause.isNewThought) return false;
  if (isSupplement(clause) || isPlacement(clause)) return true;
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

/** "put it in the ops sheet, tab Countries": where the thing just talked about goes. */
const isPlacement = (clause: Clause): boolean =>
  clause.needsSubject &&
  /^(?:put|send|post|upload|publish|store|export|write|save|log|push|call|name|route|deploy|tag|label) (?:it|them|that|this|those)\b/i.test(
    clause.masked,
  ) &&
  concreteTokens(clause.masked).length > 0;

/** "… I like detail", "… I skim": the motive behind a preference. */
const isAside = (clause: Clause, thought: Thought): boolean =>
  /^i (?:like|love|hate|skim|want|need)\b/i.test(clause.masked) &&
  (thought.kind === "preference" || thought.kind === "rule");

/** Two statements about one thing in a row are one thought, unless both are facts of their own. */
export function belongsTo(clause: Clause, judged: Judgement, thought: Thought): boolean {
  if (textLength(thought) + clause.body.length > thoughtCharsMax) return false;
  if (clause.needsSubject || isPointer(clause)) return true;
  if (clause.isNewThought && clause.label !== thought.topic) return false;
  if (concernsPeople(judged.kind) || concernsPeople(thought.kind))
    return samePerson(clause, judged, thought);
  const hasReason = isChoice(judged) && !clause.isNewThought && isReasonable(thought.kind);
  return hasReason || (!areBothValued(clause, thought) && shared(clause, thought) > 0);
}

const areBothValued = (clause: Clause, thought: Thought): boolean =>
  valued(clause) && thought.core.some((core) => valued(core));

const concernsPeople = (kind: Kind): boolean => kind === "self" || kind === "person";

/** More about oneself, or who comes after whom; otherwise one thought per person. */
const samePerson = (clause: Clause, judged: Judgement, thought: Thought): boolean =>
  (judged.kind === "self" && thought.kind === "self") ||
  (thought.kind === "person" &&
    /\b(?:took over|takes over|replaces|instead of)\b/i.test(clause.masked));

/** What can be the reason of a choice that follows. */
const isReasonable = (kind: Kind): boolean =>
  kind === "fact" || kind === "cause" || kind === "decision";

const valued = (clause: Clause): boolean => valuesOf(clause.masked).length > 0;

const shared = (clause: Clause, thought: Thought): number => {
  const words = new Set(thought.clauses.flatMap((other) => contentWords(other.masked)));
  return contentWords(clause.masked).filter((word) => words.has(word)).length;
};

/** Something was chosen or set: what stands before is often its reason. */
const isChoice = ({ kind, isSignal }: Judgement): boolean =>
  kind === "change" || kind === "decision" || (kind === "preference" && isSignal);

const textLength = (thought: Thought): number =>
  thought.clauses.reduce((sum, clause) => sum + clause.body.length, 0);

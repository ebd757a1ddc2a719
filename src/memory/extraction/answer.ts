/**
 * What the assistant's last message says: the sentence that confirms a value the user set, the stated cause of a
 * problem, the stated new state of a setting. Its words are data: an instruction found in them is never taken over.
 * Pure.
 */
import { contentWords, valuesOf, wordsOf } from "../language/index.ts";
import { concreteTokens } from "./clause.ts";
import { sentencesOf } from "./sentences.ts";
import type { Sentence } from "./sentences.ts";

/** A confirmation longer than this says more than what was asked. */
const confirmationCharsMax = 220;

/** Sentences of an answer that state something; offers, questions and second-hand instructions are left out. */
export const statementsOf = (answer: string): readonly string[] =>
  statingSentences(answer).map(({ text }) => text);

const statingSentences = (answer: string): readonly Sentence[] =>
  sentencesOf(answer).filter(
    ({ isQuestion, text }) => !isQuestion && !offer.test(text) && !secondHand.test(text),
  );

const offer =
  /^(?:i'?d\b|i would|i could|i can|i'?ll|i will|let me|do you|shall|should i|want me|if you|would you|next,? i|next step|you (?:could|may|might|can|should))/i;
/** The assistant telling what some text wants of it. */
const secondHand =
  /\b(?:instructs?|asks? (?:ai|assistants?|me|you|us) |tells? (?:ai|assistants?|me|us) |tries to|prompt injection|ignor(?:e|ed|ing) (?:that|it|this|the)|(?:readme|file|page|document|comment|email) (?:also )?(?:says|asks|tells|wants|claims))\b|\bcurl\b.{0,80}\|\s*(?:ba|z)?sh\b|\b(?:ai|llm) (?:assistants?|agents?)\b/i;

/** The sentence of the answer that repeats a value of what the user said; null when there is none. */
export const confirmationOf = (answer: string | null, said: string): string | null =>
  answer === null ? null : confirmationAmong(statementsOf(answer), said);

/** The same, of the sentences of an answer. */
export function confirmationAmong(statements: readonly string[], said: string): string | null {
  const wanted = new Set(tellingTokens(said));
  const words = new Set(contentWords(said));
  const scored = statements
    .filter((text) => text.length <= confirmationCharsMax && !testCount.test(text))
    .map((text) => ({
      text: plain(text),
      tokens: tellingTokens(text).filter((token) => wanted.has(token)).length,
      words: contentWords(text).filter((word) => words.has(word)).length,
    }))
    .filter(({ tokens }) => tokens > 0)
    .sort((a, b) => b.tokens - a.tokens || b.words - a.words);
  return scored[0]?.text ?? null;
}

const tellingTokens = (text: string): readonly string[] => [
  ...concreteTokens(text),
  ...rhythmsIn(text),
  // "make it 10" is confirmed by "10 minutes".
  ...(text.match(/(?<![\p{L}\p{N}_.:-])\d{1,9}(?=$|[\s,;)%]|[.](?!\d))/gu) ?? []),
];

/** Days of the week and how often something happens, lower case. */
export const rhythmsIn = (text: string): readonly string[] =>
  [
    ...text.matchAll(
      /\b(?:hourly|daily|nightly|weekly|monthly|quarterly|yearly|(?:mon|tues|wednes|thurs|fri|satur|sun)day|weekdays?|weekends?)/gi,
    ),
  ].map(([word]) => word.toLowerCase());

/** Takes off "Right, ", "Noted: ", "Corrected: ". */
const plain = (text: string): string =>
  text.replace(
    /^(?:(?:right|noted|corrected|done|ok|okay|understood|got it|sure|yes|good|fixed|changed|updated|agreed|great|thanks)[,:.!]\s+)+/i,
    "",
  );

const strongCause =
  /\b(?:root cause|the (?:real |actual |underlying )?(?:cause|culprit|bug|problem|issue|reason) (?:was|is|were|turned out)|(?:was|were|is|are) caused by|caused by|happen(?:s|ed) because|broke because|fail(?:s|ed) because|turn(?:s|ed) out (?:that|to be|the|it)|comes? from|came from|stems? from|due to)\b/i;
const weakCause =
  /\b(?:because|since|so that|hence|which (?:means|made|makes|broke|caused)|, so\b|so the\b|that (?:confirms|explains)|not the code)\b/i;
const fixedNow = /^(?:fixed|solved)[:,. ].{0,200}\b(?:so|now|because|since)\b/i;
const remedy =
  /\b(?:fix(?:es|ed)|solve[sd]?|now|removed|replaced|added|instead|resolved|works again|rolled back|reverted|moved)\b/i;

/** A prompt that reports a problem or asks for its cause. */
const investigation =
  /\b(?:why|find out|find (?:the|its|a) (?:cause|reason|bug|problem|culprit)|what'?s (?:going on|wrong|happening|up)|whats (?:going on|wrong|happening|up)|what happened|any idea|look into|have a look|take a look|debug|investigate|check the logs?|figure out|broken|bug|crash(?:es|ed|ing)?|fail(?:s|ed|ing)?|throw(?:s|ing)|errors?|500|[45]\d\d(?:s|ing|ed)|flaky|hang(?:s|ing)?|stuck|died|explodes?|wrong|janky|slow|off by|(?:one|a) (?:day|hour|pixel|minute) off|twice|double|leak(?:s|ing)?|missing|problem|issue|doesn'?t work|not working|regression|oom|flickers?|lost|corrupt(?:ed)?|down|spikes?|timed? ?out|timeouts?)\b/i;
export const asksForCause =
  /\b(?:why|find out|find the|what'?s (?:going on|wrong)|whats (?:going on|wrong)|^what happened|look into|(?:have|take) a look|look at what|debug (?:this|that|it|the|why|my|our)|investigate|check the logs?|figure out)\b/i;
const surely =
  /^(?:the |its |our )?(?:cause|culprit|reason|problem|bug|issue): |\b(?:root cause|the (?:real |actual |underlying )?(?:cause|culprit) (?:was|is)|(?:was|were) caused by)\b/i;
const generalQuestion =
  /\b(?:in general|difference between|what does .{2,40} mean|how do i|how to|what is an?)\b/i;

/** True for words that report a problem or ask for its cause. */
export const isProblem = (text: string): boolean => investigation.test(text);

export interface StatedCause {
  /** Cause and, when it follows, its remedy; verbatim sentences. */
  readonly text: string;
  readonly isStrong: boolean;
}

/**
 * The cause that the answer states, with the sentence that says how it was fixed. `isTold`: the prompt itself
 * told something worth keeping, so that a bare "because" in the answer is only talk about that.
 */
export function causeIn(
  answer: string,
  prompt: string,
  options: { readonly isTold: boolean },
): StatedCause | null {
  if (generalQuestion.test(prompt)) return null;
  const isAsked = !options.isTold || asksForCause.test(prompt) ? investigation.test(prompt) : false;
  const sentences = statingSentences(answer);
  const statements = sentences.map(({ text }) => text);
  const at = causeAmong(statements, isAsked);
  const cause = statements[at];
  if (cause === undefined) return null;
  const before = statements[at - 1] ?? "";
  const isHalf = needsLead(cause) || sentences[at]?.isTail === true;
  const after = statements[at + 1] ?? "";
  const parts = [isHalf ? plain(before) : "", plain(cause), isFix(after) ? after : ""];
  return {
    text: parts.filter((part) => part !== "").join(" "),
    isStrong: strongCause.test(cause),
  };
}

const isFix = (text: string): boolean =>
  (remedy.test(text) || cure.test(text)) && !testCount.test(text);

/** Where the cause stands: said to be one, cured by what follows, or found where one was asked for; -1 when nowhere. */
function causeAmong(statements: readonly string[], isAsked: boolean): number {
  const stated = statements.findIndex((text) => isCause(text, isAsked));
  if (stated >= 0) return stated;
  const cured = statements.findIndex((text) => cure.test(text)) - 1;
  if (cured >= 0 && isExplaining(statements[cured] ?? "")) return cured;
  return isAsked ? statements.findIndex((text) => isFinding(text)) : -1;
}

/** "Closing it in the cleanup keeps memory flat." */
const cure =
  /^\p{Lu}\p{Ll}+ing .{3,160}? (?:fixes|fixed|solves|solved|restores|keeps|brings|brought|leaves|resolves|makes|removes|avoids|prevents|cures)\b/u;

/** "That confirms it." and the like need what stands around them. */
const needsLead = (text: string): boolean => /^(?:that|this|it|they|which|hence)\b/i.test(text);

function isCause(text: string, isAsked: boolean): boolean {
  if (wordsOf(text).length < 6 || testCount.test(text) || unsure.test(text)) return false;
  if (surely.test(text)) return true;
  return isAsked && (strongCause.test(text) || weakCause.test(text) || fixedNow.test(text));
}

/** Fewer words than this report what was done rather than what was found. */
const findingWordsMin = 8;

/** Asked what is wrong, the answer says how something specific is: a finding, though no word calls it the cause. */
const isFinding = (text: string): boolean =>
  isExplaining(text) &&
  concreteTokens(text).length > 0 &&
  (contrast.test(text) || stateOf.test(text));

const isExplaining = (text: string): boolean =>
  wordsOf(text).length >= findingWordsMin &&
  !testCount.test(text) &&
  !unsure.test(text) &&
  !report.test(text);

/** What the assistant did or has before it. */
const report =
  /^(?:i(?:'ve|'m)?|we|you(?:'re)?|\p{Lu}\p{Ll}+ed|done|now|only|here|there|all|both|no|yes|then|next|all of)\b/iu;
/** One thing against another: what explanations are made of. */
const contrast =
  /:\s|\b(?:but|while|whereas|although|though|instead|only|each|every|never|no longer|twice|both|without|before|after|already|still|again|whenever|when|until|does not|doesn't|do not|is not|isn't|are not|cannot|can't)\b/i;

/** A guess is not a conclusion. */
const unsure =
  /\b(?:don'?t know|do not know|not (?:yet )?(?:sure|clear)|unclear|probably|perhaps|maybe|might|may be|could be|i suspect|i think|seems?|looks like|possibly|likely)\b/i;

const testCount = /\b\d+ (?:tests? )?(?:passed|failed|pass|fail|skipped|problems|warnings)\b/i;

const newState =
  /\bnow\.?$|\b(?:is|are) now\b|\bnow (?:uses?|runs?|reads?|points?|goes|lives?|expires?|requires?|targets?|listens?|starts?|defaults?|retries|keeps?|stores?)\b|\bis \S{1,30} now\b/i;

/** "The pool has 12 threads now.", "Uploads are capped at 50 MB.": how something is, not how a run of it went. */
export const isStateSentence = (text: string): boolean =>
  (newState.test(text) || stateOf.test(text)) && !testCount.test(text) && !/^i\b/i.test(text);

const stateOf =
  /^(?!(?:it|that|this|they|all|everything|both|lint|tests?|there)\b)\S+ (?:\S+ ){0,4}?(?:is|are|has|have|runs?|expires?|lives?|goes|go|listens?|points?|uses?|times out|retries|starts?|keeps?|needs?|takes?|defaults?)\b/i;

/** The sentence that says how something is configured from now on; null when there is none. */
export const newStateIn = (answer: string): string | null =>
  statementsOf(answer).find(
    (text) =>
      newState.test(text) &&
      text.length <= confirmationCharsMax &&
      !testCount.test(text) &&
      !/^(?:it|that|this|they|all|everything|both|lint|tests?)\b/i.test(text) &&
      valuesOf(text).length > 0,
  ) ?? null;

/**
 * Headlines: what an assistant's sentence says was done, without the conversation around it.
 *
 * Pure. "Yes, I moved the buffer to a non-cacheable section and …" → "Moved the buffer to a non-cacheable section".
 */
import { cutAtWord } from "#kit";
import type { PlainSentence } from "#language";

/** Talk before the matter: consent, apology, "I have now". */
const leadIns = [
  /^(?:yes|no|ok|okay|sure|right|exactly|agreed|understood|done|fixed|great|good find|good catch|thanks|thank you|sorry|noted|got it|my (?:mistake|bad|fault)|you(?:'re| are) right|in short|to sum up)[,.:;!–—-]+\s*/i,
  /^(?:yes|no|ok|sure|right|sorry|thanks|thank you|you(?:'re| are) right)\s+(?=i\b|we\b|the\b)/i,
  /^(?:[-–—*]+\s*)/,
  /^(?:ok|okay|yeah|yep|right|good|nice|great|perfect|btw|oh|ah|hey|hm+|lol|later|wow)[,.:!]*\s+(?!(?:for|to|is|catch|find|point)\b)/i,
  /^(?:so|then|and|but|also|now|finally|first|with that|as a result|therefore)[,]?\s+/i,
  /^(?:i |we )?tried\b.{5,140}?[,;]\s*(?:so|then|and then|hence)\s+(?=(?:i|we)\s)/i,
  /^(?:i|we)(?:'ve| have)?\s+(?:(?:also|now|then|just|have)\s+)*(?=[a-z]+(?:ed|t|ote|ilt|ade|ut|ook|an)\b)/i,
];

/** The shortest head worth standing alone. */
const clauseCharsMin = 24;

/** A headline of at most `charsMax` characters; never ends in the middle of a word. */
export function headline(sentence: PlainSentence, charsMax: number): string {
  let text = sentence.text;
  for (const leadIn of [...leadIns, ...leadIns]) {
    const rest = text.replace(leadIn, "");
    if (rest.length >= clauseCharsMin / 2) text = rest;
  }
  const tidy = text.replace(/[\s.:;,!–—-]+$/u, "");
  return capitalised(tidy.length <= charsMax ? tidy : firstClause(tidy, charsMax));
}

/** Up to the last clause boundary that fits, else cut at a word. */
function firstClause(text: string, charsMax: number): string {
  const ends = [...text.slice(0, charsMax).matchAll(clauseEnd)].map(({ index }) => index);
  const last = ends.findLast((at) => at >= clauseCharsMin);
  return last === undefined
    ? cutAtWord(text, charsMax)
    : text.slice(0, last).replace(/[\s.:;,!–—-]+$/u, "");
}

const clauseEnd = /[;:,–—](?=\s)|\s(?=(?:so|which|because|since|while|but|and then)\s)/gu;

/** The first letter large, unless the first word is an identifier or a path. */
const capitalised = (text: string): string =>
  /^[a-z]+(?:'[a-z]+)?(?:[\s,:]|$)/.test(text)
    ? text.charAt(0).toUpperCase() + text.slice(1)
    : text;

const doneVerb =
  /\b(?:implement|add|fix|mov|remov|replac|switch|renam|creat|chang|updat|refactor|extract|migrat|backfill|introduc|dropp|wir|cach|configur|enabl|disabl|restrict|normalis|normaliz|correct|restor|revert|record|document|mark|upgrad|bump|deploy|install|convert|merg|separat|simplifi|reduc|increas|doubl|lower|rais|guard|pinn|reorder|clean|delet|adjust|bound|limit|regist|serv|stor|cover)(?:ed|red|d)\b|\b(?:is|are) (?:now|in|gone|out|done|fixed|live)\b|\b(?:now|no longer) \w+|\b(?:pass|passes|works|succeeds|builds)\b|\b(?:wrote|rewrote|rewritten|split|rebuilt|built|made|put|set|took)\b/u;

/** "I normalise to NFC before hashing": told in the present, done all the same. */
const doneNow =
  /^(?:\S+[,.!] )?i (?!would|will|can|could|am|think|don't|do not|did not|didn't|have|need|recommend|suggest|guess|see|do |was|keep|know)[a-z]+\b/u;

/** States that something was done or holds now, and is neither a plan nor a question. */
export const isDone = (sentence: PlainSentence): boolean =>
  !sentence.isQuestion &&
  (doneVerb.test(sentence.plain) || doneNow.test(sentence.plain)) &&
  !isPlan(sentence) &&
  !isPartial(sentence);

/** What is still to come, or left to another. */
export const isPlan = ({ plain }: PlainSentence): boolean =>
  /\b(?:next(?: step)?s?(?: would| is|:|,|$)|todo|to do|remaining|still (?:need|needs|to do|missing|open|have to)|left to do|follow[- ]up|i (?:would|will|can|could|'ll)|i'll|we (?:need|should|could|still need|have) to|we should|should (?:bring|be|we)|let me know|if you (?:want|like)|you (?:can|could|may|should)|please (?:run|check|test|try)|shall i|do you want|would you like|als nächstes|falta|queda)\b/u.test(
    plain,
  );

const isPartial = ({ plain }: PlainSentence): boolean =>
  /\b(?:but .{0,40}(?:still|persists|fails)|half|partly|not (?:yet )?(?:done|finished|working)|work in progress|wip)\b/u.test(
    plain,
  );

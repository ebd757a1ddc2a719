/** An answer of the agent, shortened: its head, the sentences that carry something, its tail. Pure. */
import { oneLine } from "#kit";
import { cleanText } from "./clean.ts";

/** Causes, proposals, questions and what is left, in the languages that answers come in. */
const telling =
  /(?<!\p{L})(?:root cause|the (?:real |actual )?(?:issue|problem|bug|cause|reason|culprit) (?:is|was)|turns out|because|found it|fixed by|the fix|instead of|recommend|i suggest|would you like|should i|do you want|shall i|which (?:one|option)|next steps?|remaining|not (?:yet|done)|follow-?up|limitation|caveat|note that|ursache|weil|stattdessen|empfehle|soll ich|noch offen|la cause|parce que|au lieu|je propose|reste à|la causa|porque|en lugar|recomiendo|falta|em vez)(?!\p{L})|причина|проблема|потому|нужно|осталось|рекоменд|原因|因为|建议|剩下|なぜなら|推奨|残り/iu;

/** Begins like a reply to what was said before. */
const replying =
  /^[^\p{L}\p{N}]*(?:yes|yeah|yep|yup|y|no|nope|ok(?:ay)?|sure|do|go|let'?s|both|all|option|the (?:first|second|third|last|latter|former)|[a-e1-9]\b|agree|sounds|perfect|great|good|please|that|those|this|it|why|what|how|but|and|or|hmm|ja|nein|doch|passt|gut|mach|oui|non|d'accord|vas-y|sí|si|vale|dale|sim|não|да|нет|ок|давай|хорошо|согласен|вариант|делай|это|好|是|不|对|可以|はい|いいえ|それ)(?![\p{L}\p{N}])/iu;
const pointing =
  /\b(?:you (?:said|suggest|propos|mention|recommend)\w*|option|your (?:plan|proposal|question|point)|#\d|the (?:first|second|third) one)\b/i;

/** A prompt as short as this means little without the answer before it. */
const shortCharsMax = 70;

/** True when a prompt cannot be understood without the answer before it. */
export const refersBack = (typed: string): boolean =>
  typed.length < shortCharsMax || replying.test(typed) || pointing.test(typed.slice(0, 300));

const keptCodeCharsMax = 180;

/** Without thoughts, long code and marks of layout. */
export const plainAnswer = (answer: string): string =>
  cleanText(answer)
    .replace(/<think>[\s\S]*?<\/think>|<details>[\s\S]*?<\/details>/g, "")
    .replace(/```\w*\n?([\s\S]*?)(?:```|$)/g, (whole, code: string) =>
      code.length < keptCodeCharsMax ? whole : `‹code ${code.split("\n").length} lines›`,
    )
    .replace(/[*#]{2,}|^\s*---+\s*$/gm, "")
    .replace(/[ \t]+/g, " ")
    .replace(/\n\s*\n+/g, "\n")
    .trim();

/** Shares of a shortened answer: the rest is its middle. */
const headShare = 0.35;
const tailShare = 0.25;
const sentenceCharsMax = 260;
/** Looked through; an answer of more is a listing. */
const sentencesMax = 200;

/**
 * At most about `charsMax` characters of a plain answer, in one line: how it begins, how it ends, and of its middle the
 * sentences that tell a cause, a proposal or a name.
 */
export function shortAnswer(plain: string, charsMax: number): string {
  if (plain.length <= charsMax) return oneRow(plain);
  const head = atSpace(plain.slice(0, Math.floor(charsMax * headShare)));
  const tailAt = plain.length - Math.floor(charsMax * tailShare);
  const tail = plain.slice(tailAt).replace(/^\S*\s/, "");
  const middle = plain
    .slice(head.length, tailAt)
    .split(/(?<=[.!?:])\s+|\n/)
    .slice(0, sentencesMax)
    .map((sentence, at) => {
      const said = sentence.trim().slice(0, sentenceCharsMax);
      return { at, said, weight: weightOf(said) };
    })
    .filter(({ said, weight }) => said.length > 12 && weight > 0);
  let charsLeft = charsMax * (1 - headShare - tailShare);
  const kept = middle
    .toSorted((a, b) => b.weight - a.weight || a.at - b.at)
    .filter(({ said }) => {
      if (said.length + 3 > charsLeft) return false;
      charsLeft -= said.length + 3;
      return true;
    })
    .toSorted((a, b) => a.at - b.at);
  return oneRow([head, ...kept.map(({ said }) => said), tail].join(" … "));
}

/** Names, commands and numbers weigh something, causes and proposals more. */
const weightOf = (sentence: string): number =>
  (telling.test(sentence) ? 2 : 0) + (/`[^`]+`|\*\*|\d|\w[./_-]\w/.test(sentence) ? 1 : 0);

const atSpace = (text: string): string => {
  const space = text.search(/\s\S*$/);
  return space > text.length / 2 ? text.slice(0, space) : text;
};

const oneRow = (text: string): string => oneLine(text.replace(/\n+/g, " ⏎ "));

/**
 * Decides whether a quote that says less than its line takes what the agent had offered: an answer to its question, a
 * choice from its list, a yes to what it asked last. The line is the agent's then, and its taking the user's. Pure.
 */
import { denies, isCommand, isHarmful, isLead, orderIn } from "#language";
import { addedBy, shareIn, wordsIn } from "./words.ts";

/** A question of the agent that the user answered in this turn. */
export interface Asked {
  readonly question: string;
  readonly options: readonly string[];
  readonly answer: string;
}

export interface Offering {
  readonly line: string;
  readonly value: string | null;
  /** What the agent said last. */
  readonly answerBefore: string | null;
  readonly asked?: readonly Asked[];
}

/** Share of the line's words that stand in the offer. */
const offeredShareMin = 0.6;

/** Takes the quote an offer that says all that the line says, and orders nothing for good? */
export function takesOffer(quote: string, offering: Offering): boolean {
  const { line, answerBefore } = offering;
  if (denies(quote) || isHarmful(line) || orderIn(line) !== null) return false;
  const offer = offerFor(quote, offering);
  if (offer === null || (offer === answerBefore && isCommand(line))) return false;
  return saysNoMore(offering, { offer, quote });
}

const offerFor = (quote: string, { answerBefore, asked = [] }: Offering): string | null =>
  askedWith(quote, asked) ??
  (answerBefore === null
    ? null
    : (chosenFrom(quote, answerBefore) ?? askedIn(quote, answerBefore)));

function saysNoMore(
  { line, value }: Offering,
  { offer, quote }: { readonly offer: string; readonly quote: string },
): boolean {
  const source = `${offer}\n${quote}`;
  if (addedBy(`${line}\n${value ?? ""}`, source) !== null) return false;
  return (!denies(line) || denies(offer)) && shareIn(line, source) >= offeredShareMin;
}

/** A question with the option that was taken. */
function askedWith(quote: string, asked: readonly Asked[]): string | null {
  const one = asked.find(({ answer }) => letters(answer) === letters(quote));
  if (one === undefined) return null;
  const taken = one.options.filter((option) => letters(option).startsWith(letters(quote)));
  return [one.question, ...taken].join("\n");
}

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/** `B. Retry`, `- **Option 2**: …`: an item of a list with its mark. */
const item =
  /^\s*(?:[-*•#]+\s*)?\**(?:option\s+)?(\p{Lu}|\p{Ll}|\d{1,2})\**\s*(?:[.):：]|[—–-]\s)/iu;
const itemCharsMax = 1_500;

/** The items of a list that "do c" and "2, please" name, where the quote says nothing else. */
function chosenFrom(quote: string, answer: string): string | null {
  const items = itemsOf(answer);
  const named = [...items.keys()].filter((mark) => markIn(quote, mark));
  if (named.length === 0) return null;
  const said = named.map((mark) => items.get(mark) ?? "").join("\n");
  const own = new Set(wordsIn(`${said} option ${named.join(" ")}`));
  return wordsIn(quote).every((word) => own.has(word)) ? said : null;
}

/** Not the article of "do a check", which words follow that the item lacks. */
const markIn = (quote: string, mark: string): boolean =>
  new RegExp(String.raw`(?<![\p{L}\p{N}'’])${mark}(?![\p{L}\p{N}'’])`, "iu").test(quote);

function itemsOf(answer: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let mark: string | null = null;
  for (const line of answer.split("\n")) {
    mark = item.exec(line)?.[1]?.toLowerCase() ?? mark;
    if (mark === null) continue;
    const text = `${found.get(mark) ?? ""}\n${line}`.trim();
    if (text.length <= itemCharsMax) found.set(mark, text);
  }
  return found;
}

/** Thanks and greetings answer no question. */
const onlyCourtesy = new RegExp(
  String.raw`^[^\p{L}]*(?:(?:many )?thanks?(?: you)?(?: so much| a lot| very much)?|thx|cheers|hi|hello|hey` +
    String.raw`|(?:good )?morning|wow|hmm?|ah|oh|well|danke(?: dir| schön)?|merci(?: beaucoup)?|(?:muchas )?gracias` +
    String.raw`|(?:muito )?obrigad[oa]|спасибо|谢谢(?:你|了)?|ありがとう(?:ございます)?)[^\p{L}]*$`,
  "iu",
);

/** An answer whose end asks, where the quote is a yes or has no other words than the answer. */
function askedIn(quote: string, answer: string): string | null {
  const end =
    answer
      .trimEnd()
      .split(/\n\s*\n/u)
      .at(-1) ?? "";
  if (!/[?？](?=[\s*_"'”’)\]]|$)/u.test(end) || isCommand(quote) || /[?？]/u.test(quote))
    return null;
  const known = new Set(wordsIn(answer));
  if (onlyCourtesy.test(quote)) return null;
  return isLead(quote) || wordsIn(quote).every((word) => known.has(word)) ? answer : null;
}

/**
 * Decides whether a quote that says less than its line takes what the agent had offered: an answer to its question, a
 * choice from its list, a yes to what it asked last. The line is the agent's then, and its taking the user's. Pure.
 */
import type { Answered } from "#domain";
import { denies, isCommand, isHarmful, isLead, orderIn } from "#language";
import { letters } from "./sentences.ts";
import { addedBy, clausesOf, shareIn, wordsIn } from "./words.ts";

export interface Offering {
  readonly line: string;
  readonly value: string | null;
  /** The agent's last words. */
  readonly answerBefore: string | null;
  readonly asked?: readonly Answered[];
  /** A decision: only it may be what a yes takes. */
  readonly isDecision?: boolean;
}

/** Share of the line's words that stand in the offer. */
const offeredShareMin = 0.6;

/** Takes the quote an offer that says all that the line says, and orders nothing for good? */
export function takesOffer(quote: string, offering: Offering): boolean {
  const { line, value, answerBefore, asked = [], isDecision } = offering;
  if (denies(quote) || isHarmful(line) || orderIn(line) !== null) return false;
  const answered = asked.find(({ answer }) => letters(answer) === letters(quote));
  if (answered !== undefined) {
    const [taken, refused] = choiceOf(quote, answered);
    const told = withoutRefused(line, [answered.question, ...refused].join("\n"));
    return holds([answered.question, ...taken, quote].join("\n"), told, value);
  }
  if (answerBefore === null) return false;
  const chosen = chosenFrom(quote, answerBefore);
  if (chosen !== null) return holds(`${chosen}\n${quote}`, line, value);
  return (
    isDecision === true &&
    !isCommand(line) &&
    isTaken(quote, answerBefore) &&
    holds(`${answerBefore}\n${quote}`, line, value)
  );
}

/** Has an offer the names of a line, its denial and most of its words? */
const holds = (offer: string, line: string, value: string | null): boolean =>
  addedBy(`${line}\n${value ?? ""}`, offer) === null &&
  (!denies(line) || denies(offer)) &&
  shareIn(line, offer) >= offeredShareMin;

/** The options of a question that an answer takes, by their number or their words, and the others. */
function choiceOf(quote: string, { options }: Answered): [readonly string[], readonly string[]] {
  const nth = /^\d$/u.test(quote.trim()) ? options[Number(quote) - 1] : undefined;
  const isTaken = (option: string): boolean =>
    nth === undefined ? letters(option).startsWith(letters(quote)) : option === nth;
  return [options.filter(isTaken), options.filter((option) => !isTaken(option))];
}

/** The line without denials in words of the options that were not taken, in any form: "a cask, not a formula". */
function withoutRefused(line: string, refused: string): string {
  const beginnings = new Set(wordsIn(refused).map(beginningOf));
  const isRefused = (words: readonly string[]): boolean =>
    words.length > 0 && words.every((word) => beginnings.has(beginningOf(word)));
  return clausesOf(line)
    .filter((clause) => !denies(clause) || !isRefused(wordsIn(clause)))
    .join(", ");
}
const beginningOf = (word: string): string => word.slice(0, 4);

/** `B. Retry`, `- **Option 2**: …`, `| 2 | Retry |`: the head of an item of a list, with its mark. */
const item = String.raw`^\s*(?:[-*•#|]+\s*)?\**(?:option\s+)?(?<mark>\p{L}|\d{1,2})\**\s*(?:[.):：|]|[—–-]\s)`;

/** The items of a list that "do c" and "2, please" name, where the quote says nothing else. */
function chosenFrom(quote: string, answer: string): string | null {
  const items = answer.split(new RegExp(`(?=${item.replace("?<mark>", "?:")})`, "imu"));
  const said = items.flatMap((text) => {
    const mark = new RegExp(item, "iu").exec(text)?.groups?.["mark"] ?? "";
    return mark !== "" && isNamed(quote, mark) ? [`${mark} ${text}`] : [];
  });
  const own = new Set(wordsIn(`${said.join("\n")} option options`));
  const others = wordsIn(quote).filter((word) => !own.has(word));
  // "Let's implement option 2": what is called an option is one.
  const isOption = /(?<!\p{L})options? (?:\d|\p{L}(?!\p{L}))/iu.test(quote);
  return said.length === 0 || others.length > (isOption ? 1 : 0) ? null : said.join("\n");
}

const isNamed = (quote: string, mark: string): boolean =>
  new RegExp(String.raw`(?<![\p{L}\p{N}'’])${mark}(?![\p{L}\p{N}'’])`, "iu").test(quote);

/** Thanks and greetings answer no question. */
const onlyCourtesy = new RegExp(
  String.raw`^[^\p{L}]*(?:(?:many )?thanks?(?: you)?(?: so much| a lot| very much)?|thx|cheers|hi|hello|hey` +
    String.raw`|(?:good )?morning|wow|hmm?|ah|oh|well|danke(?: dir| schön)?|merci(?: beaucoup)?|(?:muchas )?gracias` +
    String.raw`|(?:muito )?obrigad[oa]|спасибо|谢谢(?:你|了)?|ありがとう(?:ございます)?)[^\p{L}]*$`,
  "iu",
);

/** True for a yes, or words of the answer alone, to an answer whose end asks. */
function isTaken(quote: string, answer: string): boolean {
  const end =
    answer
      .trimEnd()
      .split(/\n\s*\n/u)
      .at(-1) ?? "";
  const isAsked = /[?？](?=[\s*_"'”’)\]]|$)/u.test(end);
  if (!isAsked || isCommand(quote) || /[?？]/u.test(quote) || onlyCourtesy.test(quote))
    return false;
  const known = new Set(wordsIn(answer));
  return isLead(quote) || wordsIn(quote).every((word) => known.has(word));
}

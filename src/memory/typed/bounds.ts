/** Reads from a quote where and until when its line holds. Pure. */
import {
  besideEverywhere,
  denies,
  hardSplit,
  isCommand,
  orderIn,
  saidEndOf,
  timeWindowOf,
} from "#language";
import { clausesOf, withoutCitations, wordsIn } from "./words.ts";

/** Says the quote that the line holds everywhere? "There are TODOs everywhere, use tabs" does not say it of the tabs. */
export function saysEverywhere(quote: string, line: string): boolean {
  const said = new Set(wordsIn(line));
  return clausesOf(withoutCitations(quote)).some((clause) => {
    const beside = besideEverywhere(clause);
    if (beside === null) return false;
    const words = wordsIn(beside);
    return words.length === 0 || words.some((word) => said.has(word));
  });
}

/** Pronouns and verbs of the first person alone, in eight languages. */
const ofMyself =
  /(?<!\p{L})(?:i|i'?m|my|me|ich|mir|mich|meine?[mnrs]?|je|j'|mon|ma|mes|moi|yo|soy|mi|mis|eu|sou|meus?|minhas?|я|мне|меня|мой|моя|мои)(?!\p{L})|我(?!们)|私(?!たち)|僕|俺/iu;
const theUser =
  /^(?:the user|(?:der|die) nutzer(?:in)?|l'utilisat(?:eur|rice)|(?:el|la) usuari[oa]|[oa] usuári[oa]|пользователь)(?!\p{L})|^(?:用户|ユーザー)/iu;

const isUser = (subject: string): boolean =>
  /^(?:(?:the )?user(?:['’]s\s.+)?|me)$/iu.test(subject.trim());

/** Do line, or its subject, and quote tell who the user is, and order nothing? That holds wherever they work. */
export const tellsOfUser = (quote: string, line: string, subject = ""): boolean =>
  ofMyself.test(withoutCitations(quote).replaceAll("’", "'")) &&
  (theUser.test(line.trim().replaceAll("’", "'")) || (isUser(subject) && !isCommand(line)));

/** Names the quote a time, from which an agent may have reckoned the end? */
export const saysTime = (quote: string, nowMs: number): boolean =>
  /\p{N}/u.test(quote) || saidEndOf(quote, nowMs) !== null || timeWindowOf(quote, nowMs) !== null;

/** Forbids the quote something, or orders it for good? Other orders may be of the moment. */
export const ordersForGood = (quote: string): boolean =>
  denies(quote) || hardSplit(quote).some((sentence) => orderIn(sentence) !== null);

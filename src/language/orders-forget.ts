/** Orders to forget in eight languages: what a typed sentence says that it is to be forgotten. Pure. */
import { allListsOf, filled } from "./lists.ts";
import text from "./lists/forget.txt" with { type: "text" };

const lists = allListsOf(text);
const patterns = (name: string): readonly RegExp[] =>
  (lists.get(name) ?? []).map((pattern) => new RegExp(filled(filled(pattern, lists), lists), "iu"));
const orders = patterns("order");
const requests = patterns("request");
const denials = patterns("kept");
const pointers = patterns("pointer");
const whatISaid = patterns("what i said");

const isRequest = (said: string): boolean => requests.some((one) => one.test(said));
const isKept = (said: string): boolean => denials.some((one) => one.test(said));
const isPointer = (said: string): boolean => pointers.some((one) => one.test(said));

export interface Forgetting {
  /** The words to be forgotten, up to the end of its clause. */
  readonly words: string;
  /** True for what is called words or a rule: "forget the tests" may mean to leave them out. */
  readonly isOfWords: boolean;
  /** True for all that the user said about it: in the running session, or ever. */
  readonly isJustSaid: boolean;
  readonly isSaid: boolean;
}

const clauseEnd = /[,;:，；：]|\s[—–-]{1,2}\s|\s(?:and|but|und|aber|et|mais|y|pero|e|mas|и|но)\s/u;

/**
 * Reads an order to forget; null when the sentence orders nothing of the kind, or only points. `typed`: the sentence
 * with the words that `sentence` masks as reported, as "I just said" reports; as long.
 */
export function forgottenIn(sentence: string, typed = sentence): Forgetting | null {
  const said = sentence.replaceAll("’", "'").trim();
  if (isKept(said) || (/[?？]\s*$/u.test(said) && !isRequest(said))) return null;
  const order = orders.map((shape) => shape.exec(said)?.groups).find((groups) => groups);
  return order === undefined ? null : meantBy(order, said, typed.replaceAll("’", "'").trim());
}

function meantBy(
  { talk = "", rest = "" }: Readonly<Record<string, string>>,
  said: string,
  typed: string,
): Forgetting | null {
  // The Japanese order stands behind its words.
  const length = said.startsWith(rest) ? rest.length : -rest.length - talk.length;
  const told = whatISaidIn(length > 0 ? typed.slice(0, length) : typed.slice(length));
  const meant = told ?? { about: withoutMark(rest).split(clauseEnd)[0] ?? "", isJust: false };
  if (meant.about === "" || isKept(rest) || isPointer(meant.about)) return null;
  return {
    words: meant.about,
    isOfWords: told !== null || talk !== "",
    isJustSaid: meant.isJust,
    isSaid: told !== null,
  };
}

const withoutMark = (text: string): string => text.replace(/[.!。！?？]+$/u, "").trim();

/** Subject of what the user has said, up to the end of its clause; null for other words. */
function whatISaidIn(said: string): { readonly about: string; readonly isJust: boolean } | null {
  const rest = withoutMark(said);
  const [words = ""] = rest.split(clauseEnd);
  const groups = [words, rest]
    .flatMap((text) => whatISaid.map((shape) => shape.exec(text)?.groups))
    .find((found) => found !== undefined);
  const about = groups?.["about"]?.split(clauseEnd)[0];
  return about === undefined ? null : { about, isJust: groups?.["just"] !== undefined };
}

/** Shows a memory in its agent's wording: what of it fits a line, and by which name it is listed. Pure. */
import { type NodeOutline, storedLimits, type Origin } from "#domain";
import { cutAtWord, cutToTokens, tokensOf } from "#kit";
import { worded, wording } from "../exchange/worded.ts";
import { neutralise } from "./neutral.ts";

/** Room that the user's words always have, and what the marks around them take. */
const quoteTokensMin = 20;
const markTokens = 8;

/** Cuts a memory to one line's length, of a worded one both parts. */
export function cutLine(text: string): string {
  const { l0TokensMax } = storedLimits;
  const { line, quote } = wording.exec(text)?.groups ?? {};
  if (line === undefined || quote === undefined || tokensOf(text) <= l0TokensMax)
    return cutToTokens(text, l0TokensMax);
  const room = l0TokensMax - markTokens;
  const said = cutToTokens(line, Math.max(room - tokensOf(quote), room - quoteTokensMin));
  return worded(said, cutToTokens(quote, room - tokensOf(said)));
}

/** Is it in the user's own words? Only those stand as a statement of theirs. */
export const isOwnWords = ({
  origin,
  l0,
}: {
  readonly origin: Origin | null;
  readonly l0: string;
}): boolean => origin === "user" && !wording.test(l0);

// Names a memory in a list of names: its slot, without the value.

/** Words of an address that name a rule without a slot. */
const addressWordsMax = 4;
/** Beginning of the line that names anything else without a slot: an address says too little of it. */
const beginningCharsMax = 44;

/** `demo account · name`, or the line's beginning, quoted unless the user said it; of a rule, words of its address. */
export function slotNameOf({ category, l0, origin, slot, uri }: NodeOutline): SlotName {
  const [subject = "", attribute = ""] = (slot ?? "").split(" · ");
  if (subject !== "")
    return {
      subject: neutralise(subject),
      attribute: isBeginning(attribute, l0) ? "" : neutralise(attribute),
    };
  if (category === "preferences" || category === "patterns")
    return { subject: neutralise(leafWords(uri)), attribute: "" };
  const beginning = cutAtWord(neutralise(l0).replaceAll('"', ""), beginningCharsMax);
  return {
    subject: isOwnWords({ origin, l0 }) ? beginning.replace(/[.!。！]$/u, "") : `"${beginning}"`,
    attribute: "",
  };
}

/** An attribute that nobody gave is how the line begins: it tells no more than the subject. */
const isBeginning = (attribute: string, l0: string): boolean =>
  attribute.length > beginningCharsMin &&
  [l0, l0.slice(l0.indexOf(": ") + 2)].some((line) => letters(line).startsWith(letters(attribute)));

const beginningCharsMin = 30;

const letters = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");

const leafWords = (uri: string): string =>
  decodeURIComponent(uri.split("/").at(-1) ?? "")
    .split("-")
    .slice(0, addressWordsMax)
    .join(" ");

export interface SlotName {
  readonly subject: string;
  /** Empty where the memory has no slot. */
  readonly attribute: string;
}

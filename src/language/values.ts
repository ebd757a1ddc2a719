/**
 * Numbers and identifiers of a sentence: they decide whether two statements can say the same thing, and whether a
 * sentence is concrete enough to be a fact. Pure; every pattern is bounded, so that reading is linear in the text.
 */
import { memoised } from "#kit";

/** Numbers of a text; times and versions count as one number. */
export const numbersIn = (text: string): ReadonlySet<string> =>
  new Set(text.match(/\p{N}+(?:[.:]\p{N}+)*/gu) ?? []);

/**
 * Names in code, addresses, paths, channels and handles: `payout_lock_wait_ms`, `#fin-recon`, `s3://x`, `@orbit/kit`.
 */
const identifierPattern = new RegExp(
  [
    /[a-z][a-z0-9+.-]{1,9}:\/\/[^\s)>\]"'`,]{1,200}/u,
    /[#@][\p{L}\p{N}][\p{L}\p{N}_/.-]{0,80}/u,
    /[\p{L}\p{N}_.$][\p{L}\p{N}_$./@+-]{1,80}/u,
  ]
    .map(({ source }) => source)
    .join("|"),
  "giu",
);

/** Everyday words that only look like identifiers. */
const everydayCompound = new RegExp(
  String.raw`^(?:e\.g|i\.e|etc|and/or|his/her|he/she|a\.m|p\.m|vs|n/a|w/o|read/write|day/month|yes/no|on/off|24/7)\.?$`,
  "i",
);

/** Identifiers of a text, lower case, in order, without duplicates. */
export const identifiersOf = memoised((text: string): readonly string[] => {
  const found = new Set<string>();
  for (const [raw] of text.matchAll(identifierPattern)) {
    const token = raw.replace(/[.,:;/+-]+$/, "");
    if (isIdentifier(token)) found.add(token.toLowerCase());
  }
  return [...found];
});

/** True for a token that people would put into backticks. */
function isIdentifier(token: string): boolean {
  if (token.length < 2 || everydayCompound.test(token)) return false;
  if (/:\/\//.test(token) || /^[#@]\p{L}/u.test(token)) return true;
  if (/^[\d.,:/%+-]+$/.test(token)) return false;
  if (/^\d+(?:ms|s|m|h|d|x|k|am|pm|[kmgt]i?b|%|st|nd|rd|th)$/i.test(token)) return false;
  return (
    /^\p{Ll}{2}-\p{Lu}{2}$/u.test(token) ||
    /\p{L}_|_\p{L}|\p{L}\d|\d\p{L}/u.test(token) ||
    /\p{Ll}\p{Lu}/u.test(token) ||
    /\p{L}[./]\p{L}/u.test(token) ||
    /[\p{L}\p{N}]-[\p{L}\p{N}]{1,30}-|[\p{L}]-\d/u.test(token)
  );
}

/**
 * Addresses of the memory tree: URIs, and slugs, the short, readable names of leaves.
 *
 * Pure. Must not know categories or projects.
 */
import { sha256, stripInvisible } from "#kit";
import { isNothingInSlug } from "#language";
import { type Category, categoryRules, treeRoot } from "#domain";
import { limits } from "../limits.ts";

// URIs of the memory tree: one spelling per place, and no spelling that leads out of the tree. Pure. Must not know
// which nodes exist.

/**
 * The one spelling of a URI: lower case `[a-z0-9._-]` segments, `.` and empty segments dropped, percent encodings and
 * backslashes undone first. `mem://` may be left out; `mem://` alone is the root. Idempotent. Null for another scheme,
 * for a `..` however it was spelled, and for what is too deep or too long.
 */
export function canonicalUri(text: string): string | null {
  const plain = foldLetters(decoded(text)).trim();
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//.exec(plain)?.[1];
  if (scheme !== undefined && scheme !== "mem") return null;
  const path = scheme === undefined ? plain : plain.slice(treeRoot.length);
  const parts = path.split(/[/\\]/).map((part) => part.trim());
  if (parts.includes("..")) return null;
  const segments = parts
    .filter((part) => part !== "" && part !== ".")
    .flatMap((part) => segmentOf(part) ?? []);
  const uri = `${treeRoot}${segments.join("/")}`;
  const isWithin = segments.length <= limits.uriSegmentsMax && uri.length <= limits.uriCharsMax;
  return isWithin ? uri : null;
}

/** A place in a session's archive; `n` counts from 1. */
export type ArchivePlace =
  | { readonly sessionId: string; readonly part: "summary" }
  | {
      readonly sessionId: string;
      readonly part: "exchanges" | "observations" | "sentences";
      readonly n: number;
    };

/** Session ids are UUIDs; anything longer is not one. */
const sessionIdCharsMax = 100;

/** `mem://sessions/<id>/exchanges/<n>`, `/observations/<n>`, `/sentences/<n>` or `/summary`. */
export function archiveUri(place: ArchivePlace): string {
  const id = segmentOf(place.sessionId.replaceAll(/[/\\]/g, "-"));
  const session = `${categoryRules.sessions.root}/${id?.slice(0, sessionIdCharsMax) ?? "unknown"}`;
  return place.part === "summary" ? `${session}/summary` : `${session}/${place.part}/${place.n}`;
}

/** Percent encodings undone, also nested ones up to a bound; what still has a `%` then is only text. */
function decoded(text: string): string {
  let plain = text;
  for (let round = 0; round < limits.uriDecodeRoundsMax; round += 1) {
    const next = decodedOnce(plain);
    if (next === plain) break;
    plain = next;
  }
  return plain;
}

/** Byte runs that are no UTF-8 (`%ff`) stay as they are: decodeURIComponent is the only thing here that throws. */
const decodedOnce = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });

/**
 * A slug of three to six content words where the text has them, at most `slugCharsMax` characters, never empty.
 * Dates are left out: a dated leaf carries its own, and a slug must not go stale.
 */
export function slugOf(text: string): string {
  const words = wordsOf(
    stripInvisible(text).replace(/\b\d{4}-\d{2}-\d{2}(?:t[\d:.]+z?)?\b/gi, " "),
  );
  const content = words.filter((word) => !isNothingInSlug(word));
  const chosen = (content.length > 0 ? content : words).slice(0, limits.slugWordsMax);
  const slug = fitted(chosen.flatMap((word) => segmentOf(word) ?? []));
  return slug === "" ? `u-${sha256(text.trim().toLowerCase(), 8)}` : slug;
}

/** Words of prose and identifiers; possessives off, sentence punctuation off. */
const wordsOf = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}._'’+#-]*/gu) ?? [])
    .map((word) => word.replace(/['’]s$/u, "").replace(/[._'’-]+$/u, ""))
    .filter((word) => word !== "");

/** As many whole words as fit; a single word that is too long is cut. */
function fitted(words: readonly string[]): string {
  let slug = "";
  for (const word of words) {
    const next = slug === "" ? word : `${slug}-${word}`;
    if (next.length > limits.slugCharsMax) break;
    slug = next;
  }
  return slug === "" ? trimmedCut(words[0] ?? "", limits.slugCharsMax) : slug;
}

/** Cut to length without a dangling separator. */
const trimmedCut = (text: string, charsMax: number): string =>
  text.slice(0, charsMax).replace(/[-.]+$/, "");

// Folding of Unicode text to the ASCII of a URI segment. Pure. Knows letters, not memories.

/** Letters that NFKD leaves whole. Lower case only: text is lowered first. */
const transliterations: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ħ: "h",
  ı: "i",
  ĸ: "k",
  ŋ: "ng",
  ŧ: "t",
  ƒ: "f",
  ə: "e",
  "№": "no",
  "€": "eur",
  "£": "gbp",
};

/** Hex digits of the hash that stands for letters we cannot spell: 32 bits are plenty among siblings. */
const hashChars = 8;

/**
 * Lower case, compatibility-decomposed, accents off, common letters spelled out. What has no ASCII form stays.
 * Path separators and dots may appear here (fullwidth forms decompose to them), so call it before splitting a path.
 */
export function foldLetters(text: string): string {
  const lowered = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
  // Lowering may decompose once more (İ), hence the second removal of marks.
  return lowered
    .replace(/\p{M}+/gu, "")
    .replace(/\P{ASCII}/gu, (char) => transliterations[char] ?? char);
}

/**
 * One URI segment `[a-z0-9._-]` from folded text. Runs of anything else become one hyphen. Where most letters have
 * no ASCII form, a short hash of the whole keeps two such names apart; null when there is no letter or digit at all.
 */
function segmentOf(text: string): string | null {
  const folded = foldLetters(text);
  const lost =
    folded.match(/[^\p{ASCII}]/gu)?.filter((char) => /[\p{L}\p{N}]/u.test(char)).length ?? 0;
  const ascii = tidy(folded.replace(/[^a-z0-9._-]+/g, "-"));
  const kept = ascii.match(/[a-z0-9]/g)?.length ?? 0;
  if (kept === 0 && lost === 0) return null;
  if (kept >= lost) return ascii;
  const hash = sha256(folded, hashChars);
  return kept === 0 ? `u-${hash}` : `${ascii}-${hash}`;
}

/** No doubled or outer hyphens; a leading dot is kept (`.eslintrc` is a name). */
const tidy = (segment: string): string =>
  segment
    .replace(/-{2,}/g, "-")
    .replace(/\.{2,}/g, ".")
    .replace(/^[-]+|[-.]+$/g, "");

// Finds the place of a new memory in the tree. Pure: which URIs are taken is asked through a function.

export interface LeafPlace {
  readonly category: Category;
  /** Project key; null = everywhere. */
  readonly project: string | null;
  /** Name of the project for people; tells two projects' leaves of one slug apart. */
  readonly projectName: string | null;
  /** From `slugOf` or a model's hint; made canonical here. */
  readonly slug: string;
  /** `YYYY-MM-DD` of what happened; used by dated categories only. */
  readonly date?: string | null;
}

/** The URI of a new memory: its slug; where that is taken `<slug>-<project>`, and then `-2`, `-3`, …. */
export function freshLeafUri(place: LeafPlace, taken: (uri: string) => unknown): string {
  const isFree = (uri: string): boolean => taken(uri) === null;
  const base = `${categoryRules[place.category].root}/${datedSlug(place)}`;
  if (isFree(base)) return base;
  const suffix =
    place.projectName === null ? null : segmentOf(place.projectName.replaceAll(/[/\\]/g, "-"));
  const named = suffix === null ? base : `${base}-${trimmedCut(suffix, limits.slugCharsMax)}`;
  if (named !== base && isFree(named)) return named;
  for (let n = 2; n <= limits.uriCollisionsMax; n += 1) {
    const numbered = `${named}-${n}`;
    if (isFree(numbered)) return numbered;
  }
  // A hundred memories of one name in one project: the name has stopped helping, so identity takes over.
  return `${base}-${sha256(`${place.project ?? ""}\n${place.slug}`, 12)}`;
}

function datedSlug(place: LeafPlace): string {
  const flat = segmentOf(place.slug.replaceAll(/[/\\]/g, "-"));
  const slug = flat === null ? slugOf(place.slug) : trimmedCut(flat, limits.slugCharsMax);
  const isDated =
    categoryRules[place.category].dated && /^\d{4}-\d{2}-\d{2}$/.test(place.date ?? "");
  return !isDated || slug.startsWith(`${place.date}`) ? slug : `${place.date}-${slug}`;
}

// Names the topic of a memory, so that two memories of one thing are known to be rivals. Pure.

/** Between subject and attribute; neither contains it. */
const joint = " · ";
const partCharsMax = 60;

/**
 * `prod database · engine`: lower case, white space and punctuation folded. Null when a part says nothing. A subject
 * with one value needs no attribute (null): `build retention`.
 */
export function slotOf(subject: string, attribute: string | null): string | null {
  const parts = (attribute === null ? [subject] : [subject, attribute]).map(folded);
  return parts.includes("") ? null : parts.join(joint);
}

/** The subject that a slot names. */
export const subjectIn = (slot: string | null): string | null =>
  slot === null ? null : (slot.split(joint)[0] ?? null);

/** The attribute that a slot names; null where it names a subject alone. */
export const attributeIn = (slot: string | null): string | null =>
  slot === null ? null : (slot.split(joint)[1] ?? null);

/**
 * A slot as its memory's text spells it: `.harbour/PLAN.md · owner` for `harbour/plan.md · owner`. Comparing folds,
 * people and models read what was given.
 */
export const spelledSlot = (slot: string, text: string): string =>
  slot
    .replace(/(?<=\p{L}) s(?= |$)/gu, "'s")
    .replace(/[^\s·]+/gu, (word) => spellingIn(text, word) ?? word);

/** Names alone: a word that only begins its sentence is no other word. */
function spellingIn(text: string, word: string): string | null {
  if (word.length < 2) return null;
  const named = String.raw`(?<![\p{L}\p{N}_])(?:(?:~|\.{1,2})?/|[.@~])?(?<![\p{L}\p{N}_])${RegExp.escape(word)}`;
  const found = new RegExp(String.raw`${named}(?![\p{L}\p{N}_])`, "iu").exec(text)?.[0];
  return found === undefined || /^\p{Lu}\p{Ll}*$/u.test(found) ? null : found;
}

/** Marks inside names (`orders-v2`, `src/a.ts`, `c++`) tell things apart and stay. */
const folded = (part: string): string =>
  part
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}._/+#@-]+/gu, " ")
    .replace(/(?<![\p{L}\p{N}+#])[._/+#@-]+|[._/@-]+(?![\p{L}\p{N}])/gu, " ")
    .replace(/\s+/gu, " ")
    .trim()
    .slice(0, partCharsMax)
    .trim();

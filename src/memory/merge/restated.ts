/**
 * The same subject said to be, live or come from something else: "secrets come from vault" after "secrets come from
 * doppler". Without a word of change only places and made-up names count, since a thing has many properties but one
 * place of a kind. Pure.
 */
import {
  contentWords,
  identifiersOf,
  jaccard,
  sharedCount,
  toolFamily,
  valuesOf,
  wordsOf,
} from "../language/index.ts";
import { clausesOf } from "./statement.ts";

interface Frame {
  /** Canonical content words of the subject, sorted. */
  readonly subject: string;
  /** Preposition after the verb; empty for "is". */
  readonly link: string;
  readonly object: string;
}

const frame =
  /^(?:(?:now|so|and|but|then|today|for now),? )?((?:[\p{L}\p{N}_/@.-]+ ){0,5}?[\p{L}\p{N}_/@.-]+) (?:is|are|was|were|comes?|lives?|goes|go|runs?|sits?|gets?|stays?|works?|uses?|use|serves?|built|moved)(?: now| only| all| always| currently| still)?(?: (?:kept|stored|built|served|hosted|managed|written|rendered|sent|deployed|run|done|made|handled|checked|formatted|compressed|tested|published|generated|scheduled|read|validated|rotated|reviewed|collected))?(?: (?:up|out|over))?(?: (in|at|from|with|via|through|against|to|by|on))? (?!(?:not|too|so|very|also|been|being)\b)(\S.{0,80})$/iu;

/** "use pino for logs": what serves a purpose. */
const useFor =
  /^(?:(?:please|pls|always|only|just|we|so) )*(?:use|uses|using|go with) (\S+(?: \S+)?) (?:for|as) (\S.{1,60})$/i;

/** Why the newer statement takes the older one's place; null when it does not. */
export function restated(
  newer: string,
  older: string,
  isChange: boolean,
): { readonly reason: string; readonly strength: number } | null {
  if (/\b(?:also|too|as well|both|in addition|another|either)\b/i.test(newer)) return null;
  const known = framesOf(older);
  for (const one of framesOf(newer))
    for (const other of known)
      if (one.subject === other.subject && isOther(one, other, isChange))
        return { reason: `${one.subject} is something else now`, strength: 0.65 };
  return null;
}

const framesOf = (text: string): readonly Frame[] =>
  clausesOf(text).flatMap((clause) => {
    const [, chosen = "", purpose = ""] = useFor.exec(clause) ?? [];
    const use = [...new Set(contentWords(purpose))].sort().join(" ");
    if (use !== "") return [{ subject: use, link: "use", object: chosen }];
    const [, subject = "", link = "", object = ""] = frame.exec(clause) ?? [];
    const key = [...new Set(contentWords(subject))].sort().join(" ");
    return key === "" || /^(?:it|they|that|this|we|i|you|he|she|there)\b/i.test(subject)
      ? []
      : [{ subject: key, link: link.toLowerCase(), object }];
  });

/** Both objects name something, and not the same. */
function isOther(one: Frame, other: Frame, isChange: boolean): boolean {
  const a = new Set(contentWords(one.object));
  const b = new Set(contentWords(other.object));
  if (a.size === 0 || b.size === 0) return false;
  if (sharedCount(a, b) > 0 && jaccard(a, b) > sharedObjectMax) return false;
  if (differsInTime(one.object, other.object)) return false;
  if (deedOf(one.object) !== deedOf(other.object)) return false;
  if (isChange) return isNaming(one.object) === isNaming(other.object) || one.link === other.link;
  if (one.link !== other.link) return false;
  return exclusive.has(one.link) || (isNaming(one.object) && isNaming(other.object));
}

/** "notified by email" and "identified by uuid" are done to a thing independently. */
const deedOf = (object: string): string => /^\p{L}+(?:ed|en|pt|lt|nt)\b/iu.exec(object)?.[0] ?? "";

/** Objects that share more than this say the same at greater length. */
const sharedObjectMax = 0.34;

/** A thing comes from, lives at or is rendered with one other thing; "in" and "on" say too many things. */
const exclusive = new Set(["use", "at", "from", "through", "via", "against"]);

/** A value on one side only is about when or how much: another attribute. */
const differsInTime = (a: string, b: string): boolean =>
  valuesOf(a).length > 0 !== valuesOf(b).length > 0;

/** Starts with a tool, an identifier or a version: a name rather than a property. */
const isNaming = (object: string): boolean => {
  const [first = ""] = wordsOf(object);
  const [raw = ""] = object.split(" ");
  return (
    toolFamily(first) !== null ||
    identifiersOf(raw).length > 0 ||
    /[\p{L}][:@.-]\d|\d[.-]\p{L}/u.test(raw)
  );
};

/**
 * Tells from the words of two statements whether the newer one says that the value of the older one has changed. Pure.
 */
import {
  type Change,
  changeIn,
  deniedValuesIn,
  denies,
  stopWords,
  tellsChange,
  withoutDenied,
} from "#language";
import { hasUnspaced } from "#kit";
import { clausesOf } from "../typed/assent.ts";
import { wordsAsWritten } from "./statement.ts";

const valueWordsMax = 3;
/** Shorter words are articles, pronouns and the like. */
const anchorCharsMin = 4;

/** Two statements of the same words but for those at one place. */
interface Difference {
  readonly before: readonly string[];
  readonly old: readonly string[];
  readonly mine: readonly string[];
  readonly behind: readonly string[];
}

/**
 * True when `newer` tells a move from the value of `older` to another; when a clause of `newer` is `older` with another
 * value, and `newer` speaks of the old value in other words too
 * ("…, pelican is gone", "instead of pelican"), or says by a cue that it changed and both values are of one kind; or
 * when it denies `older` word for word: "it no longer runs in Frankfurt".
 */
export function changesValueOf(newer: string, older: string): boolean {
  if (denies(older)) return false;
  if (leavesValue(newer, older)) return true;
  if (hasUnspaced(older)) return false;
  const clauses = clausesOf(newer);
  const ours = wordsAsWritten(older);
  if (clauses.some((clause) => holdsRun(wordsAsWritten(clause), ours) && !denies(clause)))
    return false;
  if (tellsChange(newer) && isDenied(newer, clauses, ours)) return true;
  // "Plus" denies in French and joins in English.
  const denied = clauses.flatMap((clause) =>
    denies(clause) || tellsChange(clause) ? deniedValuesIn(clause) : [],
  );
  // "From now on use node 24" begins as the older one does.
  const isCued = (clause: string): boolean => tellsChange(clause) && !tellsChange(older);
  return clauses.some((clause, at) => {
    if (isCued(clause) && isMoved(clause, ours)) return true;
    const others = clauses.filter((_, other) => other !== at);
    const spoken = { others, denied };
    return withoutCue(withoutDenied(clause))
      .flatMap((said) => differenceOf(wordsAsWritten(said), ours) ?? [])
      .some(
        (found) =>
          isNamed(found.old, spoken) || (isCued(clause) && isAtEnd(found) && isOneKind(found)),
      );
  });
}

/** Words between a subject and its value: "listens on port". */
const verbWordsMax = 3;
const verbCharsMax = 30;

/** "The port moved from 5432 to 6432": both begin with one subject, and the older one holds the value left behind. */
function leavesValue(newer: string, older: string): boolean {
  const change = changeIn(newer);
  if (change === null) return false;
  if (hasUnspaced(older)) return leavesUnspaced(change, older.normalize("NFKC"));
  const ours = wordsAsWritten(older);
  const before = wordsAsWritten(change.before);
  const head = sharedHead(before, ours);
  const rest = ours.slice(head);
  const at = runIn(rest, wordsAsWritten(change.from));
  const isSubject = isAnchor(ours.slice(0, head)) && before.length - head <= verbWordsMax;
  return isSubject && at >= 0 && at <= verbWordsMax && !holdsRun(rest, wordsAsWritten(change.to));
}

function leavesUnspaced({ before, from, to }: Change, older: string): boolean {
  const rest = older.slice(before.length);
  const at = rest.search(new RegExp(String.raw`(?<![\w.])${RegExp.escape(from)}(?!\w)`, "u"));
  return older.startsWith(before) && at >= 0 && at <= verbCharsMax && !rest.includes(to);
}

/** "Standup moved to 10:15" after "standup is at 9:30": nothing but a value of one kind stands behind the subject. */
function isMoved(clause: string, ours: readonly string[]): boolean {
  const mine = wordsAsWritten(clause);
  const head = sharedHead(mine, ours);
  if (head === ours.length || !isAnchor(ours.slice(0, head))) return false;
  const [old, ...more] = ours.slice(head).filter((word) => !stopWords.has(word));
  const value = mine.at(-1);
  if (old === undefined || value === undefined || more.length > 0) return false;
  const between = mine.slice(head, -1);
  return (
    !between.some((word) => /\p{N}/u.test(word)) &&
    tellsOfChangeAlone(between) &&
    old !== value &&
    /9/u.test(shapeOf([old])) &&
    isOneKind({ old: [old], mine: [value] })
  );
}

/** "Moved to", "is now": nothing of the subject, as in "on Fridays moved to", or of another that it does. */
const tellsOfChangeAlone = (between: readonly string[]): boolean =>
  between.every((_, at) => mayBeCue([...between, "1"], at));

/** In "now runs debian-12", "runs" is no cue: with another verb in its place the change is still told. */
const mayBeCue = (words: readonly string[], at: number): boolean =>
  stopWords.has(words[at] ?? "") || !tellsChange(words.with(at, "is").join(" "));

/**
 * A clause, and the same without one of the words that make it tell of a change: "the tenant is now corvid". Any word
 * may be the one, so that each is tried.
 */
function withoutCue(clause: string): readonly string[] {
  if (!tellsChange(clause)) return [clause];
  const words = clause.split(/\s+/u);
  return [
    clause,
    ...words
      .keys()
      .filter((at) => mayBeCue(words, at))
      .map((at) => words.filter((_, other) => other !== at).join(" "))
      .filter((rest) => !tellsChange(rest)),
  ];
}

const isAnchor = (words: readonly string[]): boolean =>
  words.some((word) => word.length >= anchorCharsMin && !stopWords.has(word));

function differenceOf(mine: readonly string[], ours: readonly string[]): Difference | null {
  const least = Math.min(mine.length, ours.length);
  const head = sharedHead(mine, ours);
  let tail = 0;
  while (head + tail < least && mine.at(-1 - tail) === ours.at(-1 - tail)) tail += 1;
  const found = {
    before: ours.slice(0, head),
    old: ours.slice(head, ours.length - tail),
    mine: mine.slice(head, mine.length - tail),
    behind: ours.slice(ours.length - tail),
  };
  const isValue =
    found.old.length > 0 && found.old.length <= valueWordsMax && !holdsSubject(found.old);
  const isOther =
    found.mine.length === found.old.length && !found.mine.some((word) => found.old.includes(word));
  return isValue && isAnchor([...found.before, ...found.behind]) && isOther ? found : null;
}

/** "Limit is 3" is a value and the end of its subject. */
const holdsSubject = (old: readonly string[]): boolean =>
  old.some((word, at) => at > 0 && stopWords.has(word) && !stopWords.has(old[0] ?? ""));

/** Joins a second thing to the first: "Firefox, Chrome and Safari". */
const joins = /(?<!\p{L})(?:and|or|plus|und|oder|sowie|et|ou|y|o|e|и|или)(?!\p{L})/iu;

/** Is the old value denied, or spoken of in a clause of its own? An item of a list says nothing of it. */
function isNamed(
  old: readonly string[],
  { others, denied }: { readonly others: readonly string[]; readonly denied: readonly string[] },
): boolean {
  const value = old.filter((word) => !stopWords.has(word));
  if (value.length === 0) return false;
  if (denied.some((one) => holdsRun(wordsAsWritten(one), value))) return true;
  return others.some((clause) => {
    const words = wordsAsWritten(clause);
    return words.length > value.length && holdsRun(words, value) && !joins.test(clause);
  });
}

const isAtEnd = ({ behind }: Difference): boolean => behind.length === 0;

/** "9:30" and "10:15", "/var/dumps" and "/srv/dumps": words in small letters may be of any kind. */
function isOneKind({ old, mine }: Pick<Difference, "mine" | "old">): boolean {
  const [one, other] = [shapeOf(old), shapeOf(mine)];
  return one === other && /[^a ]/u.test(one);
}

const shapeOf = (words: readonly string[]): string =>
  words
    .filter((word) => !stopWords.has(word))
    .join(" ")
    .replace(/\p{N}+/gu, "9")
    .replace(/\p{L}+/gu, "a");

/** Denies what the older one says of the subject that both begin with. */
function isDenied(newer: string, clauses: readonly string[], ours: readonly string[]): boolean {
  const mine = wordsAsWritten(newer);
  const head = sharedHead(mine, ours);
  const rest = ours.slice(head);
  if (rest.length < 2) return false;
  if (!ours.slice(0, head).some((word) => !stopWords.has(word))) return false;
  return clauses.some((clause) => {
    const words = wordsAsWritten(clause);
    const at = runIn(words, rest);
    return at > 0 && denies(words.slice(0, at).join(" "));
  });
}

/** Words with which both begin. */
function sharedHead(mine: readonly string[], ours: readonly string[]): number {
  const head = ours.findIndex((word, at) => word !== mine[at]);
  return head < 0 ? ours.length : head;
}

/** Index at which `part` stands in `words`; -1 where it does not. */
const runIn = (words: readonly string[], part: readonly string[]): number =>
  words.findIndex((_, at) => part.every((word, n) => words[at + n] === word));

const holdsRun = (words: readonly string[], part: readonly string[]): boolean =>
  part.length > 0 && runIn(words, part) >= 0;

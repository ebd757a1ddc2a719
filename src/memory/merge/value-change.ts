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
import { clausesOf } from "../typed/words.ts";
import { copulas, sharedEnds, wordsAsWritten } from "./statement.ts";

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
 * value, and `newer` speaks of the old value in other words too ("…, pelican is gone", "instead of pelican"), says by a
 * cue that it changed to another of one kind, or identifies the same subject anew; or when it denies `older`, or its
 * value, word for word: "it no longer runs in Frankfurt".
 */
export function changesValueOf(newer: string, older: string): boolean {
  if (denies(older)) return false;
  if (leavesValue(newer, older)) return true;
  if (hasUnspaced(older))
    return identifiesUnspaced(
      newer.normalize("NFKC").replace(begunUnspaced, ""),
      older.normalize("NFKC"),
    );
  const clauses = clausesOf(newer);
  const ours = wordsAsWritten(older);
  if (clauses.some((clause) => holdsRun(wordsAsWritten(clause), ours) && !denies(clause)))
    return false;
  if (tellsChange(newer) && isDenied(newer, clauses, ours)) return true;
  // "Plus" denies in French and joins in English.
  const denied = clauses.flatMap((clause) =>
    denies(clause) || tellsChange(clause) ? deniedValuesIn(clause) : [],
  );
  if (denied.some((one) => isDeniedEnd(wordsAsWritten(one), wordsAsWritten(newer), ours)))
    return true;
  // "From now on use node 24" begins as the older one does.
  const isCued = (clause: string): boolean =>
    (tellsChange(clause) && !tellsChange(older)) || (begun.test(clause) && !begun.test(older));
  return clauses.some((clause, at) => {
    if (isCued(clause) && (isMoved(clause, ours) || isMovedWhole(clause, ours))) return true;
    const others = clauses.filter((_, other) => other !== at);
    const spoken = { others, denied };
    // "The limit is 50, but for admins" is another limit.
    const mayIdentify = clauses.length === 1 && !indefinite.test(older);
    return withoutCue(withoutDenied(clause))
      .flatMap((said) => differenceOf(wordsAsWritten(said), ours) ?? [])
      .some(
        (found) =>
          isNamed(found.old, spoken) ||
          (isCued(clause) && (isAtEnd(found) || isQuantity(found)) && isOneKind(found)) ||
          (mayIdentify && identifiesAnew(found, isCued(clause) ? `${older} ${clause}` : null)),
      );
  });
}

/** Tells at the end of a clause when a value began to hold: "since the upgrade", "seit Montag". */
const begun = new RegExp(
  String.raw`\s(?:since|as of|seit|depuis|desde|from (?:now|today)|ab (?:jetzt|heute|sofort)) \S+(?: \S+){0,3}$` +
    String.raw`|\s(?:from today|ab (?:jetzt|heute|sofort)|a partir de (?:hoy|ahora|hoje|agora)` +
    String.raw`|à partir (?:d['’]aujourd['’]hui|de maintenant))$` +
    String.raw`|^(?:as of|from|desde|a partir de|à partir d[e'’] ?|с) ?(?:today|now|hoy|ahora|hoje|agora` +
    String.raw`|aujourd['’]hui|maintenant|сегодняшнего дня)(?: on)?[\s,:]+`,
  "iu",
);

const begunUnspaced = /^(?:从(?:今天|现在)(?:起|开始)|今天起|今日から|今から)[,，、]?\s*/u;

/** Says at its beginning that it speaks of one among several. */
const indefinite =
  /^(?:an?|one|another|some|every|each|eine?[mnrs]?|une?|um|uma|otr[oa]|outr[oa])(?!\p{L})/iu;

const pluralCopulas = new Set("are sind sont son são".split(" "));
const namingVerbs = new Set("heißt lautet llama chama appelle s'appelle называется".split(" "));

/**
 * "The retry limit is 5" after "the retry limit is 3": the same subject, a copula or a verb of naming, and another
 * value of the same kind. Names behind a copula may be what somebody is ("the API is GraphQL"), so that these need a cue;
 * `cued`: both statements as they are written, null without a cue.
 */
function identifiesAnew(found: Difference, cued: string | null): boolean {
  const verb = found.before.at(-1) ?? "";
  if (!isAnchor(found.before.slice(0, -1))) return false;
  if (namingVerbs.has(verb)) return isAtEnd(found);
  const isCalled = verb === "called" || verb === "named";
  if (!isCalled && !copulas.has(verb)) return false;
  const kind = sharedKind(found);
  if (kind !== null) return cued !== null || isOnly(verb, kind);
  return cued !== null && isAtEnd(found) && (isCalled || areNames(found, cued));
}

function sharedKind({ old, mine }: Difference): string | null {
  const kind = kindOf(old);
  return kind === kindOf(mine) ? kind : null;
}

/** True where a subject has one value: "the reviewers are bo@kelp.dev" may name one more of several. */
const isOnly = (verb: string, kind: string): boolean =>
  !pluralCopulas.has(verb) || kind === "number";

/** Text in front of the last word in Latin letters or digits, that word, and the text behind it. */
const valueAtEnd = /^(?<subject>.*?)\s*(?<value>[\w.:@/-]*\w)\s*(?<rest>[^\w]*)$/u;

/** 端口是 8081, 端口是 8092; "ポートは 7001 です", "ポートは 7050 に変わりました". */
function identifiesUnspaced(newer: string, older: string): boolean {
  const [mine, theirs] = [newer, older].map((text) => valueAtEnd.exec(text.trim())?.groups);
  if (mine === undefined || theirs === undefined || !isCopular(theirs)) return false;
  const [value = "", old = ""] = [mine["value"], theirs["value"]];
  const kind = kindOf([value]);
  return (
    kind !== null && kind === kindOf([old]) && value !== old && isOfSubject({ newer, mine, theirs })
  );
}

type Parts = Readonly<Record<string, string>>;

const isCopular = ({ subject = "", rest = "" }: Parts): boolean =>
  unspacedCopula.test(subject) &&
  /^\s?[\p{sc=Han}\p{sc=Katakana}]{0,3}(?:です|だ)?[。.]?$/u.test(rest);
const unspacedCopula = /(?<=..)(?:是|为|は|が)$/u;

interface Compared {
  readonly newer: string;
  readonly mine: Parts;
  readonly theirs: Parts;
}

function isOfSubject({ newer, mine, theirs }: Compared): boolean {
  const [subject = "", old = ""] = [mine["subject"], theirs["subject"]];
  if (subject === old) return mine["rest"] === theirs["rest"] || tellsChange(newer);
  const named = old.replace(unspacedCopula, "");
  const isOfOneUnit = unitOf(mine) === unitOf(theirs);
  const between = subject.slice(named.length);
  return isOfOneUnit && subject.startsWith(named) && tellsOfUnspacedChange(between, newer);
}

/** "秒" of "10 秒" and "30 秒了". */
const unitOf = ({ rest = "" }: Parts): string =>
  rest.replace(/(?:了|です|だ|に\p{sc=Han}.*)?[。.]?$/u, "").trim();

/** 改成, 现在是: nothing but the change between the subject and its value. */
const tellsOfUnspacedChange = (between: string, newer: string): boolean =>
  between.length <= unspacedCueMax && tellsChange(newer) && tellsChange(`${between}1`);
const unspacedCueMax = 5;

const areNames = ({ old, mine }: Difference, written: string): boolean =>
  [...old, ...mine].every((word) =>
    written.includes(word.replace(/^\p{L}/u, (one) => one.toUpperCase())),
  );

/** Kind of a value that tells itself: a number, a time, an address, a name with a digit; null for plain words. */
function kindOf([value = "", ...more]: readonly string[]): string | null {
  if (more.length > 0) return null;
  if (/^\p{N}{1,3}(?:\.\p{N}{1,3}){3}$/u.test(value)) return "host";
  if (/^v?\p{N}[\p{N}.,]*\p{L}{0,2}%?$/u.test(value)) return "number";
  if (/^\p{N}{1,2}:\p{N}{2}$/u.test(value)) return "time";
  if (/^\p{L}+:\/\/\S/u.test(value)) return "url";
  if (value.includes("@")) return "address";
  if (value.includes("/")) return "path";
  return /\p{N}/u.test(value) && /\p{L}/u.test(value) ? "code" : null;
}

/** "Needs 4 GB of memory": a number of something, and no label of its subject, as in "port 5432 is open". */
const isQuantity = ({ before, old, mine }: Difference): boolean =>
  stopWords.has(before.at(-1) ?? "") &&
  isAnchor(before.slice(0, -1)) &&
  kindOf(old) === "number" &&
  kindOf(mine) === "number";

/** "Exports are Parquet and no longer CSV": the value that is denied ends what was said of the same subject. */
function isDeniedEnd(
  value: readonly string[],
  mine: readonly string[],
  ours: readonly string[],
): boolean {
  const at = ours.length - value.length;
  const head = sharedHead(mine, ours);
  return (
    value.length > 0 &&
    holdsRun(ours.slice(at), value) &&
    head <= at &&
    isAnchor(ours.slice(0, head)) &&
    ours.slice(head, at).every((word) => stopWords.has(word) || copulas.has(word))
  );
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
  const to = wordsAsWritten(change.to);
  if (isSubject && at >= 0 && at <= verbWordsMax) return !holdsRun(rest, to);
  return speaksOf(wordsAsWritten(newer), ours, wordsAsWritten(change.from)) && !holdsRun(ours, to);
}

/** "We moved local dev from port 1 to 2" speaks of "local dev uses port 1": of all but the value and a verb. */
function speaksOf(
  mine: readonly string[],
  ours: readonly string[],
  value: readonly string[],
): boolean {
  const at = runIn(ours, value);
  if (at < 0) return false;
  const subject = ours.toSpliced(at, value.length).filter((word) => !stopWords.has(word));
  const missing = subject.filter((word) => !mine.includes(word));
  return missing.length <= 1 && missing.length < subject.length - 1 && isAnchor(subject);
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
  const rest = ours.slice(head).filter((word) => !stopWords.has(word));
  const [label, old] = [rest.at(-2), rest.at(-1)];
  const value = mine.at(-1);
  if (old === undefined || value === undefined || rest.length > verbWordsMax) return false;
  // "Listens on port 5432", "moved to port 6432".
  if (label !== undefined && label !== mine.at(-2)) return false;
  const between = mine.slice(head, label === undefined ? -1 : -2);
  return tellsOfChangeAlone(between) && isOtherNumber(old, value);
}

/** Passive voice in front of a move: "got moved to". */
const auxiliaries = new Set("got gets been was were foi wurde wird".split(" "));

/** "Moved to Wednesdays at 2" after "is on Thursdays at 4": values of one kind, of up to three words. */
function isMovedWhole(clause: string, ours: readonly string[]): boolean {
  const mine = wordsAsWritten(clause);
  const head = sharedHead(mine, ours);
  if (head === ours.length || !isAnchor(ours.slice(0, head))) return false;
  return [1, 2, 3].some((count) => {
    const between = mine.slice(head, -count).filter((word) => !auxiliaries.has(word));
    const joint = ours.slice(head, -count);
    const [old, value] = [ours.slice(-count), mine.slice(-count)];
    return (
      between.length > 0 &&
      joint.length > 0 &&
      !between.some((word) => copulas.has(word)) &&
      joint.every((word) => stopWords.has(word) || copulas.has(word)) &&
      tellsChange([...between, "1"].join(" ")) &&
      tellsOfChangeAlone(between) &&
      old.every((word, at) => !isStop(word, value[at]) || word === value[at]) &&
      old.join(" ") !== value.join(" ") &&
      isOneKind({ old, mine: value })
    );
  });
}

const isStop = (...words: readonly (string | undefined)[]): boolean =>
  words.some((word) => stopWords.has(word ?? ""));

const isOtherNumber = (old: string, value: string): boolean =>
  old !== value && /9/u.test(shapeOf([old])) && isOneKind({ old: [old], mine: [value] });

/** "Moved to", "is now": nothing of the subject, as in "on Fridays moved to", or of another that it does. */
const tellsOfChangeAlone = (between: readonly string[]): boolean =>
  between.every((word, at) => !/\p{N}/u.test(word) && mayBeCue([...between, "1"], at));

/** In "now runs debian-12", "runs" is no cue: with another verb in its place the change is still told. */
const mayBeCue = (words: readonly string[], at: number): boolean =>
  stopWords.has(words[at] ?? "") || !tellsChange(words.with(at, "is").join(" "));

/**
 * A clause, and the same without one of the words that make it tell of a change: "the tenant is now corvid". Any word
 * may be the one, so that each is tried.
 */
function withoutCue(clause: string): readonly string[] {
  const bare = clause.replace(begun, "");
  if (!tellsChange(clause)) return bare === clause ? [clause] : [clause, bare];
  const words = clause.split(/\s+/u);
  return [
    clause,
    bare,
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
  const [head, tail] = sharedEnds(mine, ours);
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

/**
 * "Where you left off": the last sessions of this branch, a line each: title, outcome, what is open. What the log of
 * the repository tells as well is left out, and what tells a value that was replaced since. Pure.
 */
import { categoryRules, openEndKey } from "#domain";
import { cutToTokens, letterPairs, msPerDay, tokensOf } from "#kit";
import { digestWords, isOfTheLog, readWords } from "#language";
import { createSaid, isDated, saidOn } from "./start-lines.ts";
import { neutralise } from "./neutral.ts";
import type { Replaced, Section, StartDigest, StartReason, StartSnapshot } from "./start-types.ts";

/** Branches from which all others start: there each session is a work of its own, but for what was just left unfinished. */
const trunk = /^(?:main|master|trunk|develop|dev)$/u;
const isOnTrunk = ({ branch }: StartSnapshot): boolean => branch !== null && trunk.test(branch);
const unfinishedMsMax = msPerDay;
/** One long session must not take the place of all others. */
const lineTokensMax = 95;
const titleTokensMax = 28;
const sentenceTokensMax = 60;
const openMax = 3;

const digestsTitle = "Where you left off";

/** The last session, on a branch of work with the one before it unless it left something open; within `tokensMax`. */
export function digestsSection(snapshot: StartSnapshot, tokensMax: number): Section {
  const said = createSaid();
  const lines: string[] = [];
  const reasons: StartReason[] = [];
  let left = tokensMax - tokensOf(`## ${digestsTitle}\n`);
  const linesMax = snapshot.branch === null || isOnTrunk(snapshot) ? 1 : 2;
  for (const { digest, told } of workHere(snapshot)) {
    if (lines.length >= linesMax) break;
    if (said.has(told.title)) continue;
    const head = `- ${saidOn(digest.atMs, snapshot.nowMs)}: `;
    const fits = (line: string): boolean => tokensOf(`${line}\n`) <= Math.min(left, lineTokensMax);
    const wording = wordings(told).find(({ text }) => fits(`${head}${text}`));
    if (wording === undefined) continue;
    const line = `${head}${wording.text}`;
    said.add(told.title);
    const tokens = tokensOf(`${line}\n`);
    left -= tokens;
    lines.push(line);
    const uri = `${categoryRules.sessions.root}/${neutralise(digest.sessionId)}/summary`;
    const open = told.open
      .slice(0, wording.open)
      .map(({ item }) => openEndKey(digest.sessionId, item));
    reasons.push({
      section: digestsTitle,
      uri,
      tokens,
      ...(open.length === 0 ? {} : { open }),
    });
    // Tells where the work stands; a session that left nothing open may have been a small thing beside it.
    if (open.length > 0) break;
  }
  return { title: digestsTitle, lines, nodeIds: [], reasons };
}

interface Work {
  readonly digest: StartDigest;
  readonly told: Told;
}

/** Does this session go on with work of which something is told? */
export const isWorkInHand = (snapshot: StartSnapshot): boolean => workHere(snapshot).length > 0;

/**
 * Lists what the sessions of this branch tell beyond the log, newest first; of long ago the last alone. Another branch
 * is another work, and so is, on a branch from which others start, all but a last session that was not finished.
 */
function workHere(snapshot: StartSnapshot): readonly Work[] {
  const isStale = staleTest(snapshot.replaced);
  const newest = newestOf(snapshot);
  return snapshot.digests
    .filter(({ atMs, branch }) => branch === snapshot.branch && atMs > (snapshot.sinceMs ?? 0))
    .flatMap((digest) => {
      const committed = committedAfter(snapshot.digests, digest);
      const isOver = (text: string): boolean => isStale(text) || isSettled(text, committed);
      const told = toldOf(digest, { isStale, isOver }, newest.has(digest));
      return told === null || isInTheLog(told) ? [] : [{ digest, told }];
    })
    .filter((work, at) => !isOnTrunk(snapshot) || (at === 0 && isUnfinished(work, snapshot)))
    .filter(({ digest }, at) => at === 0 || !isDated(digest.atMs, snapshot.nowMs));
}

/** True for what lies in the working copy still, or was left open, within a day. */
const isUnfinished = ({ digest, told }: Work, { nowMs }: StartSnapshot): boolean =>
  told.open.length + digest.uncommitted.length > 0 && nowMs - digest.atMs <= unfinishedMsMax;

/**
 * `newestOf` gives the last session of each branch that worked: what an older session there left
 * open, a later one has seen to or given up. One that only talked, about that work perhaps, has
 * done neither.
 */
function newestOf({ digests }: StartSnapshot): ReadonlySet<StartDigest> {
  const work = digests.filter(
    ({ filesEdited, nextSteps }) => filesEdited.length > 0 || nextSteps !== "",
  );
  const byBranch = Map.groupBy(work, ({ branch }) => branch);
  return new Set(
    [...byBranch.values()].map((some) => some.reduce((a, b) => (b.atMs > a.atMs ? b : a))),
  );
}

/**
 * `committedAfter` lists the commits of later sessions, each with its title, which may be the
 * subject of the commit.
 */
const committedAfter = (
  digests: readonly StartDigest[],
  { atMs }: StartDigest,
): readonly string[] =>
  digests.flatMap((later) =>
    later.atMs > atMs && later.completed.includes(digestWords.committed)
      ? sentencesIn(later.completed)
          .filter((sentence) => sentence.startsWith(digestWords.committed))
          .map((sentence) => `${titleOf(later)} ${sentence}`)
      : [],
  );

/** A commit names each name in it: what was said of them has been seen to ("test_import still fails"). */
function isSettled(sentence: string, committed: readonly string[]): boolean {
  if (committed.length === 0 || isOfTheLog(sentence)) return false;
  const { identifiers } = readWords(sentence);
  return (
    identifiers.length > 0 &&
    committed.some((text) => {
      const named = new Set(readWords(text).identifiers);
      return identifiers.every((name) => named.has(name));
    })
  );
}

interface Told {
  readonly title: string;
  readonly outcome: readonly string[];
  readonly open: readonly OpenEnd[];
}

interface OpenEnd {
  /** As the checkpoint has it. */
  readonly item: string;
  /** As it is told. */
  readonly text: string;
}

/** Null for a session that left nothing behind, and for one that as a whole was about a value that no longer holds. */
function toldOf(
  digest: StartDigest,
  { isStale, isOver }: Record<"isOver" | "isStale", (text: string) => boolean>,
  isNewest: boolean,
): Told | null {
  const title = titleOf(digest);
  if (title === "" || isStale(title)) return null;
  const holds = (texts: readonly string[]): readonly string[] =>
    texts.filter((text) => !isOver(text));
  const outcome = holds(sentencesIn(digest.completed)).slice(-2);
  const open = (isNewest ? digest.open : [])
    .map((item) => ({ item, text: cleaned(item).replace(`: ${title}`, "") }))
    .filter(({ item, text }) => text !== "" && !isStale(item))
    .slice(0, openMax);
  if (outcome.length === 0 && open.length === 0) return null;
  return { title, outcome, open };
}

/** Tells no more than the log of the repository does, which the agent has before it. */
const isInTheLog = ({ outcome, open }: Told): boolean =>
  open.length === 0 && outcome.every(isOfTheLog);

interface Wording {
  readonly text: string;
  /** The number of the open ends that it tells. */
  readonly open: number;
}

/** From the longest to the shortest; what is open outlasts what was done, and a title alone says neither. */
function wordings({ title, outcome, open }: Told): readonly Wording[] {
  const head = ended(title);
  const done = outcome.map(ended).join(" ");
  // "Focused tests pass." alone leaves nothing to go on from.
  const most = ended(outcome.reduce((a, b) => (b.length > a.length ? b : a), ""));
  const todo = (count: number): string =>
    count === 0
      ? ""
      : `Open: ${ended(
          open
            .slice(0, count)
            .map(({ text }) => text.replace(/\.$/u, ""))
            .join("; "),
        )}`;
  const one = Math.min(1, open.length);
  const all = open.length;
  const choices: readonly (readonly [string, number])[] = [
    [done, all],
    [most, all],
    [most, one],
    ["", all],
    ["", one],
    [most, 0],
  ];
  return choices
    .map(([said, count]) => ({ parts: [head, said, todo(count)].filter(isSome), open: count }))
    .filter(({ parts }) => parts.length > 1)
    .map(({ parts, open: count }) => ({ text: parts.join(" "), open: count }));
}

const isSome = (part: string): boolean => part !== "";

/** The latest request, where an older checkpoint names two. */
const titleOf = ({ request }: StartDigest): string =>
  cutToTokens(neutralise(request.split(" → latest: ").at(-1) ?? ""), titleTokensMax);

/** Sentences; a checkpoint of an older version has lines with dashes. */
const sentencesIn = (text: string): readonly string[] =>
  text
    .split(/\n|(?<=[.!?…。！？][")”]?)\s+(?=[\p{Lu}\p{Lo}"“`])/u)
    .map(cleaned)
    .filter((sentence) => sentence !== "");

const cleaned = (text: string): string =>
  cutToTokens(neutralise(text.replace(/^\s*- /u, "")), sentenceTokensMax);

const ended = (text: string): string =>
  text === "" || /[.!?…。！？][")”]?$/u.test(text) ? text : `${text}.`;

// Tells whether a sentence of an old session tells a value that was replaced since: "the database is
// on port 6432", when it is on 7777 by now. Looks for what the replaced memory says and its successor
// does not. Pure.

/** True for a text that tells a replaced value as if it held. */
function staleTest(replaced: readonly Replaced[]): (text: string) => boolean {
  const marks = replaced.map(marksOf).filter(({ hard, soft }) => hard.length + soft.length > 0);
  if (marks.length === 0) return () => false;
  return (text) => {
    const words = termsOf(text);
    return marks.some((one) => isTold(one, words) && !one.now.some((term) => words.has(term)));
  };
}

interface Marks {
  /** Numbers and identifiers that only the old statement has: one of them tells it, beside a word of the subject. */
  readonly hard: readonly string[];
  /**
   * The words for a memory without one: the plain words that were exchanged, which tell it
   * together, beside the subject.
   */
  readonly soft: readonly string[];
  readonly subject: readonly string[];
  /** The words that only the new one has: a sentence with both tells of the change itself. */
  readonly now: readonly string[];
}

/** More exchanged words than this are another wording, not another value. */
const softMax = 3;
/** Share of the subject's words that stand beside plain words, from which a sentence is about it. */
const subjectShareMin = 0.5;

function marksOf({ old, now, slot }: Replaced): Marks {
  const before = termsOf(old);
  const after = termsOf(now);
  const gone = [...before].filter((term) => !after.has(term));
  const identifiers = new Set(readWords(old).identifiers);
  const shared = [...before].filter((term) => after.has(term) && !hasNumber(term));
  const subject = new Set([...shared, ...(slot === null ? [] : termsOf(slot))]);
  const news = [...after].filter((term) => !before.has(term) && !subject.has(term));
  const numbers = news.filter(hasNumber);
  const named = gone.filter((term) => hasNumber(term) || identifiers.has(term));
  // "after 10 days, not 14" names the old number beside the new one.
  const isNumber = named.length === 0 && numbers.length > 0;
  const hard = isNumber ? [...before].filter(hasNumber) : named;
  return {
    hard,
    soft: hard.length === 0 && gone.length <= softMax ? gone : [],
    subject: [...subject],
    // Beside a number that is another one now, plain words tell of no change.
    now: hard.some(hasNumber) && numbers.length > 0 ? numbers : news,
  };
}

const hasNumber = (term: string): boolean => /\p{N}/u.test(term);

function isTold({ hard, soft, subject }: Marks, words: ReadonlySet<string>): boolean {
  const named = subject.filter((term) => words.has(term)).length;
  if (hard.some((term) => words.has(term))) return named > 0;
  return (
    soft.length > 0 &&
    soft.every((term) => words.has(term)) &&
    named >= subjectShareMin * subject.length
  );
}

/** Content words, every number as it stands, and pairs of letters where no spaces stand. */
const termsOf = (text: string): ReadonlySet<string> =>
  new Set([
    ...readWords(text).content,
    ...(text.match(/\d+(?:[.:]\d+)*/gu) ?? []),
    ...(text.match(/[\u3040-\u30ff\u3400-\u9fff]+/gu) ?? []).flatMap(letterPairs),
  ]);

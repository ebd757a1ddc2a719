/**
 * One result for one thing. A turn leaves several records (the exchange, the prompt, a moment, a checkpoint) and perhaps
 * memories: the memory stands for all of them, else the exchange, else the best. Pure.
 */
import { categoryRules, type FoundDocument, type MemoryNode } from "#domain";
import { memoised } from "#kit";
import { readWords, roughStem } from "#language";

interface Hit {
  readonly document: FoundDocument;
  readonly score: number;
}

/** A memory stands for its turn if it meets the question at least this well, against the best of the turn. */
const standsFrom = 0.5;
/** Share of the words of a memory that make another text one of the same words. */
const sameWordsFrom = 0.8;
const sameWordsMin = 3;

/**
 * The first hits for a question, each thing once, best first; a memory above records of the same words. What is folded
 * away lends its score to what stands for it.
 */
export function oneForEach<One extends Hit>(
  bestFirst: readonly One[],
  limit: number,
  question: string,
): readonly One[] {
  const things: Thing<One>[] = [];
  const byKey = new Map<string, Thing<One>>();
  for (const hit of bestFirst) {
    const keys = keysOf(hit.document);
    const known = keys.flatMap((key) => byKey.get(key) ?? []).find((one) => isOne(one, hit));
    const thing = known ?? { best: hit, score: hit.score };
    if (known === undefined) things.push(thing);
    else if (stands(hit, known) || meetsAlike(hit, known, question)) known.best = hit;
    for (const key of keys) if (!byKey.has(key)) byKey.set(key, thing);
  }
  const list = things.map(({ best, score }) =>
    best.score === score ? best : Object.assign({}, best, { score }),
  );
  return memoriesFirst(list, limit);
}

interface Thing<One extends Hit> {
  best: One;
  readonly score: number;
}

/**
 * Two memories of one turn are two things, unless a replaced one has the words of the other; a weak one is folded away
 * if the record says it.
 */
const isOne = (thing: Thing<Hit>, hit: Hit): boolean =>
  hit.document.kind !== "memory" ||
  isDouble(hit.document, thing.best.document) ||
  (thing.best.document.kind !== "memory" &&
    (hit.score >= standsFrom * thing.score || saysSame(hit.document, thing.best.document)));

const isDouble = ({ node, l0 }: FoundDocument, other: FoundDocument): boolean =>
  node?.status === "superseded" && plainWords(l0) === plainWords(other.l0);

/** True when a later hit stands for the thing: a memory, or the exchange for other records. */
const stands = ({ document, score }: Hit, { best, score: bestScore }: Thing<Hit>): boolean =>
  document.kind === "memory"
    ? best.document.kind !== "memory" && score >= standsFrom * bestScore
    : document.kind === "exchange" && !["memory", "exchange"].includes(best.document.kind);

/** A memory of a record's words that has all that the question finds in the record stands for it, however weak. */
function meetsAlike({ document }: Hit, { best }: Thing<Hit>, question: string): boolean {
  if (document.kind !== "memory" || best.document.kind === "memory") return false;
  const [own, theirs] = [stemsOf(document.l0), stemsOfRecord(best.document)];
  const found = [...stemsOf(question)].filter((stem) => theirs.has(stem));
  return (
    found.length > 0 && found.every((stem) => own.has(stem)) && saysSame(document, best.document)
  );
}

const { root } = categoryRules.sessions;
const turnUri = new RegExp(`^${root}/([^/]+)/(?:exchanges|moments|turns)/(\\d+)$`, "u");
const sessionUri = new RegExp(`^${root}/([^/]+)/`, "u");

/** Keys by which two results are one thing: the turn; in one session the same beginning; the same words anywhere. */
function keysOf({ uri, kind, l0, node }: FoundDocument): readonly string[] {
  const words = plainWords(l0);
  const [, session, turn] = turnUri.exec(uri) ?? [];
  const own = session ?? sessionUri.exec(uri)?.[1];
  const turns =
    session === undefined || turn === undefined
      ? kind === "memory" && node !== null
        ? turnsOf(node)
        : []
      : [turnKey(session, turn)];
  const began = own === undefined ? [] : [`begins ${own} ${words.slice(0, beginningChars)}`];
  return [...turns, ...began, `says ${words}`];
}

/** Keys of the turns that a memory was made from. */
const turnsOf = ({ evidence }: Pick<MemoryNode, "evidence">): readonly string[] =>
  evidence.flatMap(({ sessionId, turn }) =>
    turn === null ? [] : [turnKey(sessionSlug(sessionId), turn)],
  );

/** Is the memory made from the turn that a record (an exchange, a moment) stands for? */
export function isMadeFrom(memory: MemoryNode, recordUri: string): boolean {
  const [, session = "", turn = ""] = turnUri.exec(recordUri) ?? [];
  return turnsOf(memory).includes(turnKey(session, turn));
}

/** `…/exchanges/12` is of turn 12. */
export const turnOf = (uri: string): number => Number(uri.slice(uri.lastIndexOf("/") + 1)) || 0;

const beginningChars = 40;

const turnKey = (session: string, turn: number | string): string => `turn ${session} ${turn}`;

/** As records name a session in their URIs. */
export const sessionSlug = (sessionId: string): string =>
  sessionId.toLowerCase().replace(/[^a-z0-9._-]+/gu, "-");

const plainWords = (l0: string): string =>
  l0
    .replace(/^\p{L}{1,2}: /u, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** A memory stands above a record that says the same in the same words. */
function memoriesFirst<One extends Hit>(bestFirst: readonly One[], limit: number): readonly One[] {
  const memories = bestFirst.filter(({ document }) => document.kind === "memory");
  const placed = new Map<string, One>();
  for (const hit of bestFirst) {
    if (placed.size >= limit) break;
    const above =
      hit.document.kind === "memory"
        ? []
        : memories.filter(
            ({ document, score }) =>
              score < hit.score &&
              score >= standsFrom * hit.score &&
              saysSame(document, hit.document),
          );
    for (const one of [...above, hit]) {
      const { uri } = one.document;
      if (!placed.has(uri)) placed.set(uri, { ...one, score: Math.max(one.score, hit.score) });
    }
  }
  return [...placed.values()].slice(0, limit);
}

function saysSame(memory: FoundDocument, record: FoundDocument): boolean {
  const own = stemsOf(memory.l0);
  if (own.size < sameWordsMin) return false;
  const theirs = stemsOfRecord(record);
  let shared = 0;
  for (const stem of own) if (theirs.has(stem)) shared += 1;
  return shared >= sameWordsFrom * own.size;
}

const stemsOfRecord = ({ l0, node }: FoundDocument): ReadonlySet<string> =>
  stemsOf(`${l0} ${node?.l1 ?? ""}`);

/** Texts that are compared in one search. */
const textsKept = 300;

const stemsOf = memoised(
  (text: string): ReadonlySet<string> => new Set(readWords(text).content.map(roughStem)),
  textsKept,
);

/**
 * Recognises the text that is to be forgotten inside other text: whatever case, spacing, punctuation or Unicode form
 * it took there; and keeps salted fingerprints of it.
 */
import type { PortableRecord, Store } from "#domain";
import { type Random, sha256, spansOf } from "#kit";
import { metaOf, saveMeta } from "./meta.ts";
import type { Sql } from "./sql.ts";
import { insert } from "./tables.ts";

/** Shorter texts ("pnpm") occur everywhere: of them only a record that says nothing else goes. */
const containedCharsMin = 8;
/** A stretch of the user's own words this long, within the session they were said in, is no accident. */
const runCharsMin = 24;

export interface Quote {
  readonly sessionId: string;
  readonly text: string;
}

export interface ForgottenTexts {
  /** Does this text contain one of the forgotten ones? */
  readonly isIn: (text: string | null) => boolean;
  /** As `isIn`; within the session a quote came from, a long stretch of it (a cut title, a summary) is enough. */
  readonly isInSession: (sessionId: string, text: string | null) => boolean;
  /** Does it share a long stretch with a forgotten text? For lines that are known to tell part of one. */
  readonly sharesStretch: (text: string) => boolean;
}

/** Case, punctuation, spacing and compatibility forms do not make another text. */
export const normalise = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();

/** Texts that are nothing but punctuation cannot be recognised and are left out. Short `words` count as whole words. */
export function createForgottenTextMatcher(
  texts: readonly string[],
  quotes: readonly Quote[],
  words: readonly string[] = [],
): ForgottenTexts {
  const wanted = (some: readonly string[], isWord: boolean) =>
    [...new Set(some.map(normalise))]
      .filter((text) => text !== "")
      .map((text) => ({ text, isWord, telling: tellingWord(text) }));
  const forgotten = [
    ...wanted([...texts, ...quotes.map(({ text }) => text)], false),
    ...wanted(words, true),
  ];
  const runsBySession = new Map<string, ReadonlySet<string>>();
  for (const { sessionId, text } of quotes)
    runsBySession.set(
      sessionId,
      new Set([...(runsBySession.get(sessionId) ?? []), ...runsOf(normalise(text))]),
    );

  const isIn = (text: string | null): boolean => {
    if (text === null || text === "") return false;
    const lower = isAscii(text) ? text.toLowerCase() : null;
    const possible = forgotten.filter(
      ({ telling }) => lower === null || telling === null || lower.includes(telling),
    );
    if (possible.length === 0) return false;
    const plain = normalise(text);
    return possible.some(({ text: said, isWord }) => {
      if (said.length >= containedCharsMin) return plain.includes(said);
      return isWord ? ` ${plain} `.includes(` ${said} `) : plain === said;
    });
  };
  let stretches: ReadonlySet<string> | null = null;
  return {
    isIn,
    sharesStretch: (text) => {
      stretches ??= new Set(forgotten.flatMap(({ text: words }) => runsOf(words)));
      const known = stretches;
      return runsOf(normalise(text)).some((run) => known.has(run));
    },
    isInSession: (sessionId, text) => {
      if (isIn(text)) return true;
      const runs = runsBySession.get(sessionId);
      if (runs === undefined || runs.size === 0 || text === null) return false;
      const plain = normalise(text);
      return [...runs].some((run) => plain.includes(run));
    },
  };
}

export function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

/** The longest ASCII word of a forgotten text: what lacks it cannot contain that text and need not be normalised. */
function tellingWord(text: string): string | null {
  const words = text.split(" ").filter(isAscii);
  return words.toSorted((a, b) => b.length - a.length)[0] ?? null;
}

const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text);

function runsOf(quote: string): readonly string[] {
  const runs: string[] = [];
  for (let at = 0; at + runCharsMin <= quote.length; at += 1)
    runs.push(quote.slice(at, at + runCharsMin));
  return runs;
}

// After a restore: what was forgotten since the backup was made is forgotten once more.

/**
 * Takes over fingerprints and forgets whatever they are of, unless it was remembered again since: here, or in the
 * records of what is `replaced`. Returns how many texts were found. Reads everything: a few seconds for 100,000
 * memories.
 */
export function replayForgotten(
  store: Store,
  fingerprints: readonly PortableRecord[],
  nowMs: number,
  replaced: readonly PortableRecord[] = [],
): number {
  store.transaction(() => fingerprints.forEach((record) => store.portable.put(record)));
  if (store.portable.fingerprints().length === 0) return 0;
  const wanted = liftWanted(store, replaced);
  const texts = new Set<string>();
  const uris = new Set<string>();
  for (const record of store.portable.records()) {
    if (record.kind === "node" && wanted.has(normalise(lineOf(record)))) continue;
    const found = forgottenIn(store, record);
    found.forEach((text) => texts.add(text));
    const { uri } = record;
    if (found.length > 0 && record.kind === "node" && typeof uri === "string") uris.add(uri);
  }
  if (texts.size === 0) return 0;
  const ids = [...uris].flatMap((uri) => store.nodes.byUri(uri)?.id ?? []);
  store.nodes.forget(ids, [...texts], nowMs);
  store.admin.purge();
  return texts.size;
}

/**
 * Lifts the fingerprints of what was remembered again: a memory that was written after its words were forgotten, since
 * forgetting leaves none. Returns the lines of these memories, and of those that are `replaced`.
 */
function liftWanted(
  { nodes, portable, transaction }: Store,
  replaced: readonly PortableRecord[],
): ReadonlySet<string> {
  const lines = new Set<string>();
  const lifted: string[] = [];
  const look = (record: PortableRecord, isReplaced: boolean): void => {
    if (!isMemory(record)) return;
    const marked = textsOf(record).flatMap(spansOf).filter(nodes.isForgotten);
    if (marked.length === 0 && !isReplaced) return;
    const writtenMs = Number(record["updatedAt"]);
    if (marked.some((text) => (nodes.forgottenAt(text) ?? 0) >= writtenMs)) return;
    lines.add(normalise(lineOf(record)));
    lifted.push(...marked);
  };
  for (const record of replaced) look(record, true);
  for (const record of portable.records()) look(record, false);
  transaction(() => lifted.forEach(nodes.unforget));
  return lines;
}

const isMemory = (record: PortableRecord): boolean =>
  record.kind === "node" && record["status"] === "active" && record["category"] !== "sessions";

const lineOf = ({ l0 }: PortableRecord): string => (typeof l0 === "string" ? l0 : "");

const textsOf = (record: PortableRecord): readonly string[] =>
  stringsIn([record["l0"], record["evidence"]]);

/**
 * Fingerprints are of whole texts: a record repeats one as a text of its own, a line or a sentence. Of a memory its one
 * line and its evidence tell; a longer text that merely quotes something stays.
 */
function forgottenIn({ nodes }: Store, record: PortableRecord): readonly string[] {
  const texts = record.kind === "node" ? textsOf(record) : stringsIn(record);
  return texts.flatMap(spansOf).filter(nodes.isForgotten);
}

// Salted fingerprints of what must not be learnt again. A home makes its salt at the first forget; fingerprints that
// came with a backup or an import bring the salts they were made with.

/** Salts of one home: its own, and those of the homes it took over. */
const saltsMax = 32;

/** The home's own first; empty while nothing was ever forgotten. */
export const saltsOf = (sql: Sql): readonly string[] =>
  metaOf(sql, "forgotten.salt")?.split(" ").filter(Boolean) ?? [];

/** Adds salts behind the home's own. False when all were there. */
export function keepSalts(sql: Sql, salts: readonly string[]): boolean {
  const before = saltsOf(sql);
  const all = [...new Set([...before, ...salts])].slice(0, saltsMax);
  if (all.length === before.length) return false;
  saveMeta(sql, "forgotten.salt", all.join(" "));
  return true;
}

/** Makes this salt the home's own; the others stay behind it. */
export const leadSalt = (sql: Sql, salt: string): void =>
  saveMeta(
    sql,
    "forgotten.salt",
    [...new Set([salt, ...saltsOf(sql)])].slice(0, saltsMax).join(" "),
  );

/** Keeps fingerprints of texts, with a new salt when the home has none. */
export function keepFingerprints(
  sql: Sql,
  random: Random,
  marked: { readonly texts: readonly string[]; readonly atMs: number },
): void {
  if (saltsOf(sql).length === 0) saveMeta(sql, "forgotten.salt", random.hex(32));
  const salt = saltsOf(sql)[0] ?? "";
  for (const text of marked.texts) {
    const mark = fingerprintOf(salt, text);
    if (mark !== null) noteForgotten(sql, mark, marked.atMs);
  }
}

/** Stores when a fingerprint was forgotten; the later of two times wins, so that nothing said between them returns. */
export const noteForgotten = (sql: Sql, fingerprint: string, atMs: number): void =>
  void insert(
    sql,
    "forgotten",
    { fingerprint, at_ms: atMs },
    "ON CONFLICT (fingerprint) DO UPDATE SET at_ms = max(at_ms, excluded.at_ms)",
  );

/**
 * `forgottenAt` gives the time at which this text, or one that normalises alike, was forgotten
 * last, in epoch ms; null = never.
 */
export function forgottenAt(sql: Sql, text: string): number | null {
  const times = marksOf(sql, text).flatMap(
    (mark) => sql.value<number>("SELECT at_ms FROM forgotten WHERE fingerprint = ?", mark) ?? [],
  );
  return times.length === 0 ? null : Math.max(...times);
}

/** Removes the fingerprints of a text and of each line and sentence in it: whoever says the whole says these. */
export function dropFingerprints(sql: Sql, text: string): void {
  if (saltsOf(sql).length === 0) return;
  for (const mark of spansOf(text).flatMap((span) => marksOf(sql, span)))
    sql.run("DELETE FROM forgotten WHERE fingerprint = ?", mark);
}

export const marksOf = (sql: Sql, text: string): readonly string[] =>
  saltsOf(sql).flatMap((salt) => fingerprintOf(salt, text) ?? []);

/** Null for a text without a letter or digit, which would stand for every other such text. */
function fingerprintOf(salt: string, text: string): string | null {
  const plain = normalise(text);
  return plain === "" ? null : sha256(`${salt}:${plain}`, 64);
}

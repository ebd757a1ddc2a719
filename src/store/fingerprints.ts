/**
 * Salted fingerprints of what must not be learnt again. A home makes its salt at the first forget; fingerprints that
 * came with a backup or an import bring the salts they were made with.
 */
import { sha256, spansOf, type Random } from "#kit";
import { metaOf, saveMeta } from "./meta.ts";
import { normalise } from "./forgotten-texts.ts";
import type { Sql } from "./sql.ts";

const saltName = "forgotten.salt";
/** Salts of one home: its own, and those of the homes it took over. */
const saltsMax = 32;

/** The home's own first; empty while nothing was ever forgotten. */
export const saltsOf = (sql: Sql): readonly string[] =>
  metaOf(sql, saltName)?.split(" ").filter(Boolean) ?? [];

/** Adds salts behind the home's own. False when all were there. */
export function keepSalts(sql: Sql, salts: readonly string[]): boolean {
  const before = saltsOf(sql);
  const all = [...new Set([...before, ...salts])].slice(0, saltsMax);
  if (all.length === before.length) return false;
  saveMeta(sql, saltName, all.join(" "));
  return true;
}

/** Makes this salt the home's own; the others stay behind it. */
export const leadSalt = (sql: Sql, salt: string): void =>
  saveMeta(sql, saltName, [...new Set([salt, ...saltsOf(sql)])].slice(0, saltsMax).join(" "));

/** Keeps fingerprints of texts, with a new salt when the home has none. */
export function keepFingerprints(
  sql: Sql,
  random: Random,
  marked: { readonly texts: readonly string[]; readonly atMs: number },
): void {
  if (saltsOf(sql).length === 0) saveMeta(sql, saltName, random.hex(32));
  const salt = saltsOf(sql)[0] ?? "";
  for (const text of marked.texts) {
    const mark = fingerprintOf(salt, text);
    if (mark === null) continue;
    sql.run(
      `INSERT INTO forgotten (fingerprint, at_ms) VALUES (?, ?)
        ON CONFLICT (fingerprint) DO UPDATE SET at_ms = max(at_ms, excluded.at_ms)`,
      mark,
      marked.atMs,
    );
  }
}

/** When this text, or one that normalises alike, was forgotten last, in epoch ms; null = never. */
export function forgottenAt(sql: Sql, text: string): number | null {
  const times = marksOf(sql, text).flatMap((mark) => {
    const row = sql.get<{ readonly at: number }>(
      "SELECT at_ms AS at FROM forgotten WHERE fingerprint = ?",
      mark,
    );
    return row === null ? [] : [row.at];
  });
  return times.length === 0 ? null : Math.max(...times);
}

/** Of a text and of each line and sentence in it: whoever says the whole says these. */
export function dropFingerprints(sql: Sql, text: string): void {
  if (saltsOf(sql).length === 0) return;
  for (const mark of spansOf(text).flatMap((span) => marksOf(sql, span)))
    sql.run("DELETE FROM forgotten WHERE fingerprint = ?", mark);
}

const marksOf = (sql: Sql, text: string): readonly string[] =>
  saltsOf(sql).flatMap((salt) => fingerprintOf(salt, text) ?? []);

/** Null for a text without a letter or digit, which would stand for every other such text. */
export function fingerprintOf(salt: string, text: string): string | null {
  const plain = normalise(text);
  return plain === "" ? null : sha256(`${salt}:${plain}`, 64);
}

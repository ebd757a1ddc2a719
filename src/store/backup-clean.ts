/**
 * Forgotten text in the folder of backups: which files still hold it, and taking it out of them. A file is made anew
 * beside the old one and takes its place in one step.
 */
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { OpenError, PortableRecord, Store } from "#domain";
import { err, ok, type Random, type Result, type Clock } from "#kit";
import { storedFiles } from "./backups.ts";
import {
  createForgottenTextMatcher,
  normalise,
  stringsIn,
  replayForgotten,
} from "./forgotten-texts.ts";
import { migrations, preflight } from "./preflight.ts";
import { openStore } from "./open.ts";
import { readableRecords } from "./portable.ts";
import { textOf } from "./portable-names.ts";
import { openToRead, sqliteFailure } from "./files.ts";
import { checkDatabase, persist } from "./snapshot.ts";
import { createSql } from "./sql.ts";

export interface HeldBackup {
  readonly path: string;
  /** `unreadable`: a damaged file, whose texts cannot be checked. */
  readonly state: "holds" | "unreadable";
}

/** Backups, and files that were taken out of service, that hold one of these texts. Reads them as a whole. */
export function backupsHolding(
  folder: string,
  texts: readonly string[],
  words: readonly string[] = [],
): readonly HeldBackup[] {
  const isHit = hitTest(texts, words);
  return storedFiles(folder).flatMap((path): readonly HeldBackup[] => {
    const unreadable = { path, state: "unreadable" } as const;
    try {
      if (!preflight(path, migrations).ok) return [unreadable];
      const db = openToRead(path);
      try {
        for (const record of readableRecords(createSql(db, "readonly")))
          if (isHit(record)) return [{ path, state: "holds" }];
        // Of a damaged file not everything was read.
        return isDamaged(path) ? [unreadable] : [];
      } finally {
        db.close();
      }
    } catch {
      return existsSync(path) ? [unreadable] : []; // Rotation may have taken it meanwhile.
    }
  });
}

const isDamaged = (path: string): boolean => basename(path).startsWith("damaged-");

/**
 * A memory counts when it says the same; of a longer one that merely contains it, forgetting leaves the live one as
 * well.
 */
function hitTest(
  texts: readonly string[],
  words: readonly string[],
): (record: PortableRecord) => boolean {
  const same = new Set(texts.map(normalise).filter((text) => text !== ""));
  const forgotten = createForgottenTextMatcher(texts, [], words);
  const byWord = createForgottenTextMatcher([], [], words);
  return (record) => {
    if (stringsIn(record).some(byWord.isIn)) return true;
    if (record.kind === "node" || record.kind === "revision")
      return same.has(normalise(textOf(record["l0"] ?? null)));
    return stringsIn(record).some(forgotten.isIn);
  };
}

/** Fingerprints of what was forgotten, and the texts themselves where they are known. */
export interface CleanAsk {
  readonly marks: readonly PortableRecord[];
  readonly texts: readonly string[];
  /** Words that nothing may hold any more. */
  readonly words?: readonly string[];
}

/**
 * Takes what was forgotten out of one backup. It keeps its name and time, and is in the schema of this program then.
 */
export function cleanBackup(
  deps: { readonly clock: Clock } & { readonly random: Random },
  path: string,
  ask: CleanAsk,
): Result<{ readonly changed: boolean }, OpenError> {
  const checked = checkDatabase(path);
  if (!checked.ok) return checked;
  let folder: string | null = null;
  try {
    // A folder of its own: an upgrade leaves a copy of what it upgrades, which must not stay.
    folder = mkdtempSync(join(dirname(path), ".cleaning-"));
    const part = join(folder, basename(path));
    for (const suffix of ["", "-wal"])
      if (existsSync(`${path}${suffix}`)) copyFileSync(`${path}${suffix}`, `${part}${suffix}`);
    const opened = openStore(part, { ...deps, mode: "readwrite", backups: folder });
    if (!opened.ok) return opened;
    const changed = cleaned(opened.value, ask, deps.clock.nowMs());
    if (!changed) return ok({ changed });
    const { atime, mtime } = statSync(path);
    utimesSync(part, atime, mtime);
    persist(part);
    renameSync(part, path);
    for (const suffix of ["-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
    persist(dirname(path));
    return ok({ changed });
  } catch (error) {
    return err(sqliteFailure(path, error));
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  }
}

/** Closes the store. False when nothing of it was there. */
function cleaned(store: Store, { marks, texts, words = [] }: CleanAsk, nowMs: number): boolean {
  try {
    const isHit = hitTest(texts, words);
    const uris: string[] = [];
    let hits = 0;
    for (const record of texts.length + words.length === 0 ? [] : store.portable.records()) {
      if (!isHit(record)) continue;
      hits += 1;
      if (record.kind === "node") uris.push(textOf(record["uri"] ?? null));
    }
    const ids = uris.flatMap((uri) => store.nodes.byUri(uri)?.id ?? []);
    if (hits > 0) store.nodes.forget(ids, texts, nowMs, words);
    const replayed = replayForgotten(store, marks, nowMs);
    if (hits > 0) store.admin.purge();
    return hits + replayed > 0;
  } finally {
    store[Symbol.dispose]();
  }
}

/**
 * The disk as the simulator has it: every statement of the database and every call of the spool is counted, and one of
 * them may be the last that a process makes, or fail with a full or a broken disk. What was not synced is
 * remembered, so that a power cut can take it back.
 *
 * Only `loader.ts` brings it in, by rewriting two modules of the product while they are loaded.
 */
import type { Database } from "bun:sqlite";
import * as real from "node:fs";
import type { Dice } from "../../test/support/random.ts";

export type Fault = "crash" | "ENOSPC" | "EIO";

/** A process of the simulation; nothing of a dead one reaches the disk. */
export interface Life {
  alive: boolean;
}

interface Armed {
  readonly fault: Fault;
  left: number;
}

export class Killed extends Error {
  override readonly name = "Killed";
}

interface Mark {
  readonly bytes: number;
  readonly salt: string;
}

export interface Disk {
  life: Life;
  dice: Dice | null;
  armed: Armed | null;
  /** Faults that struck. */
  struck: number;
  /** The log of the database as far as it was synced. */
  synced: Mark | null;
  walPath: string;
  /** Written and not synced. */
  readonly files: Set<string>;
  /** Renamed to, from, while the folder was not synced. */
  readonly renames: Map<string, string>;
  /** Removed, with what they held, while the folder was not synced. */
  readonly removed: Map<string, Uint8Array>;
}

export const disk: Disk = {
  life: { alive: true },
  dice: null,
  armed: null,
  struck: 0,
  synced: null,
  walPath: "",
  files: new Set(),
  renames: new Map(),
  removed: new Map(),
};

const open = new Map<number, string>();

/** Forgets all of the last run. */
export function wipe(walPath: string, dice: Dice): void {
  Object.assign(disk, {
    life: { alive: true },
    dice,
    armed: null,
    struck: 0,
    synced: null,
    walPath,
  });
  disk.files.clear();
  disk.renames.clear();
  disk.removed.clear();
}

/** Before each operation. */
function strike(life: Life, fails: (fault: Exclude<Fault, "crash">) => Error): void {
  if (!life.alive) throw new Killed();
  const { armed } = disk;
  if (armed === null) return;
  armed.left -= 1;
  if (armed.left > 0) return;
  disk.armed = null;
  disk.struck += 1;
  if (armed.fault !== "crash") throw fails(armed.fault);
  life.alive = false;
  throw new Killed();
}

const sqliteCodes = { ENOSPC: "SQLITE_FULL", EIO: "SQLITE_IOERR_WRITE" } as const;
const sqliteError = (fault: keyof typeof sqliteCodes): Error =>
  Object.assign(new Error(fault === "ENOSPC" ? "database or disk is full" : "disk I/O error"), {
    code: sqliteCodes[fault],
  });

const wal = (): Mark | null => {
  const facts = real.statSync(disk.walPath, { throwIfNoEntry: false });
  if (facts === undefined || facts.size < 32) return null;
  const file = real.openSync(disk.walPath, "r");
  const header = Buffer.alloc(8);
  real.readSync(file, header, 0, 8, 16);
  real.closeSync(file);
  return { bytes: facts.size, salt: header.toString("hex") };
};

/** A connection of the process that lives now; what it does may fail. */
export function faulty(db: Database): Database {
  if (db.filename === "" || db.filename === ":memory:") return db;
  const { life } = disk;
  const statements = new Set<{ readonly finalize: () => void }>();
  const close = db.close.bind(db);
  // A process that dies leaves no lock behind: what it began is undone, and nothing of it keeps the file open.
  db.close = () => {
    for (const statement of statements) statement.finalize();
    statements.clear();
    if (db.inTransaction) db.run("ROLLBACK");
    close();
  };
  db.run("PRAGMA busy_timeout = 0");
  const row = db.query<{ readonly synchronous: number }, []>("PRAGMA synchronous").get();
  let isSyncing = (row?.synchronous ?? 0) >= 2;
  const committed = (): void => {
    if (isSyncing && !db.inTransaction) disk.synced = wal();
  };
  const before = (text: string): void => {
    if (/^ROLLBACK|^PRAGMA/.test(text)) {
      if (!life.alive) throw new Killed();
    } else
      strike(life, (fault) => {
        // SQLite may undo the whole transaction on its own after such an error.
        if (db.inTransaction && disk.dice?.chance(0.3) === true) db.run("ROLLBACK");
        return sqliteError(fault);
      });
  };
  const run = (text: string): unknown => {
    before(text);
    const done = db.run(text);
    const mode = /^PRAGMA synchronous = (\w+)/.exec(text)?.[1];
    if (mode !== undefined) isSyncing = mode === "FULL";
    committed();
    return done;
  };
  const prepare = (text: string): unknown => {
    const statement = db.prepare<unknown, never[]>(text);
    statements.add(statement);
    const isRead = /^\s*(?:SELECT|WITH)/.test(text);
    const guard = (): void => {
      if (!isRead) before(text);
      else if (!life.alive) throw new Killed();
    };
    return {
      all: (...params: never[]) => (guard(), statement.all(...params)),
      get: (...params: never[]) => (guard(), statement.get(...params)),
      iterate: (...params: never[]) => (guard(), statement.iterate(...params)),
      run: (...params: never[]) => {
        guard();
        const done = statement.run(...params);
        committed();
        return done;
      },
      finalize: () => {
        statements.delete(statement);
        statement.finalize();
      },
    };
  };
  const shell = {
    run,
    prepare,
    get inTransaction() {
      return db.inTransaction;
    },
    close: () => db.close(),
  };
  return shell as unknown as Database;
}

/** Models a cut of the power: nothing that was not synced is sure, of files, names and the database's log. */
export function cutPower(dice: Dice): void {
  for (const [to, from] of disk.renames)
    if (real.existsSync(to) && dice.chance(0.7)) {
      real.renameSync(to, from);
      if (disk.files.delete(to)) disk.files.add(from);
    }
  for (const path of disk.files)
    if (real.existsSync(path)) real.truncateSync(path, dice.below(real.statSync(path).size + 1));
  for (const [path, bytes] of disk.removed) if (dice.chance(0.5)) real.writeFileSync(path, bytes);
  disk.renames.clear();
  disk.files.clear();
  disk.removed.clear();
  tearLog(dice);
}

function tearLog(dice: Dice): void {
  const now = wal();
  if (now === null || (disk.synced !== null && disk.synced.salt !== now.salt)) return;
  const sure = disk.synced?.bytes ?? 0;
  if (now.bytes <= sure) return;
  const end = sure + dice.below(now.bytes - sure + 1);
  real.truncateSync(disk.walPath, end);
  if (end > sure && dice.chance(0.5)) {
    const file = real.openSync(disk.walPath, "r+");
    real.writeSync(file, Buffer.from([dice.below(256)]), 0, 1, sure + dice.below(end - sure));
    real.closeSync(file);
  }
}

const systemError = (fault: Exclude<Fault, "crash">): Error =>
  Object.assign(new Error(`${fault}: simulated`), { code: fault });

// The functions of `node:fs` that src/hooks/spool.ts takes.

export const { existsSync, readdirSync, statSync } = real;

export function mkdirSync(path: string, options: real.MakeDirectoryOptions): void {
  strike(disk.life, systemError);
  real.mkdirSync(path, options);
}

export function openSync(path: string, flags: string, mode?: number): number {
  strike(disk.life, systemError);
  const file = real.openSync(path, flags, mode);
  open.set(file, path);
  if (flags !== "r") disk.files.add(path);
  return file;
}

/** A dead process's files are closed by the system. */
export function closeSync(file: number): void {
  real.closeSync(file);
  open.delete(file);
}

/** Takes a part when it likes, as a system may. */
export function writeSync(file: number, bytes: Uint8Array, at = 0): number {
  strike(disk.life, systemError);
  const left = bytes.length - at;
  const part = disk.dice?.chance(0.2) === true ? 1 + disk.dice.below(left) : left;
  return real.writeSync(file, bytes, at, part);
}

export function truncateSync(path: string, size: number): void {
  strike(disk.life, systemError);
  real.truncateSync(path, size);
}

export function futimesSync(file: number, atime: number, mtime: number): void {
  strike(disk.life, systemError);
  real.futimesSync(file, atime, mtime);
}

export function fsyncSync(file: number): void {
  strike(disk.life, systemError);
  const path = open.get(file) ?? "";
  if (!real.statSync(path).isDirectory()) {
    disk.files.delete(path);
    return;
  }
  for (const to of disk.renames.keys()) if (to.startsWith(`${path}/`)) disk.renames.delete(to);
  for (const gone of disk.removed.keys())
    if (gone.startsWith(`${path}/`)) disk.removed.delete(gone);
}

export function linkSync(from: string, to: string): void {
  strike(disk.life, systemError);
  real.linkSync(from, to);
}

export function renameSync(from: string, to: string): void {
  strike(disk.life, systemError);
  real.renameSync(from, to);
  disk.renames.set(to, from);
  if (disk.files.delete(from)) disk.files.add(to);
}

export function rmSync(path: string, options: real.RmOptions): void {
  strike(disk.life, systemError);
  if (path.endsWith(".json") && !disk.files.has(path) && real.existsSync(path))
    disk.removed.set(path, real.readFileSync(path));
  real.rmSync(path, options);
  disk.files.delete(path);
  disk.renames.delete(path);
}

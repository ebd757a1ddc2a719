/**
 * The archive of transcripts: what ended sessions said, through the privacy gate, compressed, before the client deletes
 * it. One gzip file of JSON lines for each session, dated like its source. Works on files alone; runs in a process of
 * its own.
 */
import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { createGunzip, createGzip, type Gzip } from "node:zlib";
import {
  exclusionFor,
  isMarkedPrivate,
  isOffTheRecord,
  knownSecretsOf,
  privateWordsOf,
  readPauses,
} from "#hooks";
import {
  type HomePaths,
  secretMark,
  type Session,
  type Store,
  type Turn,
  type Context,
} from "#domain";
import { leavesNoRecord } from "#memory";
import {
  err,
  createValueBook,
  fileNamesIn,
  msPerDay,
  msPerMinute,
  ok,
  readText,
  type Result,
  spansOf,
  tellingMarksOf,
  tellingMarksOfTask,
  errorMessage,
} from "#kit";
import { createGate, openValueIn, type Retold, withoutRetold } from "#privacy";
import { openStore } from "#store";
import {
  createKeeper,
  type KeepGate,
  transcriptLimits,
  type TurnStanding,
  turnStandings,
} from "#clients";
import type { Archiving, KeepError } from "./damage.ts";

export interface Archived {
  readonly sessionId: string;
  readonly path: string;
  /** The time of the transcript's last change, epoch ms. */
  readonly atMs: number;
  readonly bytes: number;
}

const suffix = ".jsonl.gz";

/** File of a session; ids are UUIDs, anything else is made fit for a name. */
const archivePath = (paths: HomePaths, sessionId: string): string =>
  join(paths.archive, `${sessionId.replaceAll(/[^\w.-]|^\./g, "-").slice(0, 128)}${suffix}`);

/** The latest first. */
export function listArchive(paths: HomePaths): readonly Archived[] {
  return fileNamesIn(paths.archive)
    .filter((name) => name.endsWith(suffix))
    .flatMap((name) => {
      const path = join(paths.archive, name);
      const { mtimeMs, size: bytes } = statSync(path, { throwIfNoEntry: false }) ?? {};
      if (mtimeMs === undefined || bytes === undefined) return [];
      return [{ sessionId: name.slice(0, -suffix.length), path, atMs: Math.floor(mtimeMs), bytes }];
    })
    .toSorted((a, b) => b.atMs - a.atMs || a.path.localeCompare(b.path));
}

/** A session that is over, or was left a day ago; the client may still write for some minutes. */
const settledMs = 10 * msPerMinute;
const leftMs = msPerDay;
/** Source bytes of one run: the rest waits for the next. */
const runBytesMax = 2_000_000_000;
const sessionsPerRead = 500;
const archiveBytesMax = 500_000_000;

/** Archives what is due and keeps the size cap. Resolves to a note. */
export async function archiveEnded(deps: Archiving): Promise<Result<string, string>> {
  const opened = openStore(deps.paths.database, { ...deps, mode: "readonly" });
  if (!opened.ok) return { ok: false, error: opened.error.type };
  const store = opened.value;
  try {
    mkdirSync(deps.paths.archive, { recursive: true, mode: 0o700 });
    let bytes = 0;
    let count = 0;
    for (const session of dueSessions(deps, store)) {
      if (bytes >= runBytesMax) break;
      bytes += statSync(session.transcriptPath ?? "", { throwIfNoEntry: false })?.size ?? 0;
      await archiveOne(deps, store, session);
      count += 1;
    }
    const gone = prune(deps.paths, archiveBytesMax);
    return ok(`${count} archived, ${gone} deleted for room`);
  } finally {
    store[Symbol.dispose]();
  }
}

function* dueSessions(deps: Context, store: Store): Generator<Session> {
  const nowMs = deps.clock.nowMs();
  const prunedMs = prunedUntil(deps.paths);
  for (let offset = 0; ; offset += sessionsPerRead) {
    const page = store.sessions.list({ projects: null }, { limit: sessionsPerRead, offset });
    for (const session of page) {
      const quietMs = nowMs - session.lastEventAt;
      const isOver = session.status !== "active" ? quietMs >= settledMs : quietMs >= leftMs;
      if (isOver && isWanted(deps, session, prunedMs)) yield session;
    }
    if (page.length < sessionsPerRead) return;
  }
}

/** There is a transcript, newer than the archived one, of a project that is not switched off. */
function isWanted(deps: Context, session: Session, prunedMs: number): boolean {
  const { transcriptPath, sessionId, cwd } = session;
  if (transcriptPath === null || !transcriptPath.endsWith(".jsonl")) return false;
  const source = statSync(transcriptPath, { throwIfNoEntry: false });
  if (source === undefined || !source.isFile() || source.mtimeMs <= prunedMs) return false;
  const known = statSync(archivePath(deps.paths, sessionId), { throwIfNoEntry: false });
  if (known !== undefined && Math.floor(known.mtimeMs) >= Math.floor(source.mtimeMs)) return false;
  return (
    cwd === null || !exclusionFor(cwd, { settings: deps.settings.current(), env: deps.env })(".")
  );
}

async function archiveOne(deps: Archiving, store: Store, session: Session): Promise<void> {
  const source = session.transcriptPath ?? "";
  const gate = createGate({ redact: [] });
  const marks = new Set<string>();
  const secrets = createValueBook(knownSecretsOf(deps.paths, session.sessionId));
  const judge = (prompt: string, promptId: string | null): TurnStanding => {
    const isOff = leavesNoRecord(prompt) || isOffTheRecord(deps.paths, session.sessionId, promptId);
    const { hidden, whollyPrivate, secrets: found } = gate.clean(prompt);
    secrets.add(found);
    for (const mark of isOff ? tellingMarksOfTask(prompt) : hidden.flatMap(tellingMarksOf))
      marks.add(mark);
    if (isOff) return "off the record";
    return whollyPrivate || hidden.length > 0 ? "private" : "open";
  };
  const lines = linesIn(createReadStream(source));
  const standings = await turnStandings(lines, judge, readPauses(deps.paths));
  const before = privateWordsOf(deps.paths, session.sessionId);
  const retold: Retold = {
    has: (mark) => marks.has(mark) || before?.(mark) === true,
    standingOf: deps.standingIn(store, session.sessionId),
  };
  const isAllOpen = marks.size === 0 && before === null;
  const scrub = (text: string): string => (isAllOpen ? text : withoutRetold(text, retold));
  const how = { mark: secretMark, isOpen: openValueIn(retold.standingOf, session) };
  const hide = (text: string): string => secrets.hide(text, how);
  const of = { session, scrub, hide, learn: secrets.add };
  const keep = createKeeper(keepGate(deps, store, of), standings);
  const writtenMs = statSync(source).mtimeMs;
  await rewrite(linesIn(createReadStream(source)), archivePath(deps.paths, session.sessionId), {
    writtenMs,
    keep: (line) => (line.length > transcriptLimits.lineBytesMax ? null : keep(line)),
  });
}

/** Writes a gzip file of the lines that are kept; it appears whole or not at all. */
export async function rewrite(
  lines: AsyncIterable<string>,
  target: string,
  {
    writtenMs,
    keep,
  }: { readonly writtenMs: number; readonly keep: (line: string) => string | null },
): Promise<void> {
  const part = `${target}.part`;
  rmSync(part, { force: true });
  const file = openSync(part, "wx", 0o600);
  try {
    const packed = createGzip();
    const written = drained(packed, file);
    for await (const line of lines) {
      const kept = keep(line);
      if (kept !== null && !packed.write(`${kept}\n`))
        await new Promise((resolve) => packed.once("drain", resolve));
    }
    packed.end();
    await written;
    fsyncSync(file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  utimesSync(part, writtenMs / 1_000, writtenMs / 1_000);
  renameSync(part, target);
}

const drained = (packed: Gzip, file: number): Promise<void> =>
  new Promise((resolve, reject) => {
    packed.on("data", (chunk: Buffer) => void writeSync(file, chunk));
    packed.on("end", resolve);
    packed.on("error", reject);
  });

const toolCharsMax = 2_048;
const trimmed = (text: string): string =>
  text.length <= toolCharsMax
    ? text
    : `${text.slice(0, toolCharsMax / 2)}\n…\n${text.slice(-toolCharsMax / 2)}`;

/** Tools that answer with a file's contents. */
const readers =
  /^(?:Read|NotebookRead|View)$|^mcp__.*_(?:read|get|view|open)_(?:\w+_)?files?(?:_contents?)?$/i;

/**
 * `keepGate` keeps out what the store no longer knows of a turn: it was private or was forgotten.
 * Words that were hidden in a prompt are taken out of everything after it.
 */
function keepGate(
  { paths, settings }: Context,
  store: Store,
  of: {
    readonly session: Session;
    /** The text without sentences that retell what was private. */
    readonly scrub: (text: string) => string;
    /** The text without secrets that are known by value. */
    readonly hide: (text: string) => string;
    readonly learn: (secrets: readonly string[]) => void;
  },
): KeepGate {
  const { sessionId } = of.session;
  const { privacy, capture } = settings.current();
  const gate = createGate(privacy);
  const hidden: string[] = [];
  let turn: Turn | null = null;
  const forgets = store.portable.fingerprints().length > 0;
  const scrub = (text: string): string => {
    const { text: clean, secrets } = gate.cleanAgainst(text, hidden);
    of.learn(secrets);
    const open = of.hide(clean);
    return forgets ? withoutForgotten(store, open) : open;
  };
  return {
    prompt: (text, promptId) => {
      turn = promptId === null ? null : store.sessions.turnByPromptId(sessionId, promptId);
      const { whollyPrivate, hidden: own, secrets, text: clean } = gate.clean(text);
      hidden.push(...own, ...secrets);
      // Not known: capture was paused or off.
      const isGone = promptId !== null && (turn === null || turn.prompt === null);
      const isMarked = own.length === 0 && isMarkedPrivate(paths, sessionId, promptId);
      return whollyPrivate || isGone || isMarked ? null : scrub(clean);
    },
    said: (text) =>
      turn?.status === "closed" && turn.answer === null ? null : of.scrub(scrub(text)),
    tool: (text) => trimmed(of.scrub(scrub(text))),
    isMute: (tool, files, command) =>
      readers.test(tool) ||
      capture.boring.includes(tool) ||
      gate.readsSecrets(command) ||
      [...files, ...command.split(/[\s'"=<>;|&()]+/)].some(gate.isSecretPath),
  };
}

function withoutForgotten({ nodes }: Store, text: string): string {
  return spansOf(text)
    .filter(nodes.isForgotten)
    .reduce((rest, span) => rest.replaceAll(span, forgottenMark), text);
}

export const forgottenMark = "[forgotten]";

/** The file that lists pruned sessions, which are not archived again as long as their transcripts lie there. */
const prunedFile = (paths: HomePaths): string => join(paths.archive, ".pruned");

function prunedUntil(paths: HomePaths): number {
  const ms = Number(readText(prunedFile(paths)) ?? 0);
  return Number.isFinite(ms) ? ms : 0;
}

/** Deletes the oldest until the rest fits. Returns how many went. */
function prune(paths: HomePaths, bytesMax: number): number {
  let bytes = 0;
  const over = listArchive(paths).filter((one) => (bytes += one.bytes) > bytesMax);
  const [newest] = over;
  if (newest === undefined) return 0;
  writeFileSync(prunedFile(paths), `${newest.atMs}`, { mode: 0o600 });
  for (const { path } of over) rmSync(path, { force: true });
  return over.length;
}

/** The lines of an archived transcript. Throws when the file is no gzip. */
export const linesOf = (path: string): AsyncIterable<string> =>
  linesIn(createReadStream(path).pipe(createGunzip()));

const linesIn = (input: NodeJS.ReadableStream): AsyncIterable<string> =>
  createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });

// One archived transcript as a file again: whole or not at all, and never over another file.

/**
 * Unpacks `source` beside `target`, then gives it its name. A damaged archive or a full disk leaves nothing behind, so
 * that the client never finds half a session. Resolves to `target`. Throws when the archive cannot be read.
 */
export async function writeTranscript(
  source: string,
  target: string,
): Promise<Result<string, KeepError>> {
  if (existsSync(target)) return err(occupied(target));
  const part = `${target}.${process.pid}.part`;
  let file = -1;
  const unopened = attempt(() => {
    mkdirSync(dirname(part), { recursive: true, mode: 0o700 });
    file = openSync(part, "wx", 0o600);
  });
  if (unopened !== null) return err(unwritable(dirname(part), unopened));
  try {
    for await (const line of linesOf(source)) {
      const failure = attempt(() => writeSync(file, `${line}\n`));
      if (failure !== null) return err(unwritable(target, failure));
    }
    // A second name and not a new one: it fails where a file appeared meanwhile.
    const failure = attempt(() => linkSync(part, target));
    if (failure === null) return ok(target);
    return err(existsSync(target) ? occupied(target) : unwritable(target, failure));
  } finally {
    closeSync(file);
    rmSync(part, { force: true });
  }
}

/** Null when it worked, else why not. */
function attempt(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    return errorMessage(error);
  }
}

const occupied = (target: string): KeepError => ({
  type: "archive.occupied",
  message: `${target} already exists and was left unchanged`,
  next: "name another file with --to, or - for standard output",
});

const unwritable = (path: string, why: string): KeepError => ({
  type: "archive.unwritable",
  message: `${path} cannot be written: ${why}`,
  next: "name another file with --to, or - for standard output",
});

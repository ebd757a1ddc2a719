/**
 * One transcript as items: session, turns, end. Reads in bounded memory; everything passes the gate here, and the local
 * extraction runs here too, so that the daemon only writes.
 */
import { isPlan, type Session, type ToolUse, type Turn } from "#domain";
import { cutAtWord, oneLine } from "#kit";
import { summariseSession } from "#memory";
import {
  readTranscript,
  transcriptFiles,
  transcriptLimits,
  turnsOf,
  type TranscriptEntry,
  type TranscriptTurn,
} from "#clients";
import type { ImportedCheckpoint } from "../items.ts";
import { itemStep, left, type ReaderDeps, type ReadStep } from "../source.ts";
import { type Copies, isOpening, type Opening, type TranscriptFacts } from "./files.ts";
import { createOverheard, type Overheard } from "./private-words.ts";
import {
  createTurnReader,
  isHeadless,
  isLeftOut,
  type ReadTurn,
  type Whereabouts,
} from "./turn.ts";

/** One reading stops here, so that a session of any length fits into memory. */
const limits = { ...transcriptLimits, readBytesMax: 8 * 1_024 * 1_024 };
/** Turns that a summary is made of: the last ones. */
const summaryTurnsMax = 200;
const summaryToolsMax = 2_000;
/** A turn that had a sign of life so lately may still be going on. */
const runningMs = 10 * 60_000;

export interface SessionAsk {
  /** `path` null: the transcript is not read on when the session goes on. */
  readonly facts: SessionFacts;
  /** Turns that were imported before: they are read for what follows from them, and not handed over. */
  readonly turnsKnown: number;
  /** False when the session itself was imported before. */
  readonly isNew: boolean;
  /** Turns that stand in another transcript too, or here twice, are imported once. */
  readonly copies: Copies;
  /** Where its turns come from; by default its transcript of Claude Code. */
  readonly batches?: Batches;
}

type SessionFacts = Omit<TranscriptFacts, "path"> & { readonly path: string | null };

interface Reading {
  offset: { bytes: number; lines: number };
  failed: string | null;
}

type Batches = (facts: SessionFacts, reading: Reading) => AsyncIterable<Batch>;

export async function* sessionSteps(deps: ReaderDeps, ask: SessionAsk): AsyncIterable<ReadStep> {
  const { facts } = ask;
  const reading: Reading = { offset: { bytes: 0, lines: 0 }, failed: null };
  const overheard = createOverheard(deps);
  let state: SessionState | null = null;
  let n = 0;
  for await (const step of (ask.batches ?? batches)(facts, reading)) {
    ask.copies.claim(step.openings);
    overheard.hear(step);
    const { own, skipped } = ownTurns(deps, { facts, ...step }, ask.copies);
    yield* skipped;
    for (const turn of own) {
      if (state === null) {
        state = beginSession(deps, { facts, overheard }, turn);
        yield ask.isNew ? itemStep(state.item) : left("skipped", "imported before");
      }
      if (isRunning(deps, turn, step.isLast && turn === step.turns.at(-1))) {
        state.isWhole = false;
        yield left("skipped", "still going on");
        break;
      }
      n += 1;
      const read = state.reader.read(turn, n);
      state.keep(read);
      yield n <= ask.turnsKnown ? left("skipped", "imported before") : itemStep(read.item);
    }
    yield { type: "progress", done: step.bytes };
  }
  if (reading.failed !== null) yield left("refused", reading.failed);
  else if (state === null) yield left("skipped", "a transcript without a turn");
  else yield itemStep(endOf(facts, { state, offset: reading.offset }));
}

/** False for what follows a message of another agent or of the client at a beginning: no user said anything there. */
const isOpened = (turn: TranscriptTurn): boolean =>
  turn.command !== null || turn.prompts.length > 0;

/** The turns to read, without copies and without those that leave no record. */
function ownTurns(
  { isExcluded, settings, wasPaused }: ReaderDeps,
  { facts, turns }: { readonly facts: SessionFacts; readonly turns: readonly TranscriptTurn[] },
  { isCopy }: Copies,
): { readonly own: readonly TranscriptTurn[]; readonly skipped: readonly ReadStep[] } {
  const opened = turns.filter(isOpened);
  const first = opened.filter((turn) => !isCopy(turn));
  const isOff = settings().capture.headless === "off";
  const taken = first.filter((turn) => !isOff || !isHeadless(turn));
  const heard = taken.filter(({ startedAtMs, endedAtMs }) => !wasPaused(startedAtMs, endedAtMs));
  const captured = heard.filter(
    (turn) => !foldersOf(turn).some((cwd) => cwd !== facts.cwd && isExcluded(cwd)),
  );
  const own = captured.filter((turn) => !isLeftOut(turn));
  const skip = (reason: string, count: number): readonly ReadStep[] =>
    count > 0 ? [left("skipped", reason, count)] : [];
  const skipped = [
    ...skip("a copy of a turn in another transcript", opened.length - first.length),
    ...skip("a headless run", first.length - taken.length),
    ...skip("said while capture was paused", taken.length - heard.length),
    ...skip("in a folder that is excluded", heard.length - captured.length),
    ...skip("off the record", captured.length - own.length),
  ];
  return { own, skipped };
}

/** Folders that a turn's user was in. */
const foldersOf = ({ command, prompts }: TranscriptTurn): readonly string[] =>
  [command?.cwd ?? [], prompts.flatMap(({ cwd }) => cwd ?? [])].flat();

const isRunning = (deps: ReaderDeps, turn: TranscriptTurn, isLast: boolean): boolean =>
  isLast && !turn.interrupted && deps.nowMs - (turn.endedAtMs ?? 0) < runningMs;

export interface Batch {
  readonly turns: readonly TranscriptTurn[];
  /** Turns that a fork copied from its parent. */
  readonly copied?: readonly TranscriptTurn[];
  /** All that came with this reading, whether their turns are whole or not. */
  readonly openings: readonly Opening[];
  readonly bytes: number;
  readonly isLast: boolean;
}

/** Whole turns, a few megabytes of transcript at a time: the last one of a reading waits for the next reading. */
async function* batches(facts: SessionFacts, reading: Reading): AsyncIterable<Batch> {
  let pending: readonly TranscriptEntry[] = [];
  for (let more = true; more;) {
    const read = await readTranscript(transcriptFiles, facts.path ?? "", reading.offset, limits);
    if (!read.ok || read.value.restarted) {
      reading.failed = read.ok ? "changed while it was read" : "cannot be read";
      return;
    }
    more = read.value.more && read.value.offset.bytes > reading.offset.bytes;
    const bytes = more
      ? read.value.offset.bytes - reading.offset.bytes
      : facts.bytes - reading.offset.bytes;
    reading.offset = read.value.offset;
    const entries = pending.concat(read.value.entries);
    const turns = turnsOf(entries, facts.sessionId);
    const open = more ? turns.at(-1) : undefined;
    yield {
      turns: turns.filter((turn) => turn !== open && !turn.inherited),
      copied: turns.filter(({ inherited }) => inherited),
      openings: read.value.entries.filter(isOpening),
      bytes: Math.max(0, bytes),
      isLast: !more,
    };
    // What a fork inherited must be known to the end; of the rest, the turn that may go on.
    pending = entries.filter(
      ({ type, line }) => type === "inherited" || (open !== undefined && line >= open.firstLine),
    );
  }
}

interface SessionState {
  readonly item: ReturnType<typeof sessionItem>;
  readonly where: Whereabouts;
  readonly reader: ReturnType<typeof createTurnReader>;
  readonly turns: Turn[];
  readonly tools: ToolUse[];
  readonly keep: (read: ReadTurn) => void;
  firstPrompt: string | null;
  lastMs: number;
  isWhole: boolean;
  isInterrupted: boolean;
}

/** The first prompt, unless the client put it in. */
const typedFirst = (said: string | null): string | null =>
  said === null || isPlan(said) ? null : said;

function beginSession(
  deps: ReaderDeps,
  { facts, overheard }: { readonly facts: SessionFacts; readonly overheard: Overheard },
  first: TranscriptTurn,
): SessionState {
  const prompt = first.prompts[0];
  const cwd = prompt?.cwd ?? facts.cwd;
  const project = cwd === null ? null : deps.projectOf(cwd);
  const where: Whereabouts = {
    sessionId: facts.sessionId,
    project: project?.key ?? null,
    projectName: project?.name ?? null,
    branch: prompt?.branch ?? null,
    cwd,
    startedAt: first.startedAtMs ?? facts.startedAt,
  };
  const reader = createTurnReader(deps, where, overheard);
  const said = reader.titleOf(first);
  const state: SessionState = {
    item: sessionItem(where, said),
    where,
    reader,
    turns: [],
    tools: [],
    keep: (read) => keep(state, read),
    firstPrompt: typedFirst(said),
    lastMs: where.startedAt,
    isWhole: true,
    isInterrupted: false,
  };
  return state;
}

function keep(state: SessionState, { turn, tools }: ReadTurn): void {
  state.lastMs = Math.max(state.lastMs, turn.endedAt ?? 0);
  state.isInterrupted = turn.status === "interrupted";
  if (turn.prompt === null || turn.isPrivate === true) return;
  state.turns.push(turn);
  state.tools.push(...tools);
  if (state.turns.length > summaryTurnsMax) state.turns.shift();
  if (state.tools.length > summaryToolsMax)
    state.tools.splice(0, state.tools.length - summaryToolsMax);
}

const sessionItem = (where: Whereabouts, firstPrompt: string | null) => ({
  kind: "session" as const,
  sessionId: where.sessionId,
  project:
    where.project === null
      ? null
      : { key: where.project, name: where.projectName ?? where.project },
  branch: where.branch,
  cwd: where.cwd,
  title: firstPrompt === null || firstPrompt === "" ? null : cutAtWord(oneLine(firstPrompt), 120),
  firstPrompt:
    firstPrompt === null || firstPrompt === "" || isPlan(firstPrompt)
      ? null
      : cutAtWord(firstPrompt, 2_000),
  parentSession: null,
  startedAt: where.startedAt,
});

function endOf(
  facts: SessionFacts,
  read: {
    readonly state: SessionState;
    readonly offset: { readonly bytes: number; readonly lines: number };
  },
) {
  const { state, offset } = read;
  return {
    kind: "end" as const,
    sessionId: facts.sessionId,
    project: state.where.project,
    status: state.isInterrupted ? ("interrupted" as const) : ("completed" as const),
    endedAt: state.lastMs,
    checkpoint: checkpointOf(state),
    // Bytes 0: the rest is read from the start the next time, and its known turns are passed over.
    transcript: { path: facts.path, ...(state.isWhole ? offset : { bytes: 0, lines: 0 }) },
  };
}

function checkpointOf(state: SessionState): ImportedCheckpoint | null {
  if (state.turns.length === 0) return null;
  const { where } = state;
  const session: Session = {
    sessionId: where.sessionId,
    project: where.project,
    projectName: where.projectName,
    branch: where.branch,
    cwd: where.cwd,
    title: null,
    firstPrompt: state.firstPrompt,
    status: "completed",
    startedAt: where.startedAt,
    endedAt: state.lastMs,
    lastEventAt: state.lastMs,
    parentSession: null,
    transcriptPath: null,
  };
  const { l0, fields } = summariseSession({
    session,
    turns: state.turns,
    toolUses: state.tools,
    previous: null,
    trigger: "end",
    compactSummary: null,
    uncommitted: [],
  });
  return {
    l0,
    fields: {
      ...fields,
      filesRead: [...fields.filesRead],
      filesEdited: [...fields.filesEdited],
      filesInHand: [...fields.filesInHand],
      uncommitted: [],
      thrash: [...fields.thrash],
    },
  };
}

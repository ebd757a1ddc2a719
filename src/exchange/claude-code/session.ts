/**
 * One transcript as items: session, turns, end. Reads in bounded memory; everything passes the gate here, and the local
 * extraction runs here too, so that the daemon only writes.
 */
import { isPlan, type Session, type ToolUse, type Turn } from "#domain";
import { cutAtWord, msPerMinute, oneLine } from "#kit";
import { summariseSession } from "#memory";
import {
  readTranscript,
  transcriptLimits,
  turnsOf,
  type TranscriptEntry,
  type TranscriptTurn,
} from "#clients";
import type { ImportedCheckpoint } from "../items.ts";
import { itemStep, left, type ReadContext, type ReadStep } from "../source.ts";
import { type Copies, isOpening, type Opening, type TranscriptFacts } from "./files.ts";
import { createTurnReader, isHeadless, type ReadTurn } from "./turn.ts";

/** One reading stops here, so that a session of any length fits into memory. */
const limits = { ...transcriptLimits, readBytesMax: 8 * 1_024 * 1_024 };
/** Turns that a summary is made of: the last ones. */
const summaryTurnsMax = 200;
const summaryToolsMax = 2_000;
/** A turn that had a sign of life so lately may still be going on. */
const runningMs = 10 * msPerMinute;

export interface SessionAsk {
  /** `path` null: the transcript is not read on when the session goes on. */
  readonly facts: SessionFacts;
  /** Turns that were imported before: they are read for what follows from them, and not handed over. */
  readonly turnsKnown: number;
  readonly isNew: boolean;
  /** Turns that stand in another transcript too, or here twice, are imported once; absent where none can. */
  readonly copies?: Copies;
  /** The source of its turns; by default its transcript of Claude Code. */
  readonly batches?: Batches;
}

type SessionFacts = Omit<TranscriptFacts, "path"> & { readonly path: string | null };

interface Reading {
  offset: { bytes: number; lines: number };
  failed: string | null;
}

type Batches = (facts: SessionFacts, reading: Reading) => AsyncIterable<Batch>;

export async function* sessionSteps(
  context: ReadContext,
  ask: SessionAsk,
): AsyncIterable<ReadStep> {
  const { facts, copies = noCopies } = ask;
  const reading: Reading = { offset: { bytes: 0, lines: 0 }, failed: null };
  const turnReader = createTurnReader(context, facts.sessionId);
  let state: SessionState | null = null;
  let n = 0;
  for await (const step of (ask.batches ?? batches)(facts, reading)) {
    copies.claim(step.openings);
    turnReader.hear([...step.copied, ...step.turns]);
    const { own, skipped } = ownTurns(
      context,
      { facts, turns: step.turns, isOff: turnReader.isOff },
      copies,
    );
    yield* skipped;
    for (const turn of own) {
      if (state === null) {
        state = beginSession(context, { facts, first: turn, said: turnReader.titleOf(turn) });
        const item = itemStep(sessionItem(state.session));
        yield ask.isNew ? item : left("skipped", "imported before");
      }
      if (isRunning(context, turn, step.isLast && turn === step.turns.at(-1))) {
        state.isWhole = false;
        yield left("skipped", "still going on");
        break;
      }
      n += 1;
      const read = turnReader.read(turn, state.session, n);
      keep(state, read);
      yield n <= ask.turnsKnown ? left("skipped", "imported before") : itemStep(read.item);
    }
    yield { type: "progress", done: step.bytes };
  }
  if (reading.failed !== null) yield left("refused", reading.failed);
  else if (state === null) yield left("skipped", "a transcript without a turn");
  else yield itemStep(endOf(facts, state, reading.offset));
}

const noCopies: Copies = { claim: () => undefined, isCopy: () => false };

/** False for what follows a message of another agent or of the client at a beginning: no user said anything there. */
const isOpened = (turn: TranscriptTurn): boolean =>
  turn.command !== null || turn.prompts.length > 0;

/** The turns to read, without copies and without those that leave no record. */
function ownTurns(
  { isExcluded, settings, wasPaused }: ReadContext,
  {
    facts,
    turns,
    isOff,
  }: {
    readonly facts: SessionFacts;
    readonly turns: readonly TranscriptTurn[];
    readonly isOff: (turn: TranscriptTurn) => boolean;
  },
  { isCopy }: Copies,
): { readonly own: readonly TranscriptTurn[]; readonly skipped: readonly ReadStep[] } {
  let own = turns.filter(isOpened);
  const skipped: ReadStep[] = [];
  const leave = (reason: string, isLeft: (turn: TranscriptTurn) => boolean): void => {
    const rest = own.filter((turn) => !isLeft(turn));
    if (rest.length < own.length) skipped.push(left("skipped", reason, own.length - rest.length));
    own = rest;
  };
  leave("a copy of a turn in another transcript", isCopy);
  if (settings.capture.headless === "off") leave("a headless run", isHeadless);
  leave(
    "said while capture was paused",
    ({ startedAtMs, endedAtMs, prompts }) =>
      wasPaused(startedAtMs, endedAtMs) ||
      prompts.flatMap(({ typedAtMs = [] }) => typedAtMs).some((atMs) => wasPaused(atMs, atMs)),
  );
  leave("in a folder that is excluded", (turn) =>
    foldersOf(turn).some((cwd) => cwd !== facts.cwd && isExcluded(cwd)),
  );
  leave("off the record", isOff);
  return { own, skipped };
}

/** Folders that a turn's user was in. */
const foldersOf = ({ command, prompts }: TranscriptTurn): readonly string[] =>
  [command?.cwd ?? [], prompts.flatMap(({ cwd }) => cwd ?? [])].flat();

const isRunning = ({ nowMs }: ReadContext, turn: TranscriptTurn, isLast: boolean): boolean =>
  isLast && !turn.interrupted && nowMs - (turn.endedAtMs ?? 0) < runningMs;

export interface Batch {
  readonly turns: readonly TranscriptTurn[];
  /** Turns that a fork copied from its parent. */
  readonly copied: readonly TranscriptTurn[];
  /** All that came with this reading, whether their turns are whole or not. */
  readonly openings: readonly Opening[];
  readonly bytes: number;
  readonly isLast: boolean;
}

/** Whole turns, a few megabytes of transcript at a time: the last one of a reading waits for the next reading. */
async function* batches(facts: SessionFacts, reading: Reading): AsyncIterable<Batch> {
  let pending: readonly TranscriptEntry[] = [];
  for (let more = true; more;) {
    const read = await readTranscript(facts.path ?? "", reading.offset, limits);
    if (read === null || read.restarted) {
      reading.failed = read === null ? "cannot be read" : "changed while it was read";
      return;
    }
    more = read.more && read.offset.bytes > reading.offset.bytes;
    const bytes = (more ? read.offset.bytes : facts.bytes) - reading.offset.bytes;
    reading.offset = read.offset;
    const entries = pending.concat(read.entries);
    const turns = turnsOf(entries, facts.sessionId);
    const open = more ? turns.at(-1) : undefined;
    yield {
      turns: turns.filter((turn) => turn !== open && !turn.inherited),
      copied: turns.filter(({ inherited }) => inherited),
      openings: read.entries.filter(isOpening),
      bytes: Math.max(0, bytes),
      isLast: !more,
    };
    // The copied entries of a fork must be known to the end; of the rest, the turn that may go on.
    pending = entries.filter(
      ({ type, line }) => type === "inherited" || (open !== undefined && line >= open.firstLine),
    );
  }
}

interface SessionState {
  readonly session: Session;
  readonly turns: Turn[];
  readonly tools: ToolUse[];
  lastMs: number;
  isWhole: boolean;
  isInterrupted: boolean;
}

/** `said`: the first prompt; a plan was put there by the client. */
function beginSession(
  { projectOf }: ReadContext,
  begin: {
    readonly facts: SessionFacts;
    readonly first: TranscriptTurn;
    readonly said: string | null;
  },
): SessionState {
  const { facts, first } = begin;
  const prompt = first.prompts[0];
  const cwd = prompt?.cwd ?? facts.cwd;
  const project = cwd === null ? null : projectOf(cwd);
  const startedAt = first.startedAtMs ?? facts.startedAt;
  const session: Session = {
    sessionId: facts.sessionId,
    project: project?.key ?? null,
    projectName: project?.name ?? null,
    branch: prompt?.branch ?? null,
    cwd,
    ...titled(begin.said || null),
    status: "completed",
    startedAt,
    endedAt: startedAt,
    lastEventAt: startedAt,
    parentSession: null,
    transcriptPath: null,
  };
  const lastMs = startedAt;
  return { session, turns: [], tools: [], lastMs, isWhole: true, isInterrupted: false };
}

const titled = (said: string | null) =>
  said === null
    ? { title: null, firstPrompt: null }
    : {
        title: cutAtWord(oneLine(said), 120),
        firstPrompt: isPlan(said) ? null : cutAtWord(said, 2_000),
      };

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

const sessionItem = ({ project, projectName, ...session }: Session) => ({
  kind: "session" as const,
  ...session,
  project: project === null ? null : { key: project, name: projectName ?? project },
});

const endOf = (facts: SessionFacts, state: SessionState, offset: Reading["offset"]) => ({
  kind: "end" as const,
  sessionId: facts.sessionId,
  project: state.session.project,
  status: state.isInterrupted ? ("interrupted" as const) : ("completed" as const),
  endedAt: state.lastMs,
  checkpoint: checkpointOf(state),
  // Bytes 0: the rest is read from the start the next time, and its known turns are passed over.
  transcript: { path: facts.path, ...(state.isWhole ? offset : { bytes: 0, lines: 0 }) },
});

const checkpointOf = ({ session, turns, tools, lastMs }: SessionState): ImportedCheckpoint | null =>
  turns.length === 0
    ? null
    : summariseSession({
        session: { ...session, title: null, endedAt: lastMs, lastEventAt: lastMs },
        turns,
        toolUses: tools,
        previous: null,
        trigger: "end",
        compactSummary: null,
        uncommitted: [],
      });

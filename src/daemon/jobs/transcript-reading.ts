/** The worker's view of the client's transcripts. */
import { basename } from "node:path";
import { isMarkedPrivate, readPauses } from "#hooks";
import type { HomePaths, Store } from "#domain";
import {
  parentSessionOf,
  readTranscript,
  sessionIdOfPath,
  transcriptLimits,
  turnsOf,
  type TranscriptEntry,
  type TranscriptLimits,
  type TranscriptOffset,
  type TranscriptTurn,
} from "#clients";

export type TranscriptPort = ReturnType<typeof createTranscriptPort>;
export type TranscriptFacts = NonNullable<Awaited<ReturnType<TranscriptPort["read"]>>>;
/** One turn as the transcript tells it; text is not gated yet. */
export type TranscriptTurnFacts = TranscriptFacts["turns"][number];

export const createTranscriptPort = (
  paths: HomePaths,
  limits: TranscriptLimits = transcriptLimits,
) => ({
  /** Reads on from an offset; null when there is no transcript to read. */
  read: async (path: string, from: TranscriptOffset) => {
    const read = await readToTheEnd(path, from, limits);
    if (read === null) return null;
    const ownSessionId = sessionIdOfPath(path);
    const { entries, offset } = read;
    const wasPaused = readPauses(paths);
    const isHeard = (turn: TranscriptTurn): boolean => !wasPaused(turn.startedAtMs, turn.endedAtMs);
    const saidIn = (turn: TranscriptTurn): TranscriptTurn | null =>
      isHeard(turn) && isTold(paths, turn, ownSessionId ?? basename(path, ".jsonl")) ? turn : null;
    const turns = turnsOf(entries, ownSessionId, { isOver: false });
    return {
      /** The place at which the next reading starts. */
      offset,
      parentSession: parentSessionOf(entries, ownSessionId)?.sessionId ?? null,
      /** The user's words in turns that a fork copied from its parent. */
      copiedPrompts: turns.filter(({ inherited }) => inherited).flatMap(promptsOf),
      turns: turns
        .filter(({ inherited }) => !inherited)
        .map((turn) => ({
          promptId: turn.promptId,
          /** The user's messages in it, in order, as far as it was read: empty when the reading began in mid-turn. */
          prompts: promptsOf(turn),
          /** Messages that were typed while the turn was running. */
          meanwhile: turn.prompts
            .filter(({ queued }) => queued && isHeard(turn))
            .map(({ text }) => text),
          /** Calls that the user refused, which no hook reports; `said`: the user's words instead. */
          refused: turn.toolCalls
            .filter(({ outcome }) => outcome === "rejected" && isHeard(turn))
            .map(({ toolUseId, tool, target, plan, refusal }) => ({
              toolUseId,
              tool,
              target,
              plan,
              said: refusal,
            })),
          /** Line of its prompt, from 1; null when the reading began in the middle of the turn. */
          line: turn.prompts[0]?.line ?? null,
          lastText: saidIn(turn)?.answer?.text ?? null,
          /** Texts of the agent before its last tool call, each with the id of the call that followed. */
          remarks: (saidIn(turn)?.remarks ?? []).map(({ text, beforeCall }) => ({
            text,
            beforeCall,
          })),
          interrupted: turn.interrupted,
          /** The API failed, and nothing came after that. */
          failed: turn.failed,
          endedAtMs: turn.endedAtMs,
        })),
    };
  },
});

const promptsOf = ({ command, prompts }: TranscriptTurn): readonly string[] =>
  [command?.text ?? [], prompts.map(({ text }) => text)].flat();

/** Readings of one occasion; of a transcript with more the rest waits for the next. */
const readingsMax = 64;

interface Reading {
  readonly entries: readonly TranscriptEntry[];
  readonly offset: TranscriptOffset;
}

/** Reads what is new, in pieces: a transcript that nobody looked at for long has hundreds of megabytes. */
async function readToTheEnd(
  path: string,
  from: TranscriptOffset,
  limits: TranscriptLimits,
): Promise<Reading | null> {
  let offset = from;
  const pieces: (readonly TranscriptEntry[])[] = [];
  for (let more = true; more && pieces.length < readingsMax;) {
    const read = await readTranscript(path, offset, limits);
    // Another file in its place: the next occasion begins anew.
    if (read === null || (read.restarted && pieces.length > 0)) return null;
    ({ more, offset } = read);
    pieces.push(read.entries);
  }
  return { entries: pieces.flat(), offset };
}

/**
 * Reads what was typed in a session's latest turn while the agent worked, or to refuse a call, and no hook has told
 * yet. The output of a server of tools is its own word, also where it reads like a refusal.
 */
export const typedMeanwhile =
  (paths: HomePaths, { sessions }: Store) =>
  async (sessionId: string): Promise<readonly string[]> => {
    const path = sessions.byId(sessionId)?.transcriptPath ?? null;
    if (path === null) return [];
    // The offset stays: a message that waits in the queue now is delivered in a later reading.
    const facts = await createTranscriptPort(paths).read(path, sessions.transcriptOffset(path));
    const { meanwhile = [], refused = [] } = facts?.turns.at(-1) ?? {};
    const refusals = refused.filter(({ tool }) => !tool.startsWith("mcp__"));
    return [...meanwhile, ...refusals.flatMap(({ said }) => said ?? [])];
  };

/**
 * Tells whether the agent's words are read. Read from its middle, a turn that had something private has nothing left to
 * tell its words by, so they are left out as a whole.
 */
function isTold(paths: HomePaths, turn: TranscriptTurn, sessionId: string): boolean {
  const isWhole = turn.command !== null || turn.prompts[0]?.queued === false;
  return isWhole || !isMarkedPrivate(paths, sessionId, turn.promptId);
}

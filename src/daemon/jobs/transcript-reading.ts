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
import type { TranscriptPort } from "../ports.ts";

export const createTranscriptPort = (
  paths: HomePaths,
  limits: TranscriptLimits = transcriptLimits,
): TranscriptPort => ({
  read: async (path, from) => {
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
      offset,
      parentSession: parentSessionOf(entries, ownSessionId)?.sessionId ?? null,
      copiedPrompts: turns.filter(({ inherited }) => inherited).flatMap(promptsOf),
      turns: turns
        .filter(({ inherited }) => !inherited)
        .map((turn) => ({
          promptId: turn.promptId,
          prompts: promptsOf(turn),
          meanwhile: turn.prompts
            .filter(({ queued }) => queued && isHeard(turn))
            .map(({ text }) => text),
          refused: turn.toolCalls
            .filter(({ outcome }) => outcome === "rejected" && isHeard(turn))
            .map(({ toolUseId, tool, target, plan, refusal }) => ({
              toolUseId,
              tool,
              target,
              plan,
              said: refusal,
            })),
          line: turn.prompts[0]?.line ?? null,
          lastText: saidIn(turn)?.answer?.text ?? null,
          remarks: saidIn(turn)?.remarks ?? [],
          interrupted: turn.interrupted,
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

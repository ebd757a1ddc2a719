/** The worker's view of the client's transcripts. */
import { basename } from "node:path";
import { isMarkedPrivate } from "#capture";
import type { HomePaths, Session, SessionStore } from "#domain";
import {
  parentSessionOf,
  readTranscript,
  sessionIdOfPath,
  transcriptFiles,
  turnsOf,
  type TranscriptTurn,
} from "#claude-code";
import type { TranscriptPort } from "#worker";

export const createTranscriptPort = (paths: HomePaths): TranscriptPort => ({
  read: async (path, offset) => {
    const read = await readTranscript(transcriptFiles, path, offset);
    if (!read.ok) return null;
    const ownSessionId = sessionIdOfPath(path);
    const { entries } = read.value;
    const saidIn = (turn: TranscriptTurn): TranscriptTurn | null =>
      isTold(paths, turn, ownSessionId ?? basename(path, ".jsonl")) ? turn : null;
    return {
      offset: read.value.offset,
      parentSession: parentSessionOf(entries, ownSessionId)?.sessionId ?? null,
      turns: turnsOf(entries, ownSessionId, { isOver: false })
        .filter(({ inherited }) => !inherited)
        .map((turn) => ({
          promptId: turn.promptId,
          prompts: [turn.command?.text ?? [], turn.prompts.map(({ text }) => text)].flat(),
          meanwhile: turn.prompts.filter(({ queued }) => queued).map(({ text }) => text),
          refused: turn.toolCalls
            .filter(({ outcome }) => outcome === "rejected")
            .map(({ toolUseId, tool, target, plan, refusal }) => ({
              toolUseId,
              tool,
              target,
              plan,
              said: refusal,
            })),
          line: turn.prompts[0]?.line ?? null,
          lastText: saidIn(turn)?.answer?.text ?? null,
          remarks: saidIn(turn)?.remarks.map(({ text }) => text) ?? [],
          interrupted: turn.interrupted,
          failed: turn.failed,
          endedAtMs: turn.endedAtMs,
        })),
    };
  },
});

interface TranscriptPlaces extends Pick<SessionStore, "transcriptOffset"> {
  readonly byId: (sessionId: string) => Pick<Session, "transcriptPath"> | null;
}

/** Reads what was typed in a session's latest turn while the agent worked and no hook has told yet. */
export const typedMeanwhile =
  (paths: HomePaths, { sessions }: { readonly sessions: TranscriptPlaces }) =>
  async (sessionId: string): Promise<readonly string[]> => {
    const path = sessions.byId(sessionId)?.transcriptPath ?? null;
    if (path === null) return [];
    // The offset stays: a message that waits in the queue now is delivered in a later reading.
    const facts = await createTranscriptPort(paths).read(path, sessions.transcriptOffset(path));
    return facts?.turns.at(-1)?.meanwhile ?? [];
  };

/**
 * Tells whether the agent's words are read. Read from its middle, a turn that had something private has nothing left to
 * tell its words by, so they are left out as a whole.
 */
function isTold(paths: HomePaths, turn: TranscriptTurn, sessionId: string): boolean {
  const isWhole = turn.command !== null || turn.prompts[0]?.queued === false;
  return isWhole || !isMarkedPrivate(paths, sessionId, turn.promptId);
}

/** The worker's view of the client's transcripts. */
import {
  parentSessionOf,
  readTranscript,
  sessionIdOfPath,
  transcriptFiles,
  turnsOf,
} from "#transcript";
import type { TranscriptPort } from "#worker";

export const transcriptPort: TranscriptPort = {
  read: async (path, offset) => {
    const read = await readTranscript(transcriptFiles, path, offset);
    if (!read.ok) return null;
    const ownSessionId = sessionIdOfPath(path);
    const { entries } = read.value;
    return {
      offset: read.value.offset,
      parentSession: parentSessionOf(entries, ownSessionId)?.sessionId ?? null,
      turns: turnsOf(entries, ownSessionId)
        .filter(({ inherited }) => !inherited)
        .map((turn) => ({
          promptId: turn.prompts[0]?.promptId ?? null,
          line: turn.prompts[0]?.line ?? null,
          lastText: (turn.lastText ?? turn.firstText)?.text ?? null,
          interrupted: turn.interrupted,
          endedAtMs: turn.endedAtMs,
        })),
    };
  },
};

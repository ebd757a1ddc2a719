/** Parts of a worker around which nothing is: no code, transcripts, notes or private words. */
import { silentLog } from "#kit";
import { createCodePort } from "#daemon";

export const bareParts = {
  log: silentLog,
  historyAt: () => null,
  folderMark: () => "",
  code: createCodePort(),
  notes: { linesFor: () => [] },
  agentNotes: {
    find: () => ({ files: [], folders: [] }),
    read: () => null,
    placeOf: () => "",
  },
  isExcluded: () => false,
  paused: () => false,
  isStopCarried: () => false,
  lookUp: () => null,
  program: "/opt/continuity",
  privateWords: {
    add: () => undefined,
    addOffRecord: () => undefined,
    addSecrets: () => undefined,
    withoutSecrets: (_: string, text: string) => text,
    inherit: () => undefined,
    scrub: (_: string, text: string) => text,
  },
  transcripts: { read: async () => null },
};

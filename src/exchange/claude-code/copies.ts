/**
 * Prompts and commands that stand twice. Clients copy a session when it is forked, and old ones do not say so: same
 * words, same uuid, another file, which may lie in another folder (a worktree's) or begin with lines of its own. Each
 * belongs to one session, the same in every run: to one that was taken before, else to the oldest.
 */
import { dirname } from "node:path";
import {
  readTranscript,
  transcriptFiles,
  transcriptLimits,
  type CommandEntry,
  type PromptEntry,
  type TranscriptEntry,
  type TranscriptTurn,
} from "#claude-code";
import type { TranscriptFacts } from "./files.ts";

/** What opens a turn in the user's name. */
export type Opening = PromptEntry | CommandEntry;

export const isOpening = (entry: TranscriptEntry): entry is Opening =>
  entry.type === "prompt" || entry.type === "command";

/** What is known of copies while one transcript is read. */
export interface Copies {
  /** Prompts and commands of the transcript, each before it is asked about. */
  readonly claim: (openings: readonly Opening[]) => void;
  /** Says of the turns of the transcript, in order, which are copies. */
  readonly isCopy: (turn: TranscriptTurn) => boolean;
}

/** Keys that are kept, more than any history has. What is beyond is taken as it comes. */
const keysMax = 2_000_000;

/**
 * Whose each prompt is. Asked in the order of `all`, once for each transcript that is imported: what is imported claims
 * its prompts as it is read, and only of the others before it are the prompts looked up.
 */
export function createOwners(
  all: readonly TranscriptFacts[],
  isKnown: (facts: TranscriptFacts) => boolean,
): (facts: TranscriptFacts) => Promise<Copies> {
  const owners = new Map<number | bigint, string>();
  const claim = (facts: TranscriptFacts, openings: readonly Opening[]): void => {
    for (const opening of openings)
      for (const key of keysOf(opening, facts))
        if (owners.size < keysMax && !owners.has(key)) owners.set(key, facts.sessionId);
  };
  const known = all.filter(isKnown);
  const fresh = all.filter((facts) => !isKnown(facts));
  let next = 0;
  const catchUp = async (facts: TranscriptFacts): Promise<void> => {
    for (const before of known.splice(0))
      for await (const opening of openingsOf(before.path)) claim(before, [opening]);
    const until = fresh.indexOf(facts, next);
    if (until < 0) return;
    for (const before of fresh.slice(next, until))
      for await (const opening of openingsOf(before.path)) claim(before, [opening]);
    next = until + 1;
  };
  return async (facts) => {
    // No original.
    if (all.length >= 2) await catchUp(facts);
    const seen = new Set<number | bigint>();
    return {
      claim: (openings) => {
        if (all.length >= 2) claim(facts, openings);
      },
      isCopy: ({ command, prompts: [prompt] }) => {
        const opening = command ?? prompt;
        if (opening === undefined) return false;
        const keys = keysOf(opening, facts);
        const isCopy = keys.some(
          (key) => seen.has(key) || (owners.get(key) ?? facts.sessionId) !== facts.sessionId,
        );
        for (const key of keys) seen.add(key);
        return isCopy;
      },
    };
  };
}

async function* openingsOf(path: string): AsyncIterable<Opening> {
  let offset = { bytes: 0, lines: 0 };
  for (let more = true; more;) {
    const read = await readTranscript(transcriptFiles, path, offset, transcriptLimits);
    if (!read.ok || read.value.restarted) return;
    for (const entry of read.value.entries) if (isOpening(entry)) yield entry;
    more = read.value.more && read.value.offset.bytes > offset.bytes;
    ({ offset } = read.value);
  }
}

/** Its uuid, and within a folder its words and instant: the same words are not sent twice in one millisecond. */
const keysOf = (
  { uuid, atMs, text }: Opening,
  { path }: TranscriptFacts,
): readonly (number | bigint)[] => [
  ...(uuid === null ? [] : [Bun.hash(uuid)]),
  ...(atMs === null ? [] : [Bun.hash(`${dirname(path)} ${atMs} ${text}`)]),
];

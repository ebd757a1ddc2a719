/**
 * Prompts that stand twice. Clients copy a session when it is forked, and old ones do not say so: same prompt, same
 * uuid, another file, which may lie in another folder (a worktree's) or begin with lines of its own. Each prompt
 * belongs to one session, the same in every run: to one that was taken before, else to the oldest.
 */
import { dirname } from "node:path";
import {
  readTranscript,
  transcriptFiles,
  transcriptLimits,
  type PromptEntry,
  type TranscriptTurn,
} from "#claude-code";
import type { TranscriptFacts } from "./files.ts";

/** Says of the turns of one transcript, in order, which are copies. */
export type IsCopy = (turn: TranscriptTurn) => boolean;

/** Keys that are kept, more than any history has. What is beyond is taken as it comes. */
const keysMax = 2_000_000;

/** Whose each prompt is. Reads every transcript once, when it is first asked. */
export function createOwners(
  all: readonly TranscriptFacts[],
  isKnown: (facts: TranscriptFacts) => boolean,
): (facts: TranscriptFacts) => Promise<IsCopy> {
  let owners: Promise<ReadonlyMap<number | bigint, string>> | null = null;
  return async (facts) => {
    // No original.
    const owned = all.length < 2 ? new Map() : await (owners ??= ownersIn(all, isKnown));
    const seen = new Set<number | bigint>();
    return ({ prompts: [prompt] }) => {
      if (prompt === undefined) return false;
      const keys = keysOf(prompt, facts);
      const isCopy = keys.some(
        (key) => seen.has(key) || (owned.get(key) ?? facts.sessionId) !== facts.sessionId,
      );
      for (const key of keys) seen.add(key);
      return isCopy;
    };
  };
}

async function ownersIn(
  all: readonly TranscriptFacts[],
  isKnown: (facts: TranscriptFacts) => boolean,
): Promise<ReadonlyMap<number | bigint, string>> {
  const owners = new Map<number | bigint, string>();
  const inOrder = all.toSorted(
    (a, b) =>
      Number(isKnown(b)) - Number(isKnown(a)) ||
      a.startedAt - b.startedAt ||
      (a.sessionId < b.sessionId ? -1 : 1),
  );
  for (const facts of inOrder)
    for await (const prompt of promptsOf(facts.path))
      for (const key of keysOf(prompt, facts))
        if (owners.size < keysMax && !owners.has(key)) owners.set(key, facts.sessionId);
  return owners;
}

async function* promptsOf(path: string): AsyncIterable<PromptEntry> {
  let offset = { bytes: 0, lines: 0 };
  for (let more = true; more;) {
    const read = await readTranscript(transcriptFiles, path, offset, transcriptLimits);
    if (!read.ok || read.value.restarted) return;
    for (const entry of read.value.entries) if (entry.type === "prompt") yield entry;
    more = read.value.more && read.value.offset.bytes > offset.bytes;
    ({ offset } = read.value);
  }
}

/** Its uuid, and within a folder its words and instant: the same words are not sent twice in one millisecond. */
const keysOf = (
  { uuid, atMs, text }: PromptEntry,
  { path }: TranscriptFacts,
): readonly (number | bigint)[] => [
  ...(uuid === null ? [] : [Bun.hash(uuid)]),
  ...(atMs === null ? [] : [Bun.hash(`${dirname(path)} ${atMs} ${text}`)]),
];

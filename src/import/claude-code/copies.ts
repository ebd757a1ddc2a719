/**
 * Prompts that stand twice. Clients copy a session when it is forked, and old ones do not say so: same prompt, same
 * uuid, same instant, another file. Copies begin where their original began, so only such files are compared.
 */
import { dirname } from "node:path";
import {
  readTranscript,
  transcriptFiles,
  transcriptLimits,
  type PromptEntry,
  type TranscriptTurn,
} from "#transcript";
import type { TranscriptFacts } from "./files.ts";

/** Says of the turns of one transcript, in order, which are copies. */
export type IsCopy = (turn: TranscriptTurn) => boolean;

/** What a transcript has that those before it have not. `before`: possible originals, from `originalsOf`. */
export async function copiesIn(before: readonly TranscriptFacts[]): Promise<IsCopy> {
  const known = new Set<string>();
  for (const { path } of before)
    for await (const prompt of promptsOf(path)) for (const key of keysOf(prompt)) known.add(key);
  return ({ prompts: [prompt] }) => {
    if (prompt === undefined) return false;
    const keys = keysOf(prompt);
    const isKnown = keys.some((key) => known.has(key));
    for (const key of keys) known.add(key);
    return isKnown;
  };
}

/**
 * The transcripts of which `facts` may be a copy: same folder, same first instant, imported before it or of a lower id,
 * so that every run has the same owner.
 */
export const originalsOf = (
  facts: TranscriptFacts,
  all: readonly TranscriptFacts[],
  isKnown: (facts: TranscriptFacts) => boolean,
): readonly TranscriptFacts[] =>
  all.filter(
    (other) =>
      other.sessionId !== facts.sessionId &&
      other.startedAt === facts.startedAt &&
      dirname(other.path) === dirname(facts.path) &&
      (isKnown(other) === isKnown(facts) ? other.sessionId < facts.sessionId : isKnown(other)),
  );

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

/** Nobody sends the same words twice in one millisecond. */
const keysOf = ({ uuid, atMs, text }: PromptEntry): readonly string[] => [
  ...(uuid === null ? [] : [uuid]),
  ...(atMs === null ? [] : [`${atMs} ${Bun.hash(text).toString(36)}`]),
];

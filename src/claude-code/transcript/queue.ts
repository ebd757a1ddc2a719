/**
 * Messages that were typed while the agent worked. The client writes each into its queue (`enqueue`), and most of them
 * again where they are delivered: as a prompt of their own, or beside a running turn. Those that stand in the queue
 * alone are prompts too; what went back to the editor was not sent.
 */
import type { EnqueuedEntry, PromptEntry, TranscriptEntry } from "./entry.ts";

/**
 * The entries with each queued message that no other line holds as a prompt in its place. `isOver` false: messages that
 * still wait at the end may be delivered later, and are left out.
 */
export function withQueued(
  entries: readonly TranscriptEntry[],
  isOver: boolean,
): readonly TranscriptEntry[] {
  if (!entries.some(({ type }) => type === "enqueued")) return entries;
  const waiting: EnqueuedEntry[] = [];
  const undelivered = new Set<EnqueuedEntry>();
  for (const entry of entries) {
    if (entry.type === "enqueued") waiting.push(entry);
    else if (entry.type === "prompt") deliver(entry, waiting, undelivered);
    else if (entry.type === "queue") {
      const left = entry.operation === "popAll" ? waiting.splice(0) : waiting.splice(0, 1);
      if (entry.operation !== "popAll") for (const one of left) undelivered.add(one);
    }
  }
  if (isOver) for (const one of waiting) undelivered.add(one);
  return entries.flatMap((entry): readonly TranscriptEntry[] => {
    if (entry.type !== "enqueued") return entry.type === "queue" ? [] : [entry];
    return entry.isTyped && undelivered.has(entry) ? [entry.prompt] : [];
  });
}

/** A prompt delivers the messages that it holds: each line of a joined prompt may be one of them. */
function deliver(prompt: PromptEntry, waiting: EnqueuedEntry[], left: Set<EnqueuedEntry>): void {
  const said = plain(prompt.text);
  const isHeld = ({ prompt: { text } }: EnqueuedEntry): boolean => holds(said, plain(text));
  for (const one of left) if (isHeld(one)) left.delete(one);
  const still = waiting.filter((one) => !isHeld(one));
  waiting.splice(0, waiting.length, ...still);
}

const plain = (text: string): string => text.replace(/\s+/gu, " ").trim();

/** Whole, or as one of several messages that were joined. */
const holds = (whole: string, part: string): boolean =>
  whole === part || ` ${whole} `.includes(` ${part} `);

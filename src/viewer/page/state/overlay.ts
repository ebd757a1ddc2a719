/**
 * What was just done here and is not yet in any answer: edits, pins and memories on their way out. Everything that
 * shows memories looks through it, so that an action is seen at once wherever the memory stands.
 */
import { signal } from "@preact/signals";
import type { MemoryJson, NodeJson } from "#api";

type Patch = Partial<
  Pick<NodeJson, "l0" | "l1" | "l2" | "tags" | "importance" | "pinned" | "status" | "revision">
>;

interface Laid {
  readonly uri: string;
  readonly change: Patch;
}

/** The fields of a memory that actions need. */
export type Subject = Pick<MemoryJson, "uri" | "l0" | "pinned">;

/** In the order in which they were laid over each other; each can be taken away by itself. */
const patches = signal<readonly Laid[]>([]);
export const leaving = signal<ReadonlySet<string>>(new Set());

/** The memory as it will be once what was done here is through. */
export function seen<Memory extends Pick<MemoryJson, "uri">>(memory: Memory): Memory {
  const laid = patches.value.filter(({ uri }) => uri === memory.uri);
  if (laid.length === 0) return memory;
  const shown = { ...memory };
  for (const { change } of laid) Object.assign(shown, change);
  return shown;
}

/** Lays a change over a memory before answers show it; returns what takes that away again. */
export function patch(uri: string, change: Patch): () => void {
  const laid = { uri, change };
  patches.value = [...patches.peek(), laid];
  return () => {
    patches.value = patches.peek().filter((one) => one !== laid);
  };
}

/** Hides a memory that is on its way out; returns what shows it again. */
export function hide(uri: string): () => void {
  leaving.value = new Set(leaving.peek()).add(uri);
  return () => {
    const next = new Set(leaving.peek());
    next.delete(uri);
    leaving.value = next;
  };
}

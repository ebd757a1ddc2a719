/**
 * What was just done here and is not yet in any answer: edits, pins and memories on their way out. Everything that shows
 * memories looks through it, so that an action is seen at once wherever the memory stands.
 */
import { signal } from "@preact/signals";
import type { MemoryJson } from "#service";

type Patch = Partial<MemoryJson>;

/** The fields of a memory that actions need. */
export type Subject = Pick<MemoryJson, "uri" | "l0" | "pinned">;

const patches = signal<ReadonlyMap<string, Patch>>(new Map());
export const leaving = signal<ReadonlySet<string>>(new Set());

/** The memory as it will be once what was done here is through. */
export const seen = <Memory extends Pick<MemoryJson, "uri">>(memory: Memory): Memory => {
  const patch = patches.value.get(memory.uri);
  return patch === undefined ? memory : { ...memory, ...patch };
};

/** Shows a change before the daemon has confirmed it; returns what takes that back. */
export function patch(uri: string, change: Patch): () => void {
  const before = patches.peek().get(uri);
  patches.value = new Map(patches.peek()).set(uri, { ...before, ...change });
  return () => {
    const next = new Map(patches.peek());
    if (before === undefined) next.delete(uri);
    else next.set(uri, before);
    patches.value = next;
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

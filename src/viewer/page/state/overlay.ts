/**
 * Holds what was done or written here and is not yet in any answer: edits, pins, memories on their way out, and drafts.
 * Everything that shows memories looks through it, so that an action is seen at once wherever the memory stands.
 */
import { signal } from "@preact/signals";
import type { MemoryJson, NodeJson } from "#api";
import type { EditFields } from "../parts/edit-fields.ts";

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

export interface Draft {
  /** The answer as it was read before anything was written. */
  readonly before: EditFields;
  readonly fields: EditFields;
  /** Revision that was read; null when it is not known. */
  readonly revision: number | null;
}

/**
 * Edits that are not saved yet, by the memory they are of. They outlive everything but the page itself, and are in no
 * storage: whoever serves a page at this address later could read that.
 */
const drafts = signal<ReadonlyMap<string, Draft>>(new Map());

export const draftOf = (uri: string): Draft | undefined => drafts.value.get(uri);
export const hasDraft = (uri: string): boolean => drafts.value.has(uri);

export function keepDraft(uri: string, draft: Draft): void {
  drafts.value = new Map(drafts.peek()).set(uri, draft);
}

export function dropDraft(uri: string): void {
  if (!drafts.peek().has(uri)) return;
  const next = new Map(drafts.peek());
  next.delete(uri);
  drafts.value = next;
}

// The browser asks before it closes a page that holds what nobody has saved.
addEventListener("beforeunload", (event) => {
  if (drafts.peek().size > 0) event.preventDefault();
});

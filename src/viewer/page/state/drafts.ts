/**
 * Edits that are not saved yet, by the memory they are of. They outlive everything but the page itself, and are in no
 * storage: whoever serves a page at this address later could read that.
 */
import { signal } from "@preact/signals";
import type { EditFields } from "../parts/edit-fields.ts";

export interface Draft {
  /** What was read before anything was written. */
  readonly before: EditFields;
  readonly fields: EditFields;
  /** Revision that was read; null when it is not known. */
  readonly revision: number | null;
}

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

/** What a memory asks for by its statements alone: a place in the tree, and to be current in a slot. */
import type { LogDeps } from "./deps.ts";
import { fold } from "./fold.ts";
import { slotKey, subjectAt } from "./subject.ts";

/** After every change of a subject's statements: notes what it asks for now, and who may be concerned. */
export function claim({ store: { sync }, store }: LogDeps, subject: string): void {
  const before = subjectAt(store, subject);
  const folded = fold(sync.statements(subject));
  const after = {
    ...before,
    place: folded?.fields.place.uri ?? null,
    slot: folded === null ? null : slotKey(folded.fields.project?.key ?? null, folded.fields.slot),
    isCurrent: folded?.fields.standing.status === "active",
    said: folded?.said ?? "",
    createdAt: folded?.fields.made.createdAt ?? 0,
  };
  sync.putSubject(after);
  sync.addDue("subject", subject);
  for (const { place, slot } of [before, after]) {
    if (place !== null) sync.addDue("place", place);
    if (slot !== null) sync.addDue("slot", slot);
  }
}

/**
 * Memories held against the instruction files that the client loads where a session runs: what they say is not given
 * again. The files are read beside; what was found is kept by folder.
 */
import type { NoteLine, NotesHere, Session } from "#domain";
import { saidIn } from "#memory";
import { loadedNotes } from "../jobs/agent-notes.ts";
import type { NotesPort } from "../jobs/note-files.ts";
import type { WorkerContext } from "../context.ts";

/** Memories in reach that are looked at when a turn closes, the latest first. */
const lookedAtMax = 200;
const keptMax = 4_000;

/** The memories that note lines state are found out once, as long as the lines stay the same. */
const known = new WeakMap<readonly NoteLine[], Map<string | null, NotesHere>>();

/** `notesFor` gives the memories that a session's loaded files state; absent where none are known. */
export function notesFor(
  { agentNotes, notes, store }: WorkerContext,
  session: Session | null,
): { readonly notesHere?: NotesHere } {
  const { notesHere } = instructionsFor(notes, session);
  const own = session === null ? null : loadedNotes(agentNotes, store, session);
  if (own === null || own.size === 0) return notesHere === undefined ? {} : { notesHere };
  return { notesHere: (node) => own.get(node.id) ?? notesHere?.(node) ?? null };
}

/** The same of instruction files alone. */
export function instructionsFor(
  notes: NotesPort,
  session: Session | null,
): { readonly notesHere?: NotesHere } {
  const { cwd = null, projectName = null, transcriptPath = null } = session ?? {};
  if (cwd === null || transcriptPath === null) return {};
  const lines = notes.linesFor({ cwd, transcriptPath });
  if (lines.length === 0) return {};
  const byName = known.get(lines) ?? new Map<string | null, NotesHere>();
  known.set(lines, byName);
  const notesHere = byName.get(projectName) ?? reading(lines, projectName);
  byName.set(projectName, notesHere);
  return { notesHere };
}

function reading(lines: readonly NoteLine[], name: string | null): NotesHere {
  const found = new Map<string, NoteLine | null>();
  return ({ l0 }) => {
    const before = found.get(l0);
    if (before !== undefined) return before;
    if (found.size >= keptMax) found.clear();
    const finding = saidIn(l0, { lines, name });
    found.set(l0, finding);
    return finding;
  };
}

/** Inside the job's transaction. */
export function keepNotes(deps: WorkerContext, session: Session): void {
  const { store, gate } = deps;
  if (session.cwd === null || session.transcriptPath === null) return;
  const { notesHere } = notesFor(deps, session);
  const found = new Map<number, NoteLine>();
  const projects = session.project === null ? [] : [session.project];
  const page = { limit: lookedAtMax };
  const nodes =
    notesHere === undefined
      ? []
      : store.nodes.outlines({ projects, statuses: ["active"] }, "recent", page);
  for (const node of nodes) {
    const finding = notesHere?.(node) ?? null;
    if (finding !== null) found.set(node.id, { ...finding, text: gate.clean(finding.text).text });
  }
  store.notes.put(session.cwd, found);
}

/**
 * Previews what a session that starts now would be given: the same code as the injection itself,
 * without writing anything.
 */
import type { NotesHere, NotesPort, Session, Settings, Store } from "#domain";
import { tokensOf } from "#kit";
import { collectStartSnapshot, composeStart } from "#memory";
import type { JsonValue } from "#api";
import type { ServiceContext, ContextPreview } from "#api/server";
import { notesFor, previewPrompt } from "#daemon";
import type { Reader } from "./context.ts";

export const createContextPreview = (
  reader: Reader,
  settings: () => Settings,
  lookUp: (folder: string | null) => string | null,
  notes?: NotesPort,
): Pick<ServiceContext, "previewPrompt" | "previewStart"> => ({
  previewStart: (ask) => {
    const { sessionId, project, branch: asked = null, nowMs } = ask;
    const { store } = reader;
    const name = store.admin.projects().find(({ key }) => key === project)?.name ?? null;
    const latest = latestOf(reader.store, sessionId, project);
    return plain(
      composeStart(
        collectStartSnapshot(store, {
          sessionId,
          project,
          projectName: name,
          branch: asked ?? latest?.branch ?? null,
          command: lookUp(latest?.cwd ?? null),
          source: "startup",
          nowMs,
          tokensMax: settings().inject.startTokens,
          ...loadedFor(reader, notes, latest),
        }),
      ),
    );
  },
  previewPrompt: (ask) => {
    const { prompt, sessionId, project, branch: asked = null, nowMs } = ask;
    const latest = latestOf(reader.store, sessionId, project);
    const branch = asked ?? latest?.branch ?? null;
    const loaded = loadedFor(reader, notes, latest);
    return plain(
      previewPrompt(reader, settings().inject, { prompt, project, branch, nowMs, ...loaded }),
    );
  },
});

/**
 * `loadedFor` gives the instruction files' statements for a folder; in a process that is no daemon,
 * what was found last.
 */
function loadedFor(
  { store }: Reader,
  notes: NotesPort | undefined,
  session: Session | undefined,
): { readonly notesHere?: NotesHere } {
  if (session === undefined || session.cwd === null) return {};
  if (notes !== undefined) return notesFor({ notes }, session);
  const found = store.notes.of(session.cwd);
  return { notesHere: ({ id }) => found.get(id) ?? null };
}

const latestOf = ({ sessions }: Store, sessionId: string, project: string | null) =>
  sessions.byId(sessionId) ??
  sessions.list({ projects: [project ?? ""] }, { limit: 1, offset: 0 })[0];

function plain(composed: {
  readonly text: string;
  readonly nodeIds: readonly number[];
  readonly reasons: unknown;
}): ContextPreview {
  const { text, nodeIds } = composed;
  const reasons: JsonValue = JSON.parse(JSON.stringify(composed.reasons));
  return { text, tokens: text === "" ? 0 : tokensOf(text), reasons, nodeIds };
}

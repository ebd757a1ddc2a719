/** What a session that starts now would be given: the same code as the injection itself, without writing anything. */
import type { Settings, Store } from "#domain";
import { tokensOf } from "#kit";
import { collectStartSnapshot, composeStart } from "#memory";
import type { JsonValue } from "#api";
import type { ContextDep, ContextPreview } from "#service";
import { previewPrompt } from "#worker";

type Reading = Parameters<typeof previewPrompt>[0];

export const createContextPreview = (
  reader: Pick<Reading, "embedder" | "finder" | "store">,
  settings: () => Settings,
  lookUp: (folder: string | null) => string | null,
): ContextDep => ({
  previewStart: ({ sessionId, project, branch: asked = null, nowMs }) => {
    const { store } = reader;
    const name = store.admin.projects().find(({ key }) => key === project)?.name ?? null;
    const latest = latestOf(store, sessionId, project);
    return plain(
      composeStart(
        collectStartSnapshot(
          { nodes: store.nodes, sessions: store.sessions, exposure: store.exposure },
          {
            sessionId,
            project,
            projectName: name,
            branch: asked ?? latest?.branch ?? null,
            command: lookUp(latest?.cwd ?? null),
            source: "startup",
            nowMs,
            tokensMax: settings().inject.startTokens,
          },
        ),
      ),
    );
  },
  previewPrompt: ({ prompt, sessionId, project, branch: asked = null, nowMs }) => {
    const branch = asked ?? latestOf(reader.store, sessionId, project)?.branch ?? null;
    return plain(previewPrompt({ ...reader, settings }, { prompt, project, branch, nowMs }));
  },
});

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

/** What a session that starts now would be given: the same code as the injection itself, without writing anything. */
import type { Settings, Store } from "#domain";
import { tokensOf } from "#kit";
import { collectStartSnapshot, composeStart } from "#memory";
import type { JsonValue } from "#api";
import type { ContextDep } from "#service";

export const createContextPreview =
  (
    store: Store,
    settings: () => Settings,
    lookUp: (folder: string | null) => string | null,
  ): ContextDep["previewStart"] =>
  ({ sessionId, project, nowMs }) => {
    const name = store.admin.projects().find(({ key }) => key === project)?.name ?? null;
    const latest = store.sessions.list({ projects: [project ?? ""] }, { limit: 1, offset: 0 })[0];
    const { branch = null, cwd = null } = store.sessions.byId(sessionId) ?? latest ?? {};
    const { text, reasons } = composeStart(
      collectStartSnapshot(
        { nodes: store.nodes, sessions: store.sessions, exposure: store.exposure },
        {
          sessionId,
          project,
          projectName: name,
          branch,
          command: lookUp(cwd),
          source: "startup",
          nowMs,
          tokensMax: settings().inject.startTokens,
        },
      ),
    );
    const plain: JsonValue = JSON.parse(JSON.stringify(reasons));
    return { text, tokens: text === "" ? 0 : tokensOf(text), reasons: plain };
  };

/** A session as an import leaves it: one turn, and the mark of where it came from. */
import type { Store } from "#domain";

export function addImported(
  store: Store,
  sessionId: string,
  atMs: number,
  prompt = "why does the importer drop rows without a weight?",
): void {
  const project = { project: "github.com/deskly/deskly", projectName: "deskly" };
  const endedAt = atMs + 500;
  store.sessions.upsert({ sessionId, ...project, status: "interrupted", atMs, endedAt });
  store.sessions.addTurn({
    sessionId,
    n: 1,
    promptId: null,
    line: 1,
    status: "closed",
    startedAt: atMs,
    endedAt,
    isPrivate: false,
    prompt,
    answer: "An empty weight became NaN.",
    toolCount: 0,
    filesRead: [],
    filesEdited: [],
  });
  store.imports.save("claude-code", `session:${sessionId}`, { nodeId: null, extent: 1 }, atMs);
}

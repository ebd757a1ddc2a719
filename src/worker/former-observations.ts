/**
 * Makes leaves of the archive of the observations that earlier versions kept in rows of their own, each at the address
 * that it always had. In slices; a row goes with the transaction that writes its leaf.
 */
import type { FormerObservation, NodeDraft, Store } from "#domain";
import { archiveUri } from "#memory";

const rowsPerSlice = 50;

export function* moveObservations({ store }: { readonly store: Store }): Generator<void, string> {
  let moved = 0;
  for (;;) {
    const rows = store.sessions.formerObservations(rowsPerSlice);
    if (rows.length === 0) return `${moved} in the archive`;
    store.transaction(() => {
      for (const row of rows) move(store, row);
    });
    moved += rows.length;
    yield;
  }
}

function move({ nodes, sessions }: Store, row: FormerObservation): void {
  const draft = draftOf(row);
  if (nodes.byUri(draft.uri) === null && !nodes.isForgotten(row.title))
    nodes.insert(draft, {
      atMs: row.atMs,
      action: "create",
      by: "system",
      reason: "observed by an earlier version",
    });
  sessions.dropObservation(row.id);
}

const draftOf = (row: FormerObservation): NodeDraft => ({
  uri: archiveUri({ sessionId: row.sessionId, part: "observations", n: row.id }),
  category: "sessions",
  project: row.project,
  l0: row.title,
  l1: [row.text, ...row.facts.map((fact) => `- ${fact}`)].join("\n").trim() || null,
  tags: [row.type, ...row.concepts],
  files: row.files,
  origin: "tool",
  maker: "stop",
  sourceSession: row.sessionId,
  validFrom: row.atMs,
  evidence: [{ sessionId: row.sessionId, turn: row.turn, line: null, quote: "" }],
});

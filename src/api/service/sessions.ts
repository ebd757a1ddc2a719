/** The archive: sessions with their turns, checkpoints and what was kept of each turn. */
import {
  evaluationTypes,
  isExchange,
  type MemoryNode,
  type ObservationType,
  observationTypes,
  projectLabels,
  type Turn,
} from "#domain";
import { ok, type Result } from "#kit";
import type { ObservationJson, SessionDetailJson, SessionPageJson } from "../forms-session.ts";
import type { ServiceError } from "./errors.ts";
import { cursorAfter, defined, pageOf, scopeOf, sessionAt } from "./scope.ts";
import { checkpointToJson, memoryToJson, sessionToJson, turnToJson } from "./views.ts";
import type { Context, Query } from "./context.ts";

/** Leaves of one session that are told with it. */
const leavesMax = 1_000;

/** Number of the turn with this prompt id that was kept; null when there is none. */
export function turnOfPrompt(
  { store }: Context,
  sessionId: string,
  promptId: string,
): number | null {
  const turn = store.sessions.turnByPromptId(sessionId, promptId);
  return turn === null || turn.prompt === null ? null : turn.n;
}

/** Sessions, the latest first. */
export function sessions(
  context: Context,
  ask: Query<"GET /api/sessions">,
): Result<SessionPageJson, ServiceError> {
  const page = pageOf(ask);
  if (!page.ok) return page;
  const scope = scopeOf(context, { project: ask.project });
  if (!scope.ok) return scope;
  const { status, since: sinceMs, until: untilMs } = ask;
  const filter = { projects: scope.value, ...defined({ status, sinceMs, untilMs }) };
  const { sessions: table } = context.store;
  const total = table.count(filter);
  const found = table.list(filter, page.value);
  const labels = projectLabels(context.store.admin.projectNames());
  const turns = table.turnCounts(found.map(({ sessionId }) => sessionId));
  return ok({
    items: found.map((one) =>
      Object.assign(sessionToJson(one, labels), { turns: turns.get(one.sessionId) ?? 0 }),
    ),
    total,
    next_cursor: cursorAfter(page.value, total),
  });
}

/** One session, with what was said and done in it. */
export function session(context: Context, given: string): Result<SessionDetailJson, ServiceError> {
  const { store } = context;
  const asked = sessionAt(context, given);
  if (!asked.ok) return asked;
  const found = asked.value;
  const { sessionId } = found;
  const labels = projectLabels(store.admin.projectNames());
  const turns = store.sessions.turns(sessionId);
  const leaves = store.nodes.list({ archive: true, session: sessionId }, "uri", {
    limit: leavesMax,
  });
  return ok({
    ...sessionToJson(found, labels),
    turns: turns.map(turnToJson),
    checkpoints: store.sessions.checkpoints(sessionId).map(checkpointToJson),
    observations: observationsIn(leaves, turns),
    moments: leaves.map(memoryToJson),
  });
}

// Tells what the tools of turns brought about, of the leaves that are kept of a session. Pure.

/** `turns` are those of the session, and tell which files were read and which edited. */
function observationsIn(
  leaves: readonly MemoryNode[],
  turns: readonly Turn[],
): readonly ObservationJson[] {
  const byNumber = new Map(turns.map((turn) => [turn.n, turn]));
  return leaves.flatMap((leaf) => {
    const type = typeOf(leaf);
    const id = Number(leaf.uri.slice(leaf.uri.lastIndexOf("/") + 1));
    const n = isExchange(leaf.uri) ? id : (leaf.evidence[0]?.turn ?? 0);
    return type === undefined ? [] : [observationOf(leaf, { id, type, turn: byNumber.get(n), n })];
  });
}

function observationOf(
  { createdAt, files, l0, l1, l2, tags, validFrom }: MemoryNode,
  of: Pick<ObservationJson, "id" | "type"> & { readonly turn: Turn | undefined; n: number },
): ObservationJson {
  return {
    id: of.id,
    turn: of.n,
    at: validFrom ?? createdAt,
    type: of.type,
    title: l0,
    subtitle: "",
    narrative: l1 ?? "",
    facts: l2?.split("\n") ?? [],
    concepts: tags.filter((tag) => !types.has(tag)),
    files_read: of.turn?.filesRead ?? [],
    files_modified: of.turn?.filesEdited ?? files,
  };
}

const types: ReadonlySet<string> = new Set([...observationTypes, ...evaluationTypes]);

/** It stands first, or behind the type of the turn. */
const typeOf = ({ tags }: MemoryNode): ObservationType | undefined =>
  observationTypes.find((type) => tags[1] === type) ??
  observationTypes.find((type) => tags[0] === type);

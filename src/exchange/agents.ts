/**
 * Backfill from the sessions that other agents store: the oldest first, each once. What hooks have captured is passed
 * over, since a session has the same id either way.
 */
import {
  openCodeRow,
  readOpenCode,
  readSessionFile,
  sessionFiles,
  type AgentSession,
  type HookedAgent,
  type OpenCodeRow,
  turnsOf,
} from "#clients";
import { agentSessionId, type ForeignDatabase, type KnownSession, type OtherAgent } from "#domain";
import { newSession } from "./apply.ts";
import { reasons } from "./items.ts";
import { sessionSteps, type Batch } from "./claude-code/session.ts";
import { left, SourceFailure, type ReadContext, type ReadPlan, type ReadStep } from "./source.ts";

/** A stored session, read when its turn comes. */
interface Stored {
  /** The size of the source: bytes of a file, rows of a table. It only grows. */
  readonly extent: number;
  /** The session, or why there is none. */
  readonly read: () => AgentSession | string;
}

interface Ask {
  readonly path: string;
  readonly known: (sessionIds: readonly string[]) => Promise<readonly KnownSession[]>;
}

export function planAgentFiles(
  context: ReadContext,
  { agent, path, known }: Ask & { readonly agent: HookedAgent },
): ReadPlan {
  const files = sessionFiles(agent, path);
  if (files.length === 0) throw new SourceFailure(`there are no sessions of ${agent} in ${path}`);
  const stored = files.map((file) => ({
    extent: file.bytes,
    read: () => readSessionFile(agent, file),
  }));
  return planOf(context, { agent, stored, known, unit: "bytes" });
}

export function planOpenCode(
  context: ReadContext,
  { database, path, known }: Ask & { readonly database: ForeignDatabase },
): ReadPlan {
  const missing = ["session", "message", "part"].filter((table) => !database.tables.has(table));
  if (missing.length > 0)
    throw new SourceFailure(`${path} is no database of OpenCode: no table ${missing.join(", ")}`);
  const columns = ["id", "parent_id", "directory", "time_created"];
  const rows = database.rows("session", { columns, orderBy: ["time_created", "id"] });
  const stored = [...rows].map((row): Stored => {
    const { parent_id: parent, directory: cwd, time_created: startedAtMs } = row;
    const id = String(row["id"]);
    return {
      extent: [...rowsIn(database, "part", id)].length,
      read: () =>
        readOpenCode(
          {
            id,
            isSubagent: typeof parent === "string",
            cwd: typeof cwd === "string" ? cwd : null,
            branch: null,
            startedAtMs: typeof startedAtMs === "number" ? startedAtMs : null,
          },
          messagesOf(database, id),
        ),
    };
  });
  const plan = planOf(context, { agent: "opencode", stored, known, unit: "records" });
  return { ...plan, close: () => database[Symbol.dispose]() };
}

function* rowsIn(
  database: ForeignDatabase,
  table: "message" | "part",
  sessionId: string,
): Iterable<OpenCodeRow & { readonly messageId: string }> {
  const query = {
    columns: ["id", "message_id", "time_created", "data"],
    where: { column: "session_id", equals: sessionId },
    orderBy: ["time_created", "id"],
  };
  for (const row of database.rows(table, query)) {
    const read = openCodeRow(row);
    if (read !== null) yield { ...read, messageId: String(row["message_id"] ?? "") };
  }
}

function messagesOf(database: ForeignDatabase, sessionId: string) {
  const parts = Map.groupBy(rowsIn(database, "part", sessionId), ({ messageId }) => messageId);
  return [...rowsIn(database, "message", sessionId)].map(({ id, data, createdMs }) => ({
    id,
    data,
    createdMs,
    parts: parts.get(id) ?? [],
  }));
}

interface Source {
  readonly known: Ask["known"];
  readonly agent: OtherAgent;
  readonly stored: readonly Stored[];
  readonly unit: ReadPlan["unit"];
}

const planOf = (context: ReadContext, source: Source): ReadPlan => ({
  total: source.stored.reduce((sum, { extent }) => sum + extent, 0),
  unit: source.unit,
  steps: steps(context, source),
  close: () => undefined,
});

async function* steps(context: ReadContext, source: Source): AsyncIterable<ReadStep> {
  for (const { read, extent } of source.stored) {
    const session = read();
    if (typeof session === "string") yield left("skipped", session);
    else if (session.isSubagent) yield left("skipped", "a subagent's session");
    else yield* oneSession(context, source, session, extent);
    yield { type: "progress", done: extent };
  }
}

async function* oneSession(
  context: ReadContext,
  { agent, known }: Source,
  session: AgentSession,
  extent: number,
): AsyncIterable<ReadStep> {
  const { cwd } = session;
  if (cwd !== null && context.isExcluded(cwd)) {
    yield left("skipped", reasons.excluded);
    return;
  }
  const sessionId = agentSessionId(agent, session.id);
  const [before] = await known([sessionId]);
  const { state, turns: turnsKnown, extent: readBefore } = before ?? newSession;
  if (state === "captured" || (state === "imported" && readBefore >= extent)) {
    const reason = state === "captured" ? reasons.elsewhere : reasons.before;
    yield left("skipped", reason, turnsKnown + 1);
    return;
  }
  const turns = turnsOf(session.entries);
  yield* sessionSteps(context, {
    facts: { path: null, sessionId, bytes: extent, startedAt: session.startedAtMs ?? 0, cwd },
    turnsKnown,
    isNew: state === "new",
    batches: async function* (_, reading): AsyncIterable<Batch> {
      reading.offset = { bytes: extent, lines: 0 };
      yield { turns, copied: [], openings: [], bytes: 0, isLast: true };
    },
  });
}

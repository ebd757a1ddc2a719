/**
 * Backfill from the sessions that other agents store: the oldest first, each once. What hooks have captured is passed
 * over, since a session has the same id either way.
 */
import {
  openCodeRow,
  readAiderFile,
  readOpenCode,
  readSessionFile,
  sessionFiles,
  type AgentSession,
  type HookedAgent,
  type OpenCodeRow,
  turnsOf,
} from "#clients";
import { agentSessionId, type ForeignDatabase, type OtherAgent } from "#domain";
import type { KnownSession } from "./apply.ts";
import { sessionSteps, type Batch } from "./claude-code/session.ts";
import { left, SourceFailure, type ReadContext, type ReadPlan, type ReadStep } from "./source.ts";

/** A stored session, read when its turn comes. */
interface Stored {
  /** Where it is in the reading: its file, or its row. */
  readonly path: string;
  /** How much of it there is: bytes of a file, rows of a table. It only grows. */
  readonly extent: number;
  /** Null when there is none; a word for people says why. */
  readonly read: () => AgentSession | string;
}

type Source = OtherAgent | "aider";

type Known = (sessionIds: readonly string[]) => Promise<readonly KnownSession[]>;

/** Sessions of an agent that keeps files. */
export function planAgentFiles(
  context: ReadContext,
  ask: { readonly agent: HookedAgent; readonly path: string; readonly known: Known },
): ReadPlan {
  const { agent, path, known } = ask;
  const files = sessionFiles(agent, path);
  if (files.length === 0) throw new SourceFailure(`there are no sessions of ${agent} in ${path}`);
  const stored = files.map((file) => ({
    path: file.path,
    extent: file.bytes,
    read: () => readSessionFile(agent, file),
  }));
  return planOf(context, { agent, stored, known, unit: "bytes", close: () => undefined });
}

/** Chats of aider, which keeps all of a project in one file. */
export function planAider(
  context: ReadContext,
  { path, known }: { readonly path: string; readonly known: Known },
): ReadPlan {
  const files = sessionFiles("aider", path);
  if (files.length === 0)
    throw new SourceFailure(
      `there is no chat history of aider in ${path}`,
      "name its file or folder",
    );
  const stored = files.flatMap((file): readonly Stored[] => {
    const chats = readAiderFile(file);
    if (typeof chats === "string")
      return [{ path: file.path, extent: file.bytes, read: () => chats }];
    return chats.map(({ session, chars }) => ({
      path: `${file.path}#${session.id}`,
      extent: chars,
      read: () => session,
    }));
  });
  return planOf(context, {
    agent: "aider",
    stored,
    known,
    unit: "records",
    close: () => undefined,
  });
}

/** Sessions of OpenCode, which keeps a database. */
export function planOpenCode(
  context: ReadContext,
  ask: { readonly database: ForeignDatabase; readonly path: string; readonly known: Known },
): ReadPlan {
  const { database, path, known } = ask;
  const missing = ["session", "message", "part"].filter((table) => !database.tables.has(table));
  if (missing.length > 0)
    throw new SourceFailure(`${path} is no database of OpenCode: no table ${missing.join(", ")}`);
  const columns = ["id", "parent_id", "directory", "time_created"];
  const stored = [...database.rows("session", { columns, orderBy: ["time_created", "id"] })].map(
    (row): Stored => {
      const id = String(row["id"]);
      const parts = [...rowsIn(database, "part", id)];
      return {
        path: `${path}#${id}`,
        extent: parts.length,
        read: () =>
          readOpenCode(
            {
              id,
              isSubagent: typeof row["parent_id"] === "string",
              cwd: typeof row["directory"] === "string" ? row["directory"] : null,
              branch: null,
              startedAtMs: typeof row["time_created"] === "number" ? row["time_created"] : null,
            },
            messagesOf(database, id),
          ),
      };
    },
  );
  const close = (): void => database[Symbol.dispose]();
  return planOf(context, { agent: "opencode", stored, known, unit: "records", close });
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

function planOf(
  context: ReadContext,
  from: {
    readonly agent: Source;
    readonly stored: readonly Stored[];
    readonly known: Known;
    readonly unit: ReadPlan["unit"];
    readonly close: () => void;
  },
): ReadPlan {
  const { agent, stored, known, unit, close } = from;
  const total = stored.reduce((sum, { extent }) => sum + extent, 0);
  const steps = async function* (): AsyncIterable<ReadStep> {
    for (const one of stored) {
      const session = one.read();
      if (typeof session === "string") yield left("skipped", session);
      else if (session.isSubagent) yield left("skipped", "a subagent's session");
      else yield* stepsOf(context, { agent, one, session, known });
      yield { type: "progress", done: one.extent };
    }
  };
  return { total, unit, steps: steps(), close };
}

async function* stepsOf(
  context: ReadContext,
  given: {
    readonly agent: Source;
    readonly one: Stored;
    readonly session: AgentSession;
    readonly known: Known;
  },
): AsyncIterable<ReadStep> {
  const { agent, one, session, known } = given;
  if (session.cwd !== null && context.isExcluded(session.cwd)) {
    yield left("skipped", "of a project that is excluded");
    return;
  }
  const sessionId = agentSessionId(agent, session.id);
  const [state] = await known([sessionId]);
  if (state?.state === "captured") {
    yield left("skipped", "the session is there already", state.turns + 1);
    return;
  }
  const isImported = state?.state === "imported";
  if (isImported && state.extent >= one.extent) {
    yield left("skipped", "imported before", state.turns + 1);
    return;
  }
  const turns = turnsOf(session.entries);
  const steps = sessionSteps(context, {
    facts: {
      path: null,
      sessionId,
      bytes: one.extent,
      startedAt: session.startedAtMs ?? 0,
      cwd: session.cwd,
    },
    turnsKnown: isImported ? state.turns : 0,
    isNew: !isImported,
    batches: async function* (_, reading): AsyncIterable<Batch> {
      reading.offset = { bytes: one.extent, lines: 0 };
      yield { turns, copied: [], openings: [], bytes: 0, isLast: true };
    },
  });
  yield* steps;
}

/**
 * Where rows belong: session ids in their two forms, turn numbers, projects. Holds ids and times of sessions, never
 * texts.
 */
import {
  boundedKey,
  type ForeignDatabase,
  type ForeignRow,
  projectNameOf,
  type SessionStatus,
} from "#domain";
import { itemStep, type ReaderDeps, type ReadStep } from "../source.ts";
import { type NotePlace, numberOf, textOf, timeOf } from "./note.ts";

interface KnownSession {
  readonly project: string;
  readonly status: Exclude<SessionStatus, "active">;
  readonly startedAt: number;
  readonly completedAt: number | null;
  lastMs: number;
  /** Prompt numbers in the order of their turns. */
  readonly prompts: number[];
}

export interface Places {
  /** False when the session was there already. */
  readonly addSession: (
    row: ForeignRow,
    session: { readonly sessionId: string; readonly startedAt: number },
  ) => boolean;
  readonly isKnown: (sessionId: string) => boolean;
  /** Number of the turn that a prompt opens, from 1. */
  readonly nextTurn: (sessionId: string, promptNumber: number | null, atMs: number) => number;
  /** Null for a row without a session or a time. */
  readonly placeOf: (row: ForeignRow) => NotePlace | null;
  readonly projectOf: (name: string) => { readonly key: string; readonly name: string } | null;
  readonly ends: () => Iterable<ReadStep>;
}

export function createPlaces(deps: ReaderDeps, db: ForeignDatabase): Places {
  const sessions = new Map<string, KnownSession>();
  const byObserver = new Map<string, string>();
  const projects = createProjects(deps, db);
  return {
    addSession: (row, { sessionId, startedAt }) => {
      const observer = textOf(row, "memory_session_id", "sdk_session_id");
      if (observer !== "") byObserver.set(observer, sessionId);
      if (sessions.has(sessionId)) return false;
      sessions.set(sessionId, {
        project: textOf(row, "project"),
        status: statusOf(textOf(row, "status")),
        startedAt,
        completedAt: timeOf(row, "completed_at_epoch"),
        lastMs: startedAt,
        prompts: [],
      });
      return true;
    },
    isKnown: (sessionId) => sessions.has(sessionId),
    nextTurn: (sessionId, promptNumber, atMs) => {
      const session = sessions.get(sessionId);
      if (session === undefined) return 1;
      session.lastMs = Math.max(session.lastMs, atMs);
      return session.prompts.push(promptNumber ?? session.prompts.length + 1);
    },
    placeOf: (row) => {
      const atMs = timeOf(row, "created_at_epoch", "created_at");
      const id = textOf(row, "memory_session_id", "sdk_session_id", "session_id");
      if (atMs === null || id === "") return null;
      const sessionId = (byObserver.get(id) ?? id).slice(0, 128);
      const session = sessions.get(sessionId);
      if (session !== undefined) session.lastMs = Math.max(session.lastMs, atMs);
      const name = textOf(row, "merged_into_project", "project") || (session?.project ?? "");
      const project = projects(name);
      return {
        sessionId,
        turn: turnOf(session, numberOf(row, "prompt_number")),
        project: project?.key ?? null,
        projectName: project?.name ?? "",
        atMs,
      };
    },
    projectOf: projects,
    ends: function* () {
      for (const [sessionId, session] of sessions)
        yield itemStep({
          kind: "end",
          sessionId,
          project: projects(session.project)?.key ?? null,
          status: session.status,
          endedAt: Math.max(session.lastMs, session.completedAt ?? 0),
          checkpoint: null,
          transcript: null,
        });
    },
  };
}

const statusOf = (text: string): KnownSession["status"] =>
  text === "completed" || text === "failed" ? text : "interrupted";

/** The turn of a prompt number: that prompt's, else the last before it; 0 when there is none. */
function turnOf(session: KnownSession | undefined, promptNumber: number | null): number {
  if (session === undefined) return 0;
  if (promptNumber === null) return session.prompts.length;
  return session.prompts.findLastIndex((number) => number <= promptNumber) + 1;
}

/**
 * claude-mem knows a project by the name of its folder; `a/b` is a worktree of `a`. Ours is found by a project that is
 * known under that name, or by a folder that some record names; else the name stands for itself.
 */
function createProjects(deps: ReaderDeps, db: ForeignDatabase): Places["projectOf"] {
  const folders = foldersOf(db);
  const known = new Map<string, { readonly key: string; readonly name: string } | null>();
  const find = (name: string): { readonly key: string; readonly name: string } | null => {
    const own = name.split("/")[0]?.trim().slice(0, 200) ?? "";
    if (own === "") return null;
    const named = deps.projectNamed(own);
    if (named !== null) return { key: named, name: own };
    const folder = folders.get(own) ?? folders.get(name);
    const project = folder === undefined ? null : deps.projectOf(folder);
    const key = project?.key ?? boundedKey(own);
    return { key, name: projectNameOf(own, key) };
  };
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const found = find(name);
    known.set(name, found);
    return found;
  };
}

const folderRowsMax = 5_000;

/** Working folders by project name, from the tables that keep them. */
function foldersOf(db: ForeignDatabase): ReadonlyMap<string, string> {
  const folders = new Map<string, string>();
  let seen = 0;
  for (const row of db.rows("tool_uses", { columns: ["project", "cwd"], orderBy: [] })) {
    const project = textOf(row, "project");
    const cwd = textOf(row, "cwd");
    // A subfolder would be another project where there is no repository.
    if (cwd.endsWith(`/${project}`) && !folders.has(project)) folders.set(project, cwd);
    seen += 1;
    if (seen >= folderRowsMax) break;
  }
  return folders;
}

/**
 * What a hook's `start` builds when the daemon is away: a read-only store and the start context, nothing else. No
 * embedder, no server: this is on the clock of a session start.
 */
import { collectStartSnapshot, composeStart, emptyStoreGreeting, startSourceOf } from "#memory";
import { openForStart, type StartStore } from "#store";
import { historyAt } from "#hooks";
import {
  isTrustedPlace,
  ownProject,
  toolPrefixOf,
  type HomePaths,
  type HookEnvelope,
  type ProjectIdentity,
} from "#domain";
import { msPerSecond } from "#kit";

export interface StartReadDeps {
  readonly projectOf: (cwd: string) => ProjectIdentity | null;
  readonly startTokens: number;
  readonly lookUp: (project: ProjectIdentity | null) => string | null;
}

/** The start context; before there is a database, that of an empty one. Empty when it cannot be read. */
export function readStartContext(
  paths: HomePaths,
  envelope: HookEnvelope,
  deps: StartReadDeps,
): string {
  const opened = openForStart(paths.database);
  const sessionId = textOf(envelope, "session_id") ?? "";
  const cwd = textOf(envelope, "cwd") ?? "";
  if (!opened.ok)
    return opened.error.type === "store.missing" ? greeting(sessionId, cwd, deps) : "";
  using store = opened.value;
  const project = cwd === "" ? null : projectIn(store, deps.projectOf(cwd), cwd);
  const found = store.notes.of(cwd);
  const snapshot = collectStartSnapshot(
    {
      nodes: store.nodes,
      sessions: store.sessions,
      exposure: store.exposure,
      openEnds: store.openEnds,
    },
    {
      sessionId,
      project: project?.key ?? null,
      projectName: project?.name ?? null,
      branch: project?.branch ?? null,
      command: deps.lookUp(project),
      source: startSourceOf(textOf(envelope, "source")),
      sinceAnswerMs: sinceAnswerOf(envelope),
      nowMs: envelope.atMs,
      tokensMax: deps.startTokens,
      notesHere: ({ id }) => found.get(id) ?? null,
    },
  );
  return composeStart(snapshot).text;
}

const greeting = (sessionId: string, cwd: string, deps: StartReadDeps): string =>
  emptyStoreGreeting({
    command: deps.lookUp(cwd === "" ? null : deps.projectOf(cwd)),
    toolPrefix: toolPrefixOf(sessionId),
    tokensMax: deps.startTokens,
  }).text;

function textOf({ payload }: HookEnvelope, name: string): string | null {
  const value = payload[name];
  return typeof value === "string" ? value : null;
}

/** The project that a folder says, as far as it is believed and nobody has decided otherwise. */
function projectIn(
  store: StartStore,
  said: ProjectIdentity | null,
  cwd: string,
): ProjectIdentity | null {
  return believed(store, said === null ? null : ownProject(store.projects.rules(), said, cwd));
}

/** The project where its folder is believed to be it; else only what holds everywhere is told. */
const believed = (store: StartStore, project: ProjectIdentity | null): ProjectIdentity | null =>
  project !== null && isTrustedPlace(store.places, project, historyAt) ? project : null;

function sinceAnswerOf({ payload }: HookEnvelope): number | null {
  const seconds = payload["seconds_since_last_response"];
  return typeof seconds === "number" ? seconds * msPerSecond : null;
}

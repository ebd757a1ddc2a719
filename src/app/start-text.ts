/**
 * Builds a start text for a hook when the daemon is away: a read-only store and the start context,
 * nothing else. No embedder, no server: this is on the clock of a session start.
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

/**
 * The start context of at most `tokensMax` tokens; before there is a database, that of an empty one. Empty when it
 * cannot be read. `lookUp` gives the command by which the agent searches, by the project's folder.
 */
export function readStartContext(
  paths: HomePaths,
  envelope: HookEnvelope,
  tokensMax: number,
  lookUp: (folder: string | null) => string | null,
): string {
  const opened = openForStart(paths.database);
  const sessionId = textOf(envelope, "session_id") ?? "";
  const cwd = textOf(envelope, "cwd") ?? "";
  const said = cwd === "" ? null : (envelope.project ?? null);
  if (!opened.ok) {
    if (opened.error.type !== "store.missing") return "";
    const command = lookUp(said?.root ?? null);
    return emptyStoreGreeting({ command, toolPrefix: toolPrefixOf(sessionId), tokensMax }).text;
  }
  using store = opened.value;
  const project = said === null ? null : projectIn(store, said, cwd);
  const found = store.notes.of(cwd);
  const snapshot = collectStartSnapshot(store, {
    sessionId,
    ...namesOf(project),
    command: lookUp(project?.root ?? null),
    source: startSourceOf(textOf(envelope, "source")),
    sinceAnswerMs: sinceAnswerOf(envelope),
    nowMs: envelope.atMs,
    tokensMax,
    notesHere: ({ id }) => found.get(id) ?? null,
  });
  return composeStart(snapshot).text;
}

const namesOf = (project: ProjectIdentity | null) => ({
  project: project?.key ?? null,
  projectName: project?.name ?? null,
  branch: project?.branch ?? null,
});

function textOf({ payload }: HookEnvelope, name: string): string | null {
  const value = payload[name];
  return typeof value === "string" ? value : null;
}

/**
 * The project that a folder says, unless somebody has decided otherwise; null where its folder is not believed to be
 * it: then only what holds everywhere is told.
 */
function projectIn(store: StartStore, said: ProjectIdentity, cwd: string): ProjectIdentity | null {
  const project = ownProject(store.projects.rules(), said, cwd);
  return isTrustedPlace(store.places, project, historyAt) ? project : null;
}

function sinceAnswerOf({ payload }: HookEnvelope): number | null {
  const seconds = payload["seconds_since_last_response"];
  return typeof seconds === "number" ? seconds * msPerSecond : null;
}

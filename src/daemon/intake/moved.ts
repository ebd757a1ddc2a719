/**
 * Projects without a remote whose folder was renamed or moved: known again, once the old folder is gone, by a commit
 * that both have, or by the mark of the folder itself, which a rename leaves as it is. Otherwise the user is told,
 * once, where memories of a project of this name were.
 */
import {
  folderKey,
  isTrustedPlace,
  ownProject,
  type ProjectIdentity,
  projectNameOf,
  type Session,
} from "#domain";
import { shellLine } from "#kit";
import type { PreparedEvent } from "./prepare.ts";
import type { WorkerContext } from "../context.ts";

export interface FoundProject {
  readonly project: ProjectIdentity | null;
  /** The line for the user about a folder that is gone. */
  readonly line: string | null;
}

/** True for a project without a remote. */
const isByFolder = (key: string): boolean => key.startsWith("dir:");

/** The project of a folder; at the first event of a folder, the one that was moved here. */
export function foundProject(
  deps: WorkerContext,
  said: ProjectIdentity,
  at: { readonly folder: string | null; readonly atMs: number },
): FoundProject {
  const { places, projects } = deps.store;
  const rules = projects.rules();
  const heir = ownProject(rules, said, at.folder);
  const isJoined = rules.joined?.includes(said.key) === true;
  const parts =
    at.folder !== null && heir.key !== said.key && !isJoined && isOther(deps, heir.key, said.root);
  if (parts) projects.part(said.key, said.root, at.atMs);
  const own = parts ? ownProject(projects.rules(), said, at.folder) : heir;
  const isFirst = isByFolder(own.key) && !places.at(own.key, own.root);
  if (!isByFolder(own.key)) joinFormer(deps, own, at.atMs);
  return { project: own, line: isFirst ? metFirst(deps, own, at.atMs) : null };
}

/** Notes a folder without a remote that is met first, with what was moved here. Returns what the user is told. */
function metFirst(deps: WorkerContext, own: ProjectIdentity, atMs: number): string | null {
  const { admin, places, projects } = deps.store;
  const ids = [...(deps.historyAt(own.root)?.commits ?? []), ...marksOf(deps, own.root)];
  const isNew = !admin.projects().some(({ key }) => key === own.key);
  const isThere = (key: string, root: string): boolean => !isOther(deps, key, root);
  const gone = isNew ? goneAmong(deps, places.sharing(own.key, ids), isThere) : [];
  const moved = gone.length === 1 ? gone[0] : undefined;
  if (moved !== undefined) projects.merge(moved.key, own, atMs);
  projects.meet(own, atMs);
  places.put(own.key, { root: own.root, isTrusted: true }, atMs);
  places.addCommits(own.key, ids, atMs);
  if (moved !== undefined) return joinedLine(deps, moved.folder);
  const other = isNew ? (gone[0] ?? goneNamed(deps, own)) : undefined;
  return other === undefined ? null : goneLine(deps, own.name, other.folder);
}

/** Notes a folder without a remote where something is remembered before any session. Returns what the user is told. */
export function noteFolder(
  deps: WorkerContext,
  key: string,
  root: string,
  atMs: number,
): string | null {
  if (!isByFolder(key) || deps.store.places.at(key, root)) return null;
  return metFirst(deps, { key, root, name: projectNameOf(root, key), branch: null }, atMs);
}

const marksOf = ({ folderMark }: WorkerContext, folder: string): readonly string[] => {
  const mark = folderMark(folder) ?? "";
  return mark === "" ? [] : [mark];
};

/** A repository that was given a remote stays one project: what it had under its folder comes along. */
function joinFormer(
  { store: { places, projects }, historyAt }: WorkerContext,
  own: ProjectIdentity,
  atMs: number,
): void {
  const former = folderKey(own.root);
  if (!places.at(former, own.root)) return;
  // Another repository may lie where the former one lay.
  if (historyAt(own.root)?.hasAny(places.commits(former)) === true)
    projects.merge(former, own, atMs);
}

interface Gone {
  readonly key: string;
  /** The last one that it lay in. */
  readonly folder: string;
}

/** True where a folder without a remote is there that is not the project's: neither by its mark nor by a commit. */
function isOther(deps: WorkerContext, key: string, root: string): boolean {
  const { places } = deps.store;
  const marks = marksOf(deps, root);
  if (!isByFolder(key) || marks.length === 0 || places.sharing("", marks).includes(key))
    return false;
  return deps.historyAt(root)?.hasAny(places.commits(key)) !== true;
}

const goneAmong = (
  { store, folderMark }: WorkerContext,
  keys: readonly string[],
  isThere: (key: string, root: string) => boolean = () => true,
): readonly Gone[] =>
  keys.flatMap((key) => {
    const roots = store.places.of(key, "").map(({ root }) => root);
    const [folder] = roots;
    return folder === undefined ||
      roots.some((root) => folderMark(root) !== null && isThere(key, root))
      ? []
      : [{ key, folder }];
  });

function goneNamed(deps: WorkerContext, { key, name }: ProjectIdentity): Gone | undefined {
  const same = deps.store.admin
    .projects()
    .filter((other) => isByFolder(other.key) && other.key !== key && other.name === name);
  return goneAmong(
    deps,
    same.map((other) => other.key),
  )[0];
}

/** Notes, when a turn or session ends, by what a project will be known elsewhere, where nothing is noted yet. */
export function noteCommits(deps: WorkerContext, { type, project, atMs }: PreparedEvent): void {
  if (project === null || (type !== "stop" && type !== "end")) return;
  const { places } = deps.store;
  const { key, root } = project;
  const commits =
    places.commits(key).length > 0 || !isTrustedPlace(places, project, deps.historyAt)
      ? []
      : (deps.historyAt(root)?.commits ?? []);
  const marks = type === "end" && isByFolder(key) ? marksOf(deps, root) : [];
  if (commits.length + marks.length > 0) places.addCommits(key, [...commits, ...marks], atMs);
  // A session without a start is the first that shows where a project with a remote lies.
  if (commits.length > 0) places.put(key, { root, isTrusted: true }, atMs);
}

const goneLine = ({ program }: WorkerContext, name: string, folder: string): string =>
  `Continuity: memories of a project ${name} exist for ${folder}, which is gone. If it moved here, run ` +
  `\`${program} ${shellLine(["project", "move", folder, "."])}\` in this folder.`;

const joinedLine = ({ program }: WorkerContext, folder: string): string =>
  `Continuity: this folder was ${folder}, so its memories came along. If that is wrong, run ` +
  `\`${program} project move --undo\`.`;

// Decides whether a session's folder is believed to be the project that it says, and words the doubt for the user.

/** The project whose memories this event's session may be given; null: global ones only. */
export function reachOf(
  { store, historyAt }: WorkerContext,
  { project: here }: PreparedEvent,
  { project }: Session,
): string | null {
  if (project === null) return null;
  if (here?.key === project) return isTrustedPlace(store.places, here, historyAt) ? project : null;
  // The session went to another folder: where its project is doubtful anywhere, so it is here.
  return store.places.of(project, "").some(({ isTrusted }) => !isTrusted) ? null : project;
}

/** The reach of a session that starts here; notes the folder, and by which commits a clone of it will be known. */
export function reachAtStart(
  deps: WorkerContext,
  event: PreparedEvent,
  session: Session,
): string | null {
  const { project: here, atMs } = event;
  if (here === null || here.key !== session.project) return reachOf(deps, event, session);
  const { store, historyAt } = deps;
  const isTrusted = isTrustedPlace(store.places, here, historyAt);
  if (!here.key.startsWith("dir:")) {
    store.places.put(here.key, { root: here.root, isTrusted }, atMs);
    if (isTrusted) store.places.addCommits(here.key, historyAt(here.root)?.commits ?? [], atMs);
  }
  return isTrusted ? here.key : null;
}

/** `doubt` is the user's line at the start of a session that is given global memories only. */
export const doubt = ({ projectName }: Session, program: string): string =>
  `Continuity: this folder says that it is ${projectName ?? "a project"}, but shares no commit ` +
  "with the one known here, so it is given none of its memories. If it is yours, run " +
  `\`${program} project trust\` in it.`;

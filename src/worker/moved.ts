/**
 * Projects without a remote whose folder was renamed or moved: known again by a commit that both have once the old
 * folder is gone. Without one the user is told, once, where memories of a project of this name were.
 */
import { folderKey, ownProject, type ProjectIdentity, type StoreDep } from "#domain";
import type { PlacesDeps } from "./places.ts";
import type { PreparedEvent } from "./prepare.ts";

export interface MovedDeps extends StoreDep, Pick<PlacesDeps, "historyAt"> {
  /** Absent = moves are not looked for. */
  readonly folderExists?: (folder: string) => boolean;
}

export interface FoundProject {
  readonly project: ProjectIdentity | null;
  /** Folder that is gone, of another project of this name. */
  readonly goneFolder: string | null;
}

/** True for a project without a remote. */
const isByFolder = (key: string): boolean => key.startsWith("dir:");

/** The project of a folder; at the first event of a folder, the one that was moved here. */
export function foundProject(
  deps: MovedDeps,
  said: ProjectIdentity,
  at: { readonly folder: string | null; readonly atMs: number },
): FoundProject {
  const { store, historyAt } = deps;
  const { places, projects } = store;
  const own = ownProject(projects.rules(), said, at.folder);
  const known = { project: own, goneFolder: null };
  if (deps.folderExists === undefined) return known;
  if (!isByFolder(own.key)) {
    joinFormer(deps, own);
    return known;
  }
  if (places.at(own.key, own.root)) return known;
  const commits = historyAt(own.root)?.commits ?? [];
  const isNew = !store.admin.projects().some(({ key }) => key === own.key);
  const moved = isNew ? movedHere(deps, places.sharing(own.key, commits)) : null;
  if (moved !== null) {
    projects.merge(own.key, moved);
    projects.rename(moved, own.name);
  }
  const project = moved === null ? own : ownProject(projects.rules(), said, at.folder);
  places.put(project.key, { root: project.root, isTrusted: true }, at.atMs);
  places.addCommits(project.key, commits, at.atMs);
  return { project, goneFolder: isNew && moved === null ? goneNamed(deps, own) : null };
}

/** A repository that was given a remote stays one project: what it had under its folder comes along. */
function joinFormer(
  { store: { places, projects }, historyAt }: MovedDeps,
  own: ProjectIdentity,
): void {
  const former = folderKey(own.root);
  if (!places.at(former, own.root)) return;
  // Another repository may lie where the former one lay.
  if (historyAt(own.root)?.hasAny(places.commits(former)) === true) projects.merge(former, own.key);
}

/** The one project whose folders are all gone; null when none is, or more than one. */
function movedHere(deps: MovedDeps, keys: readonly string[]): string | null {
  const gone = keys.filter((key) => goneFolder(deps, key) !== null);
  return gone.length === 1 ? (gone[0] ?? null) : null;
}

/** The last folder of a project none of whose folders is there. */
function goneFolder({ store, folderExists }: MovedDeps, key: string): string | null {
  const roots = store.places.of(key, "").map(({ root }) => root);
  return roots.some((root) => folderExists?.(root) ?? true) ? null : (roots[0] ?? null);
}

function goneNamed(deps: MovedDeps, { key, name }: ProjectIdentity): string | null {
  const same = deps.store.admin
    .projects()
    .filter((other) => isByFolder(other.key) && other.key !== key && other.name === name);
  return same.map((other) => goneFolder(deps, other.key)).find((root) => root !== null) ?? null;
}

/** Notes, when a turn or session ends, commits of a project that had none when its folder was met. */
export function noteCommits(
  { store, historyAt }: MovedDeps,
  { type, project, atMs }: Pick<PreparedEvent, "type" | "project" | "atMs">,
): void {
  if (project === null || !isByFolder(project.key) || (type !== "stop" && type !== "end")) return;
  if (store.places.commits(project.key).length === 0)
    store.places.addCommits(project.key, historyAt(project.root)?.commits ?? [], atMs);
}

/** Line that tells the user of memories under a path that is gone. */
export const goneLine = (name: string, folder: string, program: string): string =>
  `Continuity: memories of a project ${name} exist for ${folder}, which is gone. If it moved here, run ` +
  `\`${program} project move ${folder} .\`.`;

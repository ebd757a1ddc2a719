/**
 * Whose folder this is (docs/design/capture.md, "Project identity"): worktrees and subfolders are one project, two
 * unrelated folders of one name are two. Reads git metadata and nothing else.
 */
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import {
  boundedKey,
  canonicalFolder,
  foldedKey,
  folderKey,
  projectNameOf,
  type ProjectIdentity,
} from "#domain";
import { diskFiles, type ProjectFiles } from "./files.ts";
import { branchOf, findRepository, mainFolder, normalisedRemote, remoteOf } from "./git.ts";

/** The project of a working folder; null without one. A folder that is gone is known by its path. */
export function projectOf(
  cwd: string | null,
  files: ProjectFiles = diskFiles,
): ProjectIdentity | null {
  if (cwd === null || cwd === "") return null;
  const given = localFolder(cwd);
  const folder = files.realPath(given) ?? given;
  // A path of another system names nothing here; looked up, it would mean the folder of this process.
  const repository = isAbsolute(folder) ? findRepository(files, folder) : null;
  if (repository === null) return { ...byFolder(folder), root: folder, branch: null };
  const main = mainFolder(repository);
  const url = remoteOf(files, repository);
  const remote = url === null ? null : normalisedRemote(url, main);
  return {
    ...(remote === null ? byFolder(files.realPath(main) ?? main) : byRemote(remote)),
    root: repository.top,
    branch: branchOf(files, repository),
  };
}

/** A folder without symlinks, as far as it exists, and its project; null where it is gone. */
export function folderAt(
  cwd: string,
  path: string,
): { readonly folder: string; readonly project: ProjectIdentity | null } {
  const full = resolve(cwd, localFolder(path));
  const real = diskFiles.realPath(full);
  if (real !== null) return { folder: real, project: projectOf(real) };
  let there = dirname(full);
  while (diskFiles.realPath(there) === null && dirname(there) !== there) there = dirname(there);
  return {
    folder: join(diskFiles.realPath(there) ?? there, relative(there, full)),
    project: null,
  };
}

/** A folder as this system would look for it: in WSL, a folder of Windows lies below `/mnt`. */
export const localFolder = (folder: string): string =>
  sep === "/" ? canonicalFolder(folder) : folder;

function byFolder(folder: string): Pick<ProjectIdentity, "key" | "name"> {
  const key = folderKey(folder);
  return { key, name: projectNameOf(folder, key) };
}

function byRemote(remote: string): Pick<ProjectIdentity, "key" | "name"> {
  const key = boundedKey(foldedKey(remote));
  return { key, name: projectNameOf(remote, key) };
}

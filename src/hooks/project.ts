/**
 * Finds the project of a folder (docs/design/capture.md, "Project identity"): worktrees and
 * subfolders are one project, two unrelated folders of one name are two. Reads git metadata and
 * nothing else.
 */
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import {
  boundedKey,
  canonicalFolder,
  foldedKey,
  folderKey,
  type NamedProject,
  type ProjectIdentity,
  projectNameOf,
  type Settings,
  userHome,
} from "#domain";
import { boundedText, realPath } from "./files.ts";
import { branchOf, findRepository, mainFolder, normalisedRemote, remoteOf } from "./git.ts";

/** The project of a working folder; null without one. A folder that is gone is known by its path. */
export function projectOf(cwd: string | null): ProjectIdentity | null {
  if (cwd === null || cwd === "") return null;
  const given = localFolder(cwd);
  const folder = realPath(given) ?? given;
  // A path of another system names nothing here; looked up, it would mean the folder of this process.
  const repository = isAbsolute(folder) ? findRepository(folder) : null;
  if (repository === null) return { ...byFolder(folder), root: folder, branch: null };
  const main = mainFolder(repository);
  const url = remoteOf(repository);
  const remote = url === null ? null : normalisedRemote(url, main);
  return {
    ...(remote === null ? byFolder(realPath(main) ?? main) : byRemote(remote)),
    root: repository.top,
    branch: branchOf(repository),
  };
}

/** A folder without symlinks, as far as it exists, and its project; null where it is gone. */
export function folderAt(
  cwd: string,
  path: string,
): { readonly folder: string; readonly project: ProjectIdentity | null } {
  const full = resolve(cwd, localFolder(path));
  const real = realPath(full);
  if (real !== null) return { folder: real, project: projectOf(real) };
  let there = dirname(full);
  while (realPath(there) === null && dirname(there) !== there) there = dirname(there);
  return {
    folder: join(realPath(there) ?? there, relative(there, full)),
    project: null,
  };
}

/** A folder as this system would look for it: in WSL, a folder of Windows lies below `/mnt`. */
const localFolder = (folder: string): string => (sep === "/" ? canonicalFolder(folder) : folder);

function byFolder(folder: string): NamedProject {
  const key = folderKey(folder);
  return { key, name: projectNameOf(folder, key) };
}

function byRemote(remote: string): NamedProject {
  const key = boundedKey(foldedKey(remote));
  return { key, name: projectNameOf(remote, key) };
}

// Reads what the user switched off: `.continuityignore` in a repository, `[privacy] exclude` globs
// everywhere. An ignore file without patterns switches its whole folder off. Patterns are those of
// .gitignore: `#` comments, `!` exceptions, a slash anchors, the last match wins.

interface ExclusionInput {
  readonly cwd: string | null;
  /** Top folder of the project; ignore files are looked for from `cwd` up to here. */
  readonly root: string | null;
  /** `[privacy] exclude`; `~` is the user's home. */
  readonly globs: readonly string[];
  /** For `~`. */
  readonly userHome: string;
}

/** Answers for paths of one working folder; relative paths are taken from there. */
type Exclusion = (path: string) => boolean;

const ignoreName = ".continuityignore";
const foldersMax = 64;

interface Switches {
  readonly settings: Settings;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The project as the caller found it, or for many folders. */
  readonly projectOf?: (cwd: string) => { readonly root: string } | null;
}

/** `exclusionFor` reads the user's settings and the ignore files between the project's top and `cwd`. */
export const exclusionFor = (
  cwd: string | null,
  { settings, env, projectOf: find = projectOf }: Switches,
): Exclusion =>
  exclusionOf({
    cwd: cwd === null ? null : localFolder(cwd),
    root: cwd === null ? null : (find(cwd)?.root ?? null),
    globs: settings.privacy.exclude,
    userHome: userHome(env) ?? "",
  });

/** Reads the ignore files once and answers for any number of paths. */
export function exclusionOf(input: ExclusionInput): Exclusion {
  const cwd = input.cwd === null ? "/" : (realPath(input.cwd) ?? input.cwd);
  const rules = [
    ...input.globs.map((glob) => globRule(glob, input.userHome)),
    ...ignoreRules(cwd, input.root ?? cwd),
  ];
  if (rules.length === 0) return () => false;
  return (path) => {
    const full = resolve(cwd, path);
    const given = resolve(input.cwd ?? "/", path);
    return rules.reduce((off, rule) => {
      const matches = rule.matches(full) || rule.matches(given);
      return matches ? !rule.exception : off;
    }, false);
  };
}

interface Rule {
  readonly exception: boolean;
  readonly matches: (path: string) => boolean;
}

function globRule(glob: string, userHome: string): Rule {
  const absolute = glob.replace(/^~(?=$|\/)/, userHome).replace(/\/+$/, "");
  const pattern =
    absolute.startsWith("/") || /^[a-z]:/i.test(absolute)
      ? localFolder(absolute)
      : `**/${absolute}`;
  return { exception: false, matches: coverOf(pattern) };
}

/** From the top of the project down to the working folder, so that a nearer file has the last word. */
function ignoreRules(cwd: string, root: string): readonly Rule[] {
  const folders: string[] = [];
  let folder = cwd;
  while (folders.length < foldersMax) {
    folders.unshift(folder);
    if (folder === root || dirname(folder) === folder) break;
    folder = dirname(folder);
  }
  return folders.flatMap((place) => {
    const text = boundedText(join(place, ignoreName));
    return text === null ? [] : rulesOf(text, place);
  });
}

function rulesOf(text: string, folder: string): readonly Rule[] {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  if (lines.length === 0) return [{ exception: false, matches: isWithin(folder) }];
  return lines.map((line) => {
    const exception = line.startsWith("!");
    const body = line.replace(/^!/, "").replace(/\/+$/, "");
    if (body === "" || body === "*" || body === "." || body === "**")
      return { exception, matches: isWithin(folder) };
    const anchored = body.includes("/");
    const cover = coverOf(anchored ? body.replace(/^\/+/, "") : `**/${body}`);
    return { exception, matches: (path) => cover(relative(folder, path)) };
  });
}

const isWithin =
  (folder: string) =>
  (path: string): boolean =>
    path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);

/** Matches the pattern itself and everything below what it matches. */
function coverOf(pattern: string): (path: string) => boolean {
  const self = new Bun.Glob(pattern);
  const below = new Bun.Glob(`${pattern}/**`);
  return (path) => !path.startsWith("..") && (self.match(path) || below.match(path));
}

/**
 * What the user switched off: `.continuityignore` in a repository, `[privacy] exclude` globs everywhere.
 *
 * An ignore file without patterns switches its whole folder off. Patterns are those of .gitignore: `#` comments, `!`
 * exceptions, a slash anchors, the last match wins.
 */
import { dirname, join, relative, resolve } from "node:path";
import { userHome, type Settings } from "#domain";
import { diskFiles, type ProjectFiles } from "./files.ts";
import { localFolder, projectOf } from "./project.ts";

export interface ExclusionInput {
  readonly cwd: string | null;
  /** Top folder of the project; ignore files are looked for from `cwd` up to here. */
  readonly root: string | null;
  /** `[privacy] exclude`; `~` is the user's home. */
  readonly globs: readonly string[];
  /** For `~`. */
  readonly userHome: string;
}

/** Answers for paths of one working folder; relative paths are taken from there. */
export type Exclusion = (path: string) => boolean;

const ignoreName = ".continuityignore";
const foldersMax = 64;

interface Switches {
  readonly settings: Pick<Settings, "privacy">;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of a caller that has looked for the project already, or asks about many folders. */
  readonly projectOf?: (cwd: string) => { readonly root: string } | null;
}

/** What the user's settings and the ignore files between the project's top and `cwd` switch off. */
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
export function exclusionOf(input: ExclusionInput, files: ProjectFiles = diskFiles): Exclusion {
  const cwd = input.cwd === null ? "/" : (files.realPath(input.cwd) ?? input.cwd);
  const rules = [
    ...input.globs.map((glob) => globRule(glob, input.userHome)),
    ...ignoreRules(files, { cwd, root: input.root ?? cwd }),
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
function ignoreRules(
  files: ProjectFiles,
  { cwd, root }: { readonly cwd: string; readonly root: string },
): readonly Rule[] {
  const folders: string[] = [];
  let folder = cwd;
  while (folders.length < foldersMax) {
    folders.unshift(folder);
    if (folder === root || dirname(folder) === folder) break;
    folder = dirname(folder);
  }
  return folders.flatMap((place) => {
    const text = files.readText(join(place, ignoreName));
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

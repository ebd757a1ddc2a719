/**
 * Looks up real paths, branches and the project of a folder for a guard. Nothing is looked up twice.
 */
import { dirname, join } from "node:path";
import type { ActiveGuard } from "#domain";
import type { Places } from "./match.ts";
import { boundedText, realPath } from "../files.ts";
import { aliasesOf, findRepository } from "../git.ts";
import { projectOf } from "../project.ts";

type Env = Readonly<Record<string, string | undefined>>;

const levelsMax = 64;

export function placesOf(root: string, cwd: string, env: Env): Places<ActiveGuard> {
  const projectAt = once(projectOf);
  const existing = once(knownPath);
  const holds = ({ projects }: ActiveGuard, folder: string): boolean => {
    if (projects === null) return true;
    const { key } = projectAt(folder) ?? { key: null };
    return projects.some((wanted) => {
      const [asked, within = ""] = wanted.split("\n");
      return asked === key && `${folder}/`.startsWith(within === "" ? "" : `${within}/`);
    });
  };
  const foldersOf = once((folder: string): readonly string[] => {
    const real = existing(folder);
    const isElsewhere =
      findRepository(real) !== null && !`${real}/`.startsWith(`${existing(root)}/`);
    // A folder in no repository counts as the session's project.
    return isElsewhere ? [real] : [real, root, cwd];
  });
  const home = env["HOME"] ?? env["USERPROFILE"] ?? "";
  const configs = [
    join(env["XDG_CONFIG_HOME"] ?? join(home, ".config"), "git/config"),
    join(home, ".gitconfig"),
  ];
  const gitAliases = once((folder: string): ReadonlyMap<string, string> => {
    const repository = findRepository(existing(folder));
    const own = repository === null ? [] : [join(repository.commonDir, "config")];
    return new Map([...configs, ...own].flatMap((file) => aliasesOf(boundedText(file) ?? "")));
  });
  return {
    env: { HOME: env["HOME"] ?? env["USERPROFILE"] },
    realPath: existing,
    branchOf: (folder) => projectAt(existing(folder))?.branch ?? null,
    gitAliasOf: (folder, word) => gitAliases(folder).get(word.toLowerCase()) ?? null,
    isHeldIn: (guard, folder) => foldersOf(folder).some((one) => holds(guard, one)),
  };
}

/** Resolves symlinks in the part of the path that exists, and appends the rest. */
function knownPath(path: string): string {
  let rest = "";
  let there = path;
  for (let level = 0; level < levelsMax; level += 1) {
    const real = realPath(there);
    if (real !== null) return rest === "" ? real : join(real, rest);
    const parent = dirname(there);
    if (parent === there) return path;
    rest = join(there.slice(parent.length).replace(/^\//, ""), rest);
    there = parent;
  }
  return path;
}

function once<Value>(look: (path: string) => Value): (path: string) => Value {
  const known = new Map<string, Value>();
  return (path) => {
    const value = known.get(path) ?? look(path);
    known.set(path, value);
    return value;
  };
}

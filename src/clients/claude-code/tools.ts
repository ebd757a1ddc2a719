/**
 * Decides how an agent can look things up: with our MCP tools, where Claude Code has them by
 * itself, with the plugin or by an installation into the project; else with the program's own
 * command. Asked at every session start, so files are read again only when they changed. Files of
 * the project are left alone: no hook reads those.
 */
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import type { HomePaths } from "#domain";
import { parseJson, readText, recordOf, shellLine } from "#kit";
import { isOurEntry, isOurServer, pluginPath, serverPath } from "./settings/hooks.ts";
import { serversPathFor, settingsPathFor } from "./settings/survey.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The client keeps much else in these files; one larger than this is not read on the way of a session start. */
const bytesMax = 16 * 1024 * 1024;

/** Null for a session that has the tools; else the command that its shell can run, whatever its PATH. */
export type LookUp = (projectRoot: string | null) => string | null;

export interface LookUpPlace {
  readonly env: Env;
  readonly paths: HomePaths;
  /** The command line that started this program: the program, and from source its first argument. */
  readonly command: readonly string[] | undefined;
}

/** This program as a shell can call it, whatever its PATH. */
export const shellCommand = (command: readonly string[] | undefined): string =>
  shellLine(command ?? [process.execPath]);

/** Answers for the user of this environment; the command where nothing can be read. */
export function lookUpFor({ env, paths, command }: LookUpPlace): LookUp {
  const hasServer = remembering(serversPathFor(env, null), (json) =>
    isOurServer(valueAt(json, serverPath)),
  );
  const hasPlugin = remembering(
    settingsPathFor(env, null),
    (json) => valueAt(json, pluginPath) === true,
  );
  const isInstalledIn = (root: string): boolean => projectsIn(paths).includes(root);
  const own = shellCommand(command);
  return (root) =>
    hasPlugin() || hasServer() || (root !== null && isInstalledIn(root)) ? null : own;
}

/** True for settings that have a hook of ours, or our plugin. */
export function hasHooks(settings: string | null): boolean {
  if (settings === null || !settings.includes("continuity")) return false;
  const json = parseJson(settings.replace(/^\ufeff/, ""));
  const groups = Object.values(recordOf(valueAt(json, ["hooks"]))).flat();
  const entries = groups.flatMap((group) => recordOf(group)["hooks"]);
  return valueAt(json, pluginPath) === true || entries.some((entry) => isOurEntry(entry));
}

/** Roots of the projects that `install --project` put the tools into, one a line: no hook reads the projects' files. */
const projectsPath = ({ root }: HomePaths): string => `${root}/project-installs`;
const projectsMax = 1_000;

/** None where that is unknown: the command always works. */
const projectsIn = (paths: HomePaths): readonly string[] =>
  (readText(projectsPath(paths)) ?? "").split("\n").filter(Boolean);

/** Notes that the tools were installed into a project, or taken out of it. */
export function noteProjectTools(paths: HomePaths, root: string, isThere: boolean): void {
  const known = projectsIn(paths);
  if (known.includes(root) === isThere || root.includes("\n")) return;
  const others = known.filter((one) => one !== root);
  const roots = isThere ? [...others, root].slice(-projectsMax) : others;
  mkdirSync(paths.root, { recursive: true, mode: 0o700 });
  writeFileSync(projectsPath(paths), roots.map((one) => `${one}\n`).join(""), { mode: 0o600 });
}

function remembering(path: string, holds: (json: unknown) => boolean): () => boolean {
  let known = { mtimeMs: -1, size: -1, holds: false };
  return () => {
    const file = statSync(path, { throwIfNoEntry: false });
    if (file === undefined || file.size > bytesMax) return false;
    const { mtimeMs, size } = file;
    if (known.mtimeMs !== mtimeMs || known.size !== size)
      known = { mtimeMs, size, holds: read(path, holds) };
    return known.holds;
  };
}

/** False for a file that is unreadable or broken: the command line is named instead, which always works. */
function read(path: string, holds: (json: unknown) => boolean): boolean {
  const text = (readText(path) ?? "").replace(/^\ufeff/, "");
  return text.includes("continuity") && holds(parseJson(text));
}

const valueAt = (json: unknown, path: readonly string[]): unknown =>
  path.reduce((value, name) => recordOf(value)[name], json);

/** Collects for doctor the facts about the client: its files, the programs that hooks run, the client itself. */
import { type Json, listOf, readText, recordOf } from "#kit";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { projectOf } from "#hooks";
import {
  clientFolder,
  isOurEntry,
  isOurServer,
  managedSettingsPath,
  planUninstall,
  serversPathFor,
  settingsPathFor,
} from "#clients";

type Env = Readonly<Record<string, string | undefined>>;

/** One hook of ours as it stands in a file of the client. */
export interface InstalledHook {
  readonly event: string;
  readonly command: string;
  /** Null = a shell runs `command` (the plugin's hooks look for the program by themselves). */
  readonly args: readonly string[] | null;
  /** Seconds; null = none is given. */
  readonly timeout: number | null;
}

/** A file of the client that may hold our hooks. */
export interface InstallPlace {
  readonly kind: "user" | "project" | "local" | "plugin";
  /** It lies in a project, or is named by one. */
  readonly isOfProject: boolean;
  readonly path: string;
  readonly hooks: readonly InstalledHook[];
  /** The reason why it cannot be read, with line and column; null when it can, or is not there. */
  readonly problem: string | null;
}

export interface ProgramFacts {
  readonly path: string;
  /** False for what only a project names, which may come from anywhere: it is not run. */
  readonly isTrusted: boolean;
  readonly exists: boolean;
  readonly isExecutable: boolean;
  /** The version that it names; null when it does not answer. */
  readonly version: string | null;
}

export interface Place {
  readonly env: Env;
  readonly cwd: string;
  /** This program; null when it runs from source. */
  readonly binary: string | null;
}

const askMs = 5_000;

/** Reads files, and asks each program and the client for its version. Never rejects. */
export async function installFacts(place: Place) {
  const { env, cwd } = place;
  const project = projectOf(cwd)?.root ?? cwd;
  const own = settingsPathFor(env, project);
  const files = [
    { kind: "user" as const, path: settingsPathFor(env, null) },
    { kind: "project" as const, path: own },
    { kind: "local" as const, path: own.replace(/settings\.json$/, "settings.local.json") },
  ].filter(({ path }, at, all) => all.findIndex((one) => one.path === path) === at);
  const read = files.map(({ kind, path }) => Object.assign({ kind, path }, readJson(path)));
  const places: readonly InstallPlace[] = [
    ...read.map(({ kind, path, json, problem }) => ({
      kind,
      isOfProject: kind !== "user",
      path,
      problem,
      hooks: hooksIn(json).flatMap(({ event, entry }) =>
        isOurEntry(entry) ? [hookOf(event, entry)] : [],
      ),
    })),
    ...read.flatMap(({ kind, json }) => pluginPlaces(env, json, kind !== "user")),
  ];
  const managed = managedSettingsPath(process.platform);
  const client = onPath("claude", env);
  return {
    places,
    programs: await Promise.all(
      programsOf(places, place).map((program) => programFacts(program, env)),
    ),
    /** Switches that keep hooks from running, each with the file that sets it. */
    switches: [...read, { path: managed, ...readJson(managed) }].flatMap(({ path, json }) =>
      ["disableAllHooks", "allowManagedHooksOnly"]
        .filter((name) => json[name] === true)
        .map((name) => ({ name, path })),
    ),
    isOffHere: /^(?:1|true)$/.test(env["CONTINUITY_OFF"] ?? ""),
    /** The client's server list names ours. */
    hasServer: [serversPathFor(env, null), serversPathFor(env, project)].some((path) =>
      isOurServer(at(readJson(path).json, ["mcpServers", "continuity"])),
    ),
    /** The client's program; null = none found. */
    client:
      client === null
        ? null
        : { path: client, version: await versionOf([client, "--version"], env) },
  };
}

export type InstallFacts = Awaited<ReturnType<typeof installFacts>>;

function readJson(path: string): { readonly json: Json; readonly problem: string | null } {
  const text = readText(path);
  if (text === null || text.trim() === "") return { json: {}, problem: null };
  // Reads the file as install does, so that both name the same place in it.
  const plan = planUninstall()(text, null);
  if (!plan.ok) {
    const { line, column, detail } = plan.error;
    return { json: {}, problem: `line ${line}, column ${column}: ${detail}` };
  }
  return { json: recordOf(JSON.parse(text.replace(/^\ufeff/, ""))), problem: null };
}

const at = (json: Json, path: readonly string[]): unknown =>
  path.reduce<unknown>((found, name) => recordOf(found)[name], json);

function hooksIn(json: Json): readonly { readonly event: string; readonly entry: Json }[] {
  return Object.entries(recordOf(json["hooks"])).flatMap(([event, groups]) =>
    listOf(groups)
      .flatMap((group) => listOf(recordOf(group)["hooks"]))
      .map((entry) => ({ event, entry: recordOf(entry) })),
  );
}

function hookOf(event: string, entry: Json): InstalledHook {
  const { args, command, timeout } = entry;
  return {
    event,
    command: typeof command === "string" ? command : "",
    args: Array.isArray(args) ? args.map(String) : null,
    timeout: typeof timeout === "number" ? timeout : null,
  };
}

/** The plugin, where settings switch it on: straight from its folder, or from the client's copy. */
function pluginPlaces(env: Env, json: Json, isOfProject: boolean): readonly InstallPlace[] {
  const names = Object.entries(recordOf(json["enabledPlugins"]))
    .filter(([name, isOn]) => name.startsWith("continuity@") && isOn === true)
    .map(([name]) => name);
  return names.flatMap((name) => {
    const folder = pluginFolder(env, json, name);
    const path = join(folder ?? "", "hooks", "hooks.json");
    if (folder === null || !existsSync(path)) return [];
    const read = readJson(path);
    const hooks = hooksIn(read.json).map(({ event, entry }) =>
      withRoot(hookOf(event, entry), folder),
    );
    return [{ kind: "plugin" as const, isOfProject, path, problem: read.problem, hooks }];
  });
}

const rootVariable = "${CLAUDE_PLUGIN_ROOT}";

const withRoot = (hook: InstalledHook, folder: string): InstalledHook => ({
  ...hook,
  command: hook.command.replaceAll(rootVariable, folder),
  args: hook.args?.map((word) => word.replaceAll(rootVariable, folder)) ?? null,
});

function pluginFolder(env: Env, json: Json, name: string): string | null {
  const [plugin = "", market = ""] = name.split("@");
  const source = at(json, ["extraKnownMarketplaces", market, "source", "path"]);
  if (typeof source === "string") {
    const list = readJson(join(source, ".claude-plugin", "marketplace.json")).json["plugins"];
    const entry = listOf(list)
      .map(recordOf)
      .find((one) => one["name"] === plugin);
    const folder = entry?.["source"];
    return typeof folder === "string" ? join(source, folder) : null;
  }
  const list = readJson(join(clientFolder(env), "plugins", "installed_plugins.json")).json;
  const copy = recordOf(listOf(at(list, ["plugins", name]))[0])["installPath"];
  return typeof copy === "string" ? copy : null;
}

interface NamedProgram {
  readonly path: string;
  readonly isTrusted: boolean;
}

/**
 * Every program that a hook of ours would run. What only a project names may come from anywhere: the client asks before
 * it trusts a folder, doctor does not, so it runs such a program only when it is this one or the user names it too.
 */
function programsOf(
  places: readonly InstallPlace[],
  { env, cwd, binary }: Place,
): readonly NamedProgram[] {
  const named = places.flatMap(({ hooks, isOfProject }) =>
    hooks.map(({ args, command }) => ({
      path: args === null ? "continuity" : command,
      isTrusted: !isOfProject || args === null || command === binary,
    })),
  );
  const found = named.map(({ path, isTrusted }) => ({ path: located(path, env, cwd), isTrusted }));
  return [...new Set(found.map(({ path }) => path))].map((path) => ({
    path,
    isTrusted: found.some((one) => one.path === path && one.isTrusted),
  }));
}

/** A bare name lies on the PATH; anything else where it says. */
function located(path: string, env: Env, cwd: string): string {
  if (isAbsolute(path)) return path;
  return /[\\/]/.test(path) ? join(cwd, path) : (onPath(path, env) ?? `${path} (on the PATH)`);
}

const onPath = (name: string, env: Env): string | null =>
  Bun.which(name, {
    PATH: `${env["PATH"] ?? ""}:${env["HOME"] ?? ""}/.local/bin:/usr/local/bin:/opt/homebrew/bin`,
  });

async function programFacts({ path, isTrusted }: NamedProgram, env: Env): Promise<ProgramFacts> {
  const exists = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  const isExecutable = exists && mayRun(path);
  const version = isExecutable && isTrusted ? await versionOf([path, "version"], env) : null;
  return { path, isTrusted, exists, isExecutable, version };
}

function mayRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // accessSync is the only call here.
  }
}

/** The version in the first line that a program prints; null when it fails or takes too long. */
async function versionOf(command: readonly string[], env: Env): Promise<string | null> {
  try {
    const child = Bun.spawn([...command], {
      env: { ...env },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
      timeout: askMs,
      killSignal: "SIGKILL",
    });
    const text = await new Response(child.stdout).text();
    const [line = ""] = (await child.exited) === 0 ? text.split("\n") : [];
    return /\d+\.\d+\.\d+[\w.-]*/.exec(line)?.[0] ?? null;
  } catch {
    return null; // No program, or none for this machine.
  }
}

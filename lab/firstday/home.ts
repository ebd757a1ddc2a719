/** A home with nothing in it, on a machine that has Node and one package manager, and what its owner does there. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runOrThrow } from "./registry.ts";

/** As a person formats it: tabs, a hook of their own, no line end. */
const settingsBefore = `{
	"model": "opus",
	"hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "true" }] }] }
}`;
const fact = "remember that the staging database listens on port 6432";
const question = "which port does our staging database use?";
const answer = "6432";

export interface Home extends Disposable {
  readonly folder: string;
  readonly project: string;
  /** Path by which hooks call the program. */
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs a command of the shell as the home's owner; throws when it fails. */
  readonly sh: (command: string) => string;
}

/** `programs`: what is on the PATH beside Node, npm and the system's own programs, by name. */
export function openHome(registry: string, programs: Readonly<Record<string, string>> = {}): Home {
  const folder = mkdtempSync(join(tmpdir(), "continuity-first-day-"));
  const bin = join(folder, "programs");
  const project = join(folder, "shop");
  for (const path of [bin, project, join(folder, ".claude")]) mkdirSync(path);
  const all = { node: found("node"), npm: found("npm"), npx: found("npx"), ...programs };
  for (const [name, path] of Object.entries(all)) {
    if (path.endsWith(".js") && name !== "npm" && name !== "npx") {
      writeFileSync(join(bin, name), `#!/bin/sh\nexec node "${path}" "$@"\n`);
      chmodSync(join(bin, name), 0o755);
    } else symlinkSync(path, join(bin, name));
  }
  writeFileSync(join(folder, ".claude", "settings.json"), settingsBefore);
  const local = join(folder, ".local", "bin");
  const env = {
    HOME: folder,
    PATH: `${local}:${bin}:/usr/bin:/bin`,
    LANG: "C.UTF-8",
    npm_config_registry: registry,
    npm_config_prefix: join(folder, ".local"),
    npm_config_update_notifier: "false",
    YARN_NPM_REGISTRY_SERVER: registry,
    YARN_UNSAFE_HTTP_WHITELIST: "127.0.0.1",
    YARN_ENABLE_TELEMETRY: "0",
    YARN_REGISTRY: registry,
    // Yarn 4 and pnpm hold back what was published a moment ago.
    YARN_NPM_MINIMAL_AGE_GATE: "0",
    BUN_CONFIG_REGISTRY: registry,
    PNPM_HOME: local,
    BUN_INSTALL: join(folder, ".local"),
    CONTINUITY_PORT: "0",
  };
  const home: Home = {
    folder,
    project,
    program: join(folder, ".continuity", "bin", "continuity"),
    env,
    sh: (command) => runOrThrow(["/bin/sh", "-c", command], { cwd: project, env }),
    [Symbol.dispose]: () => {
      stopDaemon(folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return home;
}

const found = (name: string): string => {
  const path = Bun.which(name);
  if (path === null) throw new Error(`${name} is not on the PATH`);
  return path;
};

/** The daemon's record in a home; null while none has started. */
export function daemonOf(
  folder: string,
): { readonly pid: number; readonly version: string } | null {
  const path = join(folder, ".continuity", "daemon.json");
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : null;
}

function stopDaemon(folder: string): void {
  const daemon = daemonOf(folder);
  if (daemon === null) return;
  try {
    process.kill(daemon.pid, "SIGTERM");
  } catch {
    // It ended by itself.
  }
}

interface HookEntry {
  readonly command: string;
  readonly args?: readonly string[];
}
type HookTable = Readonly<Record<string, readonly { readonly hooks: readonly HookEntry[] }[]>>;

/** The commands that Claude Code would run for an event, as they stand in its settings. */
function hooksFor({ folder }: Home, event: string): readonly HookEntry[] {
  const text = readFileSync(join(folder, ".claude", "settings.json"), "utf8");
  const { hooks } = JSON.parse(text) as { readonly hooks: HookTable };
  return (hooks[event] ?? []).flatMap((group) => group.hooks);
}

/** Runs every hook of an event as Claude Code does; returns what they printed. */
export function fire(home: Home, event: string, more: Readonly<Record<string, string>>): string {
  const payload = { hook_event_name: event, cwd: home.project, transcript_path: "/none", ...more };
  return hooksFor(home, event)
    .map(({ command, args = [] }) => {
      const ran = Bun.spawnSync([command, ...args], {
        cwd: home.project,
        env: home.env,
        stdin: new TextEncoder().encode(JSON.stringify(payload)),
      });
      if (!ran.success) throw new Error(`the hook of ${event} ended with ${ran.exitCode}`);
      return ran.stdout.toString();
    })
    .join("\n");
}

/** A session in which one thing is said, as its hooks see it. */
function session(home: Home, id: string, prompt: string): string {
  const given = [
    fire(home, "SessionStart", { session_id: id, source: "startup" }),
    fire(home, "UserPromptSubmit", { session_id: id, prompt }),
  ].join("\n");
  fire(home, "Stop", { session_id: id, last_assistant_message: "Understood." });
  fire(home, "SessionEnd", { session_id: id, reason: "other" });
  return given;
}

/** Tells a fact in one session and throws unless the next one is given it. */
export function checkMemory(home: Home, name: string): void {
  session(home, `${name}-1`, fact);
  home.sh(`${home.program} flush`);
  checkAnswer(home, name);
}

const triesMax = 5;

/** Throws unless a new session is given the fact. A hook on a busy machine goes on without an answer: then the next is asked. */
export function checkAnswer(home: Home, name: string): void {
  for (let n = 1; n <= triesMax; n += 1)
    if (session(home, `${name}-${n + 1}`, question).includes(answer)) return;
  throw new Error(`${name}: a new session was not given the fact`);
}

/** Removes everything but what Claude Code and Continuity keep: caches of `npx`, stores, packages. */
export function loseEverythingElse({ folder }: Home): void {
  const kept = new Set([".claude", ".claude.json", ".continuity", "shop", "programs"]);
  for (const name of readdirSync(folder))
    if (!kept.has(name)) rmSync(join(folder, name), { recursive: true, force: true });
}

/** Uninstalls; throws unless Claude Code's files are as they were, and the program and its daemon are gone. */
export function checkUninstall(home: Home, name: string): void {
  home.sh(`${home.program} uninstall`);
  const settings = readFileSync(join(home.folder, ".claude", "settings.json"), "utf8");
  if (settings !== settingsBefore) throw new Error(`${name}: settings.json is not as it was`);
  const left = [join(home.folder, ".claude.json"), home.program].filter((path) => existsSync(path));
  if (left.length > 0) throw new Error(`${name}: left behind: ${left.join(", ")}`);
  if (daemonOf(home.folder) !== null) throw new Error(`${name}: a daemon is left`);
}

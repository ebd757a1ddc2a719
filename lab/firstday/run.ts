/**
 * A stranger's first day: the packages of a release, published to a registry on this machine and installed by each package
 * manager into a home with nothing in it, until a new session is given what an earlier one was told; then the package
 * manager's own files are removed, the program is upgraded, and all is uninstalled.
 *
 *   npm run firstday      some minutes; loads verdaccio and the package managers from npm once
 *
 * Ends with status 1 when something was not as a person expects it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  checkAnswer,
  checkMemory,
  checkUninstall,
  daemonOf,
  fire,
  type Home,
  loseEverythingElse,
  openHome,
} from "./home.ts";
import { releasePackages } from "./packages.ts";
import { installTools, openRegistry, type Registry, toolPath, yarns } from "./registry.ts";

interface Way {
  readonly name: string;
  /** Programs that it needs beside Node and npm. */
  readonly programs?: Readonly<Record<string, string>>;
  readonly commands: readonly string[];
}

const install = "continuity install --llm none";
const ways: readonly Way[] = [
  { name: "npx", commands: [`npx --yes ${install}`] },
  { name: "npm", commands: ["npm install -g continuity --ignore-scripts", install] },
  {
    name: "pnpm",
    programs: { pnpm: toolPath("pnpm") },
    commands: ["pnpm add -g continuity --ignore-scripts", install],
  },
  { name: "pnpm dlx", programs: { pnpm: toolPath("pnpm") }, commands: [`pnpm dlx ${install}`] },
  {
    name: "yarn 1",
    programs: { yarn: yarns.first },
    commands: ['yarn global add continuity --ignore-scripts --prefix "$HOME/.local"', install],
  },
  { name: "yarn 4", programs: { yarn: yarns.berry }, commands: [`yarn dlx ${install}`] },
  {
    name: "bun",
    programs: { bun: toolPath("bun") },
    commands: ["bun add -g continuity --ignore-scripts", install],
  },
  { name: "bunx", programs: { bunx: toolPath("bunx") }, commands: [`bunx ${install}`] },
];

/** From an empty home to an answer, without the package manager's files, and back. */
function tryWay({ url }: Registry, { name, programs, commands }: Way): void {
  using home = openHome(url, programs);
  for (const command of commands) home.sh(command);
  loseEverythingElse(home);
  checkMemory(home, name);
  checkUninstall(home, name);
}

function expectVersion(what: string, found: string | undefined, expected: string): void {
  if (found !== expected) throw new Error(`${what} is ${found}, not ${expected}`);
}

const versionOf = (home: Home, program: string): string => home.sh(`${program} version`).trim();

/** npm brings a newer version while the daemon of the older one runs: the first command or hook goes over to it. */
async function tryUpgrade({ url }: Registry, from: string, to: string): Promise<void> {
  using home = openHome(url);
  home.sh(`npm install -g continuity@${from}`);
  home.sh(install);
  checkMemory(home, "before the upgrade");
  expectVersion("the daemon", daemonOf(home.folder)?.version, from);
  home.sh(`npm install -g continuity@${to}`);
  expectVersion("the hooks' program", versionOf(home, home.program), from);
  home.sh("continuity status");
  expectVersion("the hooks' program after a command", versionOf(home, home.program), to);
  checkAnswer(home, "after the upgrade");
  await Bun.sleep(1_000); // The hook starts the daemon and does not wait for it.
  fire(home, "SessionStart", { session_id: "late", source: "startup" });
  expectVersion("the daemon after the upgrade", daemonOf(home.folder)?.version, to);
  // An older program, as the cache of npx may hold one.
  home.sh(`npm install -g continuity@${from}`);
  home.sh("continuity status");
  expectVersion("the hooks' program after an older command", versionOf(home, home.program), to);
  checkUninstall(home, "upgrade");
}

const started = performance.now();
const stamp = (): string => `${((performance.now() - started) / 1_000).toFixed(0)} s`.padStart(6);
let failures = 0;

async function attempt(name: string, work: () => void | Promise<void>): Promise<void> {
  const from = performance.now();
  try {
    await work();
    console.log(`ok    ${name}: ${((performance.now() - from) / 1_000).toFixed(1)} s`);
  } catch (error) {
    failures += 1;
    console.log(`FAIL  ${name}: ${error instanceof Error ? error.message : "unknown"}`);
  }
}

const older = "1.0.0";
const newer = "1.1.0";
const folder = mkdtempSync(join(tmpdir(), "continuity-packages-"));
try {
  installTools();
  await using registry = await openRegistry();
  for (const version of [older, newer]) {
    const tarballs = await releasePackages(version, folder);
    for (const tarball of tarballs) registry.publish(tarball);
    console.log(`${stamp()}  version ${version} is published to ${registry.url}`);
  }
  for (const way of ways) await attempt(way.name, () => tryWay(registry, way));
  await attempt("upgrade by npm", () => tryUpgrade(registry, older, newer));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${stamp()}  ${failures === 0 ? "all as expected" : `${failures} not as expected`}`);
process.exit(failures === 0 ? 0 : 1);

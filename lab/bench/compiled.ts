/** Parts of the benches of whole processes: their options, an empty program as the unit, a home with memories. */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ensureDaemon, stopDaemon } from "#daemon";
import { homePaths } from "#domain";
import { systemClock } from "#kit";

/** Value behind an option of the command line. */
export function option(name: string, fallback: string): string {
  const at = process.argv.indexOf(name);
  return at < 0 ? fallback : (process.argv[at + 1] ?? fallback);
}

/**
 * Copies a program in one write. The system caches a file in pieces of the size in which it was written: of pieces of
 * 4 KB, as a compiler may leave it, each start of a program takes 1 ms more.
 */
function copyInOneWrite(from: string, to: string): string {
  writeFileSync(to, readFileSync(from), { mode: 0o755 });
  return to;
}

/** A copy, in the bench's folder, of the program that is measured: `--binary`, else the one that was built here. */
export const measuredBinary = (folder: string): string =>
  copyInOneWrite(
    resolve(option("--binary", join(import.meta.dir, "../../dist/continuity"))),
    join(folder, "measured"),
  );

/** Environment of a measured process: nothing is inherited that could change the figures. */
export const bareEnvironment = (folder: string, home: string): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: folder,
  CONTINUITY_HOME: home,
  CONTINUITY_AUTOSTART: "0",
  CONTINUITY_PORT: "0",
});

/** Compiles an empty program the way ours is; gives its path. */
export function buildEmpty(folder: string): string {
  const compiled = join(folder, "compiled");
  writeFileSync(join(folder, "empty.ts"), "export {};\n");
  Bun.spawnSync(
    [
      process.execPath,
      "build",
      "--compile",
      "--bytecode",
      "--format=esm",
      "--splitting",
      "--no-compile-autoload-dotenv",
      "--no-compile-autoload-bunfig",
      "empty.ts",
      "--outfile",
      compiled,
    ],
    { cwd: folder },
  );
  return copyInOneWrite(compiled, join(folder, "empty"));
}

const words =
  "anchor barley cedar delta ember falcon garnet harbor indigo juniper kettle lantern marble nickel orchid pepper quartz raven saffron timber umber velvet walnut xenon yarrow zephyr amber basalt copper dahlia easel fennel ginger hazel iris jasper kelp lemon mango nectar olive pewter quince ribbon sable topaz ultra violet willow yew zinc".split(
    " ",
  );

/** Sentences that share few words, so that none replaces another. */
function sentence(at: number): string {
  if (at === 0)
    return "The payment gateway listens on port 8080 because 3000 is taken by the proxy.";
  const word = (step: number): string =>
    words[(at * step + Math.floor(at / words.length)) % words.length] ?? "";
  return `The ${word(1)} ${word(7)} of ${word(11)} keeps its ${word(17)} in ${word(23)} ${word(29)} ${at}.`;
}

export interface Seed {
  readonly binary: string;
  readonly memories: number;
  readonly env: Readonly<Record<string, string>>;
}

type Env = Seed["env"];

/** The daemon of a home; started by `command` where none runs. */
const daemonOf = (home: string, env: Env, command: readonly string[]) =>
  ensureDaemon({ paths: homePaths(home), env, version: "0.0.0", clock: systemClock }, command);

/** Serves a home in a process of its own, which the caller kills; resolves when it answers. */
export async function serveHome(binary: string, home: string, env: Env): Promise<Bun.Subprocess> {
  const stdio = ["ignore", "ignore", "inherit"] as const;
  const daemon = Bun.spawn([binary, "serve", "--port", "0"], { env, stdio: [...stdio] });
  await daemonOf(home, env, ["/bin/false"]);
  return daemon;
}

/** A home with memories, made through the product itself. */
export async function seed(home: string, { binary, memories, env }: Seed): Promise<void> {
  const paths = homePaths(home);
  const daemon = await daemonOf(home, env, [binary]);
  if (!daemon.ok) throw new Error("the daemon did not start");
  for (let at = 0; at < memories; at += 1) {
    const response = await daemon.value.fetch("/api/memories", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text: sentence(at) }),
    });
    if (!response.ok) throw new Error(`seeding failed: ${await response.text()}`);
  }
  await stopDaemon(paths);
}

export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

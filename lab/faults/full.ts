/**
 * A disk that is full at the n-th page that is written: a home on a small file system in memory, which has room for
 * n pages more than the home takes. Once there is room again, everything that was acknowledged is there. As root on
 * Linux only.
 */
import { cpSync, mkdirSync } from "node:fs";
import { type Program, openProgram } from "../../test/support/program.ts";
import { keep, killDaemons, missingIn, ports, prompts, say } from "./home.ts";

const pageBytes = 4_096;

function mount(...args: readonly string[]): boolean {
  return process.platform === "linux" && Bun.spawnSync(["mount", ...args]).exitCode === 0;
}

const bytesIn = (folder: string): number =>
  Number(Bun.spawnSync(["du", "-s", "--block-size=1", folder]).stdout.toString().split("\t")[0]);

/** `live` lives on a disk that becomes full, and gives what the program said is safe. */
async function live(program: Program): Promise<Parameters<typeof missingIn>[1]> {
  const sure = { ports: ["9107", "9108"], prompts: ["p-1"] };
  // A hook says nothing, unless it must tell its user that the prompt was not kept.
  for (const id of ["p-3", "p-4", "p-5"])
    if ((await say(program, id)) === "") sure.prompts.push(id);
  for (const port of ports)
    try {
      await keep(program, port);
      sure.ports.push(port);
    } catch {
      // Refused, with a line.
    }
  return sure;
}

/** `full` gives the faults afterwards; null = nothing; "" = no small disk can be made here. */
export async function full(template: string, pages: number): Promise<string | null> {
  await using program = openProgram();
  const { root } = program.paths;
  mkdirSync(root, { mode: 0o700 });
  const bytes = bytesIn(template) + pages * pageBytes;
  if (!mount("-t", "tmpfs", "-o", `size=${bytes},mode=700`, "tmpfs", root)) return "";
  try {
    cpSync(template, root, { recursive: true });
    const sure = await live(program);
    await killDaemons(program);
    mount("-o", "remount,size=64m", root);
    await program.flush();
    await program.stopDaemon();
    return missingIn(program.paths.database, { ...sure, prompts: [...sure.prompts, prompts[1]] });
  } finally {
    await program.stopDaemon();
    await killDaemons(program);
    Bun.spawnSync(["umount", "-l", root]);
  }
}

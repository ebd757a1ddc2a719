/**
 * Bits flipped in, and ends cut off, each file of a home. Afterwards everything that was acknowledged is there, or the
 * program says in one clear line what is wrong; and no command ends with a stack.
 */
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDice } from "../../test/support/random.ts";
import type { Program } from "../../test/support/program.ts";
import { copyOf, killDaemons, missingIn, ports, prompts, spooled } from "./home.ts";

/** Anything from a flipped bit to an empty file. */
const ways: Readonly<Record<string, (path: string) => void>> = {
  "one bit flipped, early": (path) => flip(path, 1, (dice, bytes) => dice.below(bytes >> 2)),
  "one bit flipped": (path) => flip(path, 1, (dice, bytes) => dice.below(bytes)),
  "eight bits flipped": (path) => flip(path, 8, (dice, bytes) => dice.below(bytes)),
  "the last byte cut off": (path) => truncateSync(path, readFileSync(path).length - 1),
  "cut in half": (path) => truncateSync(path, readFileSync(path).length >> 1),
  emptied: (path) => truncateSync(path, 0),
};

type Place = (dice: ReturnType<typeof createDice>, bytes: number) => number;

function flip(path: string, times: number, place: Place): void {
  const bytes = readFileSync(path);
  const dice = createDice(bytes.length, times);
  for (let n = 0; n < times; n += 1) {
    const at = place(dice, bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << dice.below(8));
  }
  writeFileSync(path, bytes);
}

/** Runs what a person runs; the words of all of it, or what is wrong with how one ended. */
async function ask(program: Program): Promise<{ readonly said: string; readonly fault: string }> {
  let said = "";
  for (const args of [
    ["flush", "--timeout", "20s"],
    ["list"],
    ["search", "plotter"],
    ["status"],
    ["doctor"],
  ]) {
    const { status, out, err } = await program.run(args);
    said += `${out}\n${err}\n`;
    if (status === null || status > 125)
      return { said, fault: `${args.join(" ")} ended with ${status}: ${err.slice(0, 200)}` };
    if (/\n\s+at .+:\d+:\d+/.test(err))
      return { said, fault: `${args.join(" ")} printed a stack: ${err.slice(-600)}` };
  }
  return { said, fault: "" };
}

/** The program's words for damage of the home, past or present. */
const isTold =
  /damaged|corrupt|malformed|not a database|set aside|cannot be read|could not be processed|not valid|newer/i;

async function spoil(template: string, file: string, how: (path: string) => void) {
  await using program = copyOf(template);
  how(join(program.paths.root, file));
  const { said, fault } = await ask(program);
  if (fault !== "") return fault;
  await program.stopDaemon();
  await killDaemons(program);
  // While the settings cannot be read nothing is captured: what was accepted before waits.
  const waits = spooled(program.paths.root) === null ? [] : [prompts[1]];
  const wanted = { ports, prompts: prompts.filter((one) => !waits.includes(one as never)) };
  const missing = missingIn(program.paths.database, wanted);
  return missing === null || isTold.test(said) ? null : `${missing}, and nothing was said`;
}

/** Each damage by name; `run` gets the folder of a home that `writeHome` wrote. */
export const spoiled = [
  "continuity.db",
  "continuity.db-wal",
  "spool",
  "config.toml",
  "token",
].flatMap((file) =>
  Object.entries(ways).map(([name, how]) => ({
    name: `${file}: ${name}`,
    run: (template: string): Promise<string | null> =>
      spoil(template, file === "spool" ? (spooled(template) ?? file) : file, how),
  })),
);

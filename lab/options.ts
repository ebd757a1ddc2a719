/** Arguments of the programs of the laboratory: plain words, flags, and options with one value each. */

import { join, resolve } from "node:path";

export interface Options {
  readonly words: readonly string[];
  /** Null = not given. */
  readonly option: (name: string) => string | null;
}

/** An option that is not in `names` ends the program with a line that says so. */
export function optionsOf(argv: readonly string[], names: readonly string[]): Options {
  const words: string[] = [];
  const given = new Map<string, string>();
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? "";
    if (!word.startsWith("--")) {
      words.push(word);
      continue;
    }
    const name = word.slice(2);
    const value = argv[at + 1];
    if (!names.includes(name) || value === undefined) {
      process.stderr.write(
        `${word}: known are ${names.map((one) => `--${one} VALUE`).join(", ")}\n`,
      );
      process.exit(2);
    }
    given.set(name, value);
    at += 1;
  }
  return { words, option: (name) => given.get(name) ?? null };
}

/** Value of `--name` on the command line. */
export function option(name: string, fallback: string): string {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : (process.argv[at + 1] ?? fallback);
}

/** The program that is measured: `--binary`, else the one that was built here. */
export const measuredProgram = (): string =>
  resolve(option("binary", join(import.meta.dir, "../dist/continuity")));

export const flag = (name: string): boolean => process.argv.includes(`--${name}`);

/** The number after `--name`; anything else than one of at least `least` ends the program with a line that says so. */
export function numberOption(name: string, fallback: number, least = 0): number {
  const value = Number(option(name, `${fallback}`));
  if (Number.isFinite(value) && value >= least) return value;
  process.stderr.write(`--${name} takes a number of at least ${least}\n`);
  process.exit(2);
}

/** Arguments of a bench: plain words, and options with one value each. */

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

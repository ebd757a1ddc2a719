/** The documented fields of `--json`, where a command says them itself or in an order of its own. */
import type { Field } from "#api";

export const fields = (table: Readonly<Record<string, string>>): readonly Field[] =>
  Object.entries(table).map(([name, meaning]) => ({ name, meaning }));

/** The named fields first, in that order; the others as they come. */
export const first = (all: readonly Field[], names: readonly string[]): readonly Field[] => [
  ...names.flatMap((name) => all.filter((field) => field.name === name)),
  ...all.filter(({ name }) => !names.includes(name)),
];

import { expect, test } from "bun:test";
import { commands } from "./commands/index.ts";
import { readPlain } from "./run.ts";
import { createProgram, parseBy } from "./program.ts";
import type { Input } from "./spec.ts";

const specOf = (name: string) => {
  const spec = commands.find((command) => command.name === name);
  if (spec === undefined) throw new Error(`no command ${name}`);
  return spec;
};

/** `parsed` gives the parser's reading; null when it refuses. */
async function parsed([name = "", ...words]: readonly string[]): Promise<Input | null> {
  const inputs: Input[] = [];
  const io = { out: () => undefined, err: () => undefined, helpWidth: 80, forms: null };
  const program = createProgram([specOf(name)], io, "1.2.3", async (_, input) => {
    inputs.push(input);
  });
  try {
    await parseBy(program, [name, ...words], io);
  } catch {
    return null; // A blank argument is refused by a failure of ours.
  }
  return inputs[0] ?? null;
}

test.each([
  [["find", "which", "port", "does", "the", "gateway", "use"]],
  [["find", "one sentence, said at once"]],
  [["find", "--all-projects", "--json", "port", "5433"]],
  [["find", "port", "--limit", "3", "--min-score", "0.5"]],
  [["find", "x", "--kind", "prompt, checkpoint", "--kind", "memory", "--category", "cases,events"]],
  [["find", "x", "--format", "full", "--sort", "date", "--explain", "--since", "7d"]],
  [["find", "--deep", "why did we leave Redis?", "--limit", "3", "--limit", "4"]],
  [["status", "--log", "--follow"]],
  [["list"]],
  [["list", "--archive", "--pinned", "--status", "superseded", "--project", "a,b"]],
  [["show", "mem://user/preferences/package-manager"]],
  [["show", "4k", "--no-use", "--json"]],
  [["remember", "We deploy on Tuesdays", "--tag", "a", "--tag", "b, c", "--importance", "2"]],
  [["remember", "  spaces stay  ", "--global", "--category", "preferences"]],
  [["status"]],
  [["status", "--json"]],
  [["serve", "--port", "0", "--idle-exit", "never"]],
  [["mcp", "--read-only", "--folder", "."]],
])("%j is read as the parser reads it", async (line) => {
  const [name = "", ...words] = line;
  const input = readPlain(specOf(name), words);
  expect(input).not.toBeNull();
  expect(input).toEqual(await parsed([name, ...words]));
});

test.each([
  [["find"]],
  [["find", ""]],
  [["find", "x", "--limit"]],
  [["find", "x", "--limit=3"]],
  [["find", "x", "--min-score", "-1"]],
  [["find", "x", "--format", "long"]],
  [["find", "x", "--kind", "memory,nothing"]],
  [["find", "x", "--", "--limit"]],
  [["find", "x", "-q"]],
  [["find", "x", "--no-limit"]],
  [["show", "a", "b"]],
  [["show", " "]],
  [["remember", "-"]],
  [["status", "-h"]],
  [["status", "--log", "-f"]],
  [["hook", "stop"]],
])("%j is left to the parser", (line) => {
  const [name = "", ...words] = line;
  expect(readPlain(specOf(name), words)).toBeNull();
});

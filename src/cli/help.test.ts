/** Help says what each command takes: every option is read, every choice is accepted and every example parses. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { Glob } from "bun";
import { openTestCli } from "../../test/support/cli.ts";
import { commands } from "./commands/index.ts";
import { readWords } from "./words.ts";

const files = [...new Glob("**/*.ts").scanSync(import.meta.dir)];
const source = files
  .filter((path) => !path.includes(".test."))
  .map((path) => readFileSync(`${import.meta.dir}/${path}`, "utf8"))
  .join("\n");

const nameOf = (flags: string): string =>
  (/--(?:no-)?([a-z-]+)/.exec(flags)?.[1] ?? "").replace(/-(.)/g, (_, letter: string) =>
    letter.toUpperCase(),
  );

const options = commands.flatMap(({ name, options: all = [] }) =>
  all
    .filter(({ summary }) => !summary.endsWith("(the default)"))
    .map(({ flags }) => [name, flags] as const),
);

test.each(options)("%s reads %s", (_, flags) => {
  expect(source).toContain(`"${nameOf(flags)}"`);
});

test.each(["find", "list", "sessions", "timeline"])("%s takes every choice", async (name) => {
  using cli = openTestCli();
  const spec = commands.find((one) => one.name === name);
  const words = name === "find" ? ["port"] : [];
  for (const { flags, choices = [] } of spec?.options ?? [])
    for (const choice of choices) {
      const line = [name, ...words, flags.split(" ")[0] ?? "", choice];
      expect(await cli.run(line), line.join(" ")).toMatchObject({ status: 0, err: "" });
    }
});

test("find offers the kinds that are written today, and none of earlier versions", () => {
  const find = commands.find(({ name }) => name === "find");
  const kinds = find?.options?.find(({ flags }) => flags.startsWith("--kind"))?.choices;
  expect(kinds).toEqual(["memory", "exchange", "prompt", "checkpoint"]);
});

test("find still takes the kinds of earlier versions", async () => {
  using cli = openTestCli();
  for (const kind of ["moment", "observation", "memory,moment"])
    expect(await cli.run(["find", "port", "--kind", kind])).toMatchObject({ status: 0, err: "" });
});

/** The arguments of a command line, up to a pipe or a redirection. */
const argumentsOf = (example: string): readonly string[] =>
  [...example.replace(/ [|<>] .*/, "").matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)]
    .map(([, double, single, bare]) => double ?? single ?? bare ?? "")
    .slice(1);

const examples = commands
  .flatMap((command) => command.examples)
  .filter((example) => example.startsWith("continuity "));

test.each(examples)("%s is read", (example) => {
  const [name, ...words] = argumentsOf(example);
  const spec = commands.find((command) => command.name === name);
  expect(spec === undefined ? name : readWords(spec, words)).toMatchObject({
    args: expect.anything(),
  });
});

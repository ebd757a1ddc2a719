import { expect, test } from "bun:test";
import { commands } from "./commands/index.ts";
import { readWords } from "./words.ts";

const read = ([name = "", ...words]: readonly string[]) => {
  const spec = commands.find((command) => command.name === name);
  if (spec === undefined) throw new Error(`no command ${name}`);
  return readWords(spec, words);
};

test.each([
  [["find", "one sentence", "said"], ["one sentence", "said"], { limit: "10" }],
  [["find", "x", "--limit=3", "--all-projects"], ["x"], { limit: "3", allProjects: true }],
  [
    ["find", "x", "--kind", "prompt, checkpoint", "--kind", "memory"],
    ["x"],
    { limit: "10", kind: ["prompt", "checkpoint", "memory"] },
  ],
  [["find", "x", "--min-score", "-1"], ["x"], { limit: "10", minScore: "-1" }],
  [["find", "--", "--limit", "-h"], ["--limit", "-h"], { limit: "10" }],
  [["show", "4k", "--no-use", "--json"], ["4k"], { use: false, json: true }],
  [["show", "4k"], ["4k"], { use: true }],
  [["status", "--log", "-f"], [], { log: true, follow: true }],
  [["forget", "-1", "-y"], ["-1"], { yes: true }],
  [["remember", "-"], ["-"], { importance: "5" }],
  [["hook", "stop", "--agent", "-h"], ["stop", "--agent", "-h"], {}],
] as const)("%j is read", (line, args, options) => {
  expect(read(line)).toEqual({ args: [...args], options });
});

test.each([
  [["find", "x", "-h"]],
  [["show", "--help"]],
  [["forget", "-yh"]],
  [["hook", "-h"]],
  [["find", "--wrong", "-h"]],
] as const)("%j asks for help", (line) => {
  expect(read(line)).toBe("help");
});

test.each([
  [["find"], "missing required argument 'query'"],
  [["config"], "missing required argument 'action' (get, set, path, edit, rotate-token)"],
  [["find", ""], "<query> is empty"],
  [["sessions", ""], "<id> is empty"],
  [["show", "a", "b"], "too many arguments for 'show'. Expected 1 argument but got 2: a, b"],
  [["find", "x", "--limit"], "option '--limit <n>' argument missing"],
  [
    ["find", "x", "--sort", "size"],
    "option '--sort <order>' argument 'size' is invalid. Allowed choices are relevance, date",
  ],
  [["find", "x", "--limt", "3"], "unknown option '--limt' (Did you mean --limit?)"],
  [["find", "x", "--deep=1"], "unknown option '--deep=1' (Did you mean --deep?)"],
  [["status", "-fq"], "unknown option '-q'"],
  [["completion", "tcsh"], "'tcsh' is no shell. Allowed choices are bash, zsh, fish"],
] as const)("%j is refused", (line, message) => {
  expect(() => read(line)).toThrow(message);
});

test("a text that begins with a dash is told how to be written", () => {
  expect(() => read(["remember", "--never push"])).toThrow(
    expect.objectContaining({
      next: "see `continuity help remember`; put `--` before text that begins with a dash",
      exitStatus: 2,
    }),
  );
});

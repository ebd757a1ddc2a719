/** Forgetting through the built program: afterwards no file of the home holds a rare word of what was forgotten. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openProgram, type Program } from "../support/program.ts";

const rareWord = "quillfeather9";

/** Files of the home that hold these bytes, in whatever case. */
const filesHolding = ({ paths }: Program, text: string): readonly string[] =>
  readdirSync(paths.root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readFileSync(path).toString("latin1").toLowerCase().includes(text))
    .map((path) => path.slice(paths.root.length + 1))
    .toSorted();

/** A session that says the word in prompts, answers, commands, edits and a guard, and another prompt. */
async function record(program: Program, cwd: string, word = rareWord): Promise<void> {
  const base = { session_id: "s-1", cwd };
  const turn = async (n: number, prompt: string, answer: string): Promise<void> => {
    await program.hook("submit", { ...base, prompt, prompt_id: `p-${n}` });
    if (n === 2)
      for (const [tool_name, tool_input] of [
        ["Bash", { command: `echo ${word} > x` }],
        ["Edit", { file_path: join(cwd, `${word}.ts`), old_string: "a", new_string: word }],
      ] as const)
        await program.hook("tool", {
          ...base,
          tool_name,
          tool_input,
          tool_use_id: `t-${tool_name}`,
          tool_response: { stdout: word, stderr: "" },
        });
    await program.hook("stop", { ...base, last_assistant_message: answer });
  };
  await turn(1, `remember that the vault code word is ${word}`, "Noted.");
  await turn(2, `where do we use ${word}?`, `Decided to keep ${word} in one file.`);
  await turn(3, `never edit ${word}.ts yourself`, "Understood.");
  await turn(4, "remember that the kiln burns at 900 degrees", "Noted.");
  await program.flush();
  await program.run(["guards", "approve", "1"], { cwd });
}

test("a rare word of what was forgotten is offered, and then in no file: database, backups, guards", async () => {
  await using program = openProgram();
  const cwd = program.project("shop");
  await program.up();
  await record(program, cwd);
  const run = (...args: readonly string[]) => program.run(args, { cwd });
  expect(await run("backup", join(program.paths.backups, "mine.db"))).toMatchObject({ status: 0 });
  expect(filesHolding(program, rareWord)).toContain("backups/mine.db");
  expect(filesHolding(program, rareWord)).toContain("guards.json");

  const listed = (await run("list", "--json")).out;
  const uri = /mem:[^"]*vault[^"]*/.exec(listed)?.[0] ?? "";
  const offered = await run("forget", "--yes", uri);
  expect(offered.err).toContain(`mem://words/${rareWord}`);
  expect(filesHolding(program, rareWord)).toContain("guards.json");

  expect(await run("forget", "--yes", "--backups", `mem://words/${rareWord}`)).toMatchObject({
    status: 0,
  });
  expect((await run("list")).out).toContain("kiln");
  await program.stopDaemon();
  expect(filesHolding(program, rareWord)).toEqual([]);
  expect(filesHolding(program, "kiln")).toContain("backups/mine.db");
}, 60_000);

test.each([
  rareWord,
  // A name, in a home too young to know which words are common.
  "quendalin",
])(
  "with --similar and --backups one call is enough for %s, and a word of every day is nobody's",
  async (word) => {
    await using program = openProgram();
    const cwd = program.project("shop");
    await program.up();
    await record(program, cwd, word);
    const run = (...args: readonly string[]) => program.run(args, { cwd });
    await run("backup", join(program.paths.backups, "mine.db"));
    const uri = /mem:[^"]*vault[^"]*/.exec((await run("list", "--json")).out)?.[0] ?? "";
    expect(await run("forget", "--yes", "mem://words/that")).toMatchObject({ status: 1 });
    const gone = await run("forget", "--yes", "--similar", "--backups", uri);
    expect(gone).toMatchObject({ status: 0 });
    await program.stopDaemon();
    expect(filesHolding(program, word)).toEqual([]);
  },
  60_000,
);

import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestCli } from "../../test/support/cli.ts";
import { commands } from "./commands/index.ts";
import { completionFor, shells, type Shell } from "./commands/completion.ts";

/** `offered` gives bash's completions for the last of these words, by its own completion machinery. */
function offered(...words: readonly string[]): readonly string[] {
  const script = completionFor("bash", commands);
  const line = words.map((word) => `'${word}'`).join(" ");
  const asked = `COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _continuity; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const ran = Bun.spawnSync(["bash", "--norc", "-c", `${script}\n${asked}`]);
  expect(ran.stderr.toString()).toBe("");
  return ran.stdout.toString().split("\n").filter(Boolean);
}

test.each([
  { words: ["continuity", "ins"], offers: ["install"] },
  { words: ["continuity", "doc"], offers: ["doctor"] },
  { words: ["continuity", "install", "--dr"], offers: ["--dry-run"] },
  { words: ["continuity", "install", "--llm", "a"], offers: ["auto", "anthropic"] },
  { words: ["continuity", "config", "e"], offers: ["edit"] },
  { words: ["continuity", "completion", ""], offers: ["bash", "zsh", "fish"] },
  { words: ["continuity", "list", "--js"], offers: ["--json"] },
  { words: ["continuity", "help", "unin"], offers: ["uninstall"] },
  { words: ["continuity", "nosuch", "x"], offers: [] },
])("bash completes $words with $offers", ({ words, offers }) => {
  expect(new Set(offered(...words))).toEqual(new Set<string>(offers));
});

test("bash offers every command, and what it registers is found by `complete`", () => {
  expect(offered("continuity", "").toSorted()).toEqual(
    [...commands.map(({ name }) => name), "help", "--help", "--version"].toSorted(),
  );
  const script = completionFor("bash", commands);
  const { stdout } = Bun.spawnSync(["bash", "--norc", "-c", `${script}\ncomplete -p continuity`]);
  expect(stdout.toString()).toContain("-F _continuity continuity");
});

test.each([...shells])("%s gets every command and every option of the table", (shell) => {
  const script = completionFor(shell, commands);
  const dash = shell === "fish" ? "-l " : "--";
  for (const { name, options } of commands) {
    expect(script).toContain(name);
    for (const { flags } of options ?? []) {
      const long = /--([\w-]+)/.exec(flags)?.[1] ?? "";
      expect(script, `${name} ${flags}`).toContain(`${dash}${long}`);
    }
  }
});

const parsers: Readonly<Record<Shell, readonly string[]>> = {
  bash: ["bash", "-n"],
  zsh: ["zsh", "-n"],
  fish: ["fish", "-n"],
};

test.each(shells.filter((shell) => Bun.which(shell) !== null))(
  "%s can read its script",
  (shell) => {
    const folder = mkdtempSync(join(tmpdir(), "continuity-completion-"));
    const file = join(folder, "script");
    writeFileSync(file, completionFor(shell, commands));
    const { exitCode, stderr } = Bun.spawnSync([...parsers[shell], file]);
    rmSync(folder, { recursive: true, force: true });
    expect([exitCode, stderr.toString()]).toEqual([0, ""]);
  },
);

test("quotes in zsh and fish scripts come in pairs on every line", () => {
  for (const shell of ["zsh", "fish"] as const)
    for (const line of completionFor(shell, commands).split("\n")) {
      const bare = line.startsWith("#") ? "" : line.replaceAll(String.raw`'\''`, "");
      expect(bare.split("'").length % 2, line).toBe(1);
    }
});

test("the command prints one shell's script, and refuses others", async () => {
  using cli = openTestCli();
  const ran = await cli.run(["completion", "fish"]);
  expect(ran).toMatchObject({ status: 0, out: completionFor("fish", commands), needs: [] });
  expect(await cli.run(["completion", "tcsh"])).toMatchObject({ status: 2 });
});

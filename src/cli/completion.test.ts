import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestCli } from "../../test/support/cli.ts";
import { commands } from "./commands/index.ts";

const shells = ["bash", "zsh", "fish"] as const;

const cli = openTestCli();
afterAll(() => cli[Symbol.dispose]());

/** The words that are offered in the place of the last of these. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const { out, status } = await cli.run(["complete", ...words]);
  expect(status).toBe(0);
  return out.split("\n").flatMap((line) => (line === "" ? [] : (line.split("\t")[0] ?? [])));
}

const printed = async (shell: string): Promise<string> =>
  (await cli.run(["completion", shell])).out;

test.each([
  { words: ["ins"], offers: ["install"] },
  { words: ["doc"], offers: ["doctor"] },
  { words: ["install", "--dr"], offers: ["--dry-run"] },
  { words: ["install", "--llm", "a"], offers: ["auto", "anthropic"] },
  { words: ["find", "--limit", ""], offers: [] },
  { words: ["config", "e"], offers: ["edit"] },
  { words: ["completion", ""], offers: ["bash", "zsh", "fish"] },
  { words: ["list", "--js"], offers: ["--json"] },
  { words: ["help", "unin"], offers: ["uninstall"] },
  { words: ["nosuch", "x"], offers: [] },
])("behind $words $offers are offered", async ({ words, offers }) => {
  expect(new Set(await offered(...words))).toEqual(new Set<string>(offers));
});

test("every command is offered, and every option of each", async () => {
  expect((await offered("")).toSorted()).toEqual(
    [...commands.map(({ name }) => name), "help", "--help", "--version"].toSorted(),
  );
  for (const { name, options = [] } of commands)
    expect(await offered(name, "--")).toEqual(
      expect.arrayContaining(options.map(({ flags }) => /--[\w-]+/.exec(flags)?.[0] ?? "")),
    );
});

test("bash asks the program with the words up to the cursor, and offers what it says", async () => {
  const folder = mkdtempSync(join(tmpdir(), "continuity-completion-"));
  const program = join(folder, "continuity");
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\t-\\n' "$#" "$@"\n`);
  chmodSync(program, 0o755);
  const asked = [
    "COMP_WORDS=(continuity list --json '' later); COMP_CWORD=3; _continuity",
    `printf '<%s>' "\${COMPREPLY[@]}"; complete -p continuity`,
  ].join("\n");
  const ran = Bun.spawnSync(["bash", "--norc", "-c", `${await printed("bash")}\n${asked}`], {
    env: { PATH: `${folder}:/usr/bin:/bin` },
  });
  rmSync(folder, { recursive: true, force: true });
  expect(ran.stderr.toString()).toBe("");
  expect(ran.stdout.toString()).toStartWith("<4><complete><list><--json>");
  expect(ran.stdout.toString()).toContain("-F _continuity continuity");
});

test.each(shells.filter((shell) => Bun.which(shell) !== null))(
  "%s can read its script",
  async (shell) => {
    const ran = Bun.spawnSync([shell, "-n"], { stdin: new Blob([await printed(shell)]) });
    expect([ran.exitCode, ran.stderr.toString()]).toEqual([0, ""]);
  },
);

test("a shell that is not known is refused", async () => {
  expect(await cli.run(["completion", "tcsh"])).toMatchObject({ status: 2 });
});

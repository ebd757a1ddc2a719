/** `promote` on real files: shown, asked, written, and taken out byte for byte. */
import { afterAll, beforeEach, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestCli, type Ran, type TestCli } from "../../test/support/cli.ts";
import { planInstructions } from "./instructions.ts";

const rule = "Use pnpm, never npm";
const uri = "mem://user/preferences/packages";
const everywhere = "mem://user/preferences/short";

const folders: string[] = [];
let home = "";
let root = "";

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "continuity-promote-")));
  folders.push(home);
  root = join(home, "api");
  mkdirSync(root);
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const open = (): TestCli => {
  const cli = openTestCli();
  cli.server.t.add({ uri, l0: `api: ${rule}`, project: "p" });
  cli.server.t.add({ uri: everywhere, l0: "Keep answers short", project: null });
  return cli;
};
const promote = (cli: TestCli, args: readonly string[], answers?: readonly string[]) =>
  cli.run(["promote", ...args], {
    ...(answers === undefined ? {} : { answers }),
    deps: {
      instructions: async (ask) => planInstructions({ HOME: home }, ask),
      project: () => ({ key: "p", name: "api", root, branch: null }),
    },
  });
const text = (path = join(root, "CLAUDE.md")): string => readFileSync(path, "utf8");
const refused = (ran: Ran): string => {
  expect(ran.status).not.toBe(0);
  expect(ran.err.trim().split("\n").length).toBeLessThan(3);
  return ran.err;
};

test("a line of the project's CLAUDE.md, shown and asked, and out again", async () => {
  using cli = open();
  const before = "\ufeff# API\r\n\r\n- Be brief";
  writeFileSync(join(root, "CLAUDE.md"), before);
  expect((await promote(cli, [uri], ["n"])).out).toContain("Nothing written.");
  expect(text()).toBe(before);
  const done = await promote(cli, [uri], ["y"]);
  expect(done.asked).toEqual([`Change ${join(root, "CLAUDE.md")}? [y/N] `]);
  expect(done.out).toContain(`+- ${rule}\n`);
  expect(text()).toBe(`${before}\r\n\r\n## Remembered rules\r\n\r\n- ${rule}`);
  expect((await promote(cli, [uri, "--yes"])).out).toContain("Unchanged");
  expect((await promote(cli, [uri, "--back", "--yes"])).out).toContain(`-- ${rule}\n`);
  expect(text()).toBe(before);
  expect(refused(await promote(cli, [uri, "--back", "--yes"]))).toContain(
    "no line that was put in",
  );
});

test("a global memory goes into the user's own file; a file that was made for it goes with it", async () => {
  using cli = open();
  const path = join(home, ".claude", "CLAUDE.md");
  expect((await promote(cli, [everywhere, "--yes"])).status).toBe(0);
  expect(text(path)).toBe("## Remembered rules\n\n- Keep answers short\n");
  expect((await promote(cli, [everywhere, "--yes", "--back"])).status).toBe(0);
  expect(existsSync(path)).toBe(false);
});

test("without a terminal nothing is written unless it is said; --dry-run shows only", async () => {
  using cli = open();
  expect(refused(await promote(cli, [uri]))).toContain("add --yes");
  expect(refused(await promote(cli, [uri, "--json"], ["y"]))).toContain("add --yes");
  const shown = await promote(cli, [uri, "--dry-run"]);
  expect(shown.out).toContain(`+- ${rule}`);
  const [answer] = (await promote(cli, [uri, "--dry-run", "--json"])).out.split("\n");
  expect(JSON.parse(answer ?? "")).toMatchObject({ written: false, l0: `api: ${rule}` });
  expect(existsSync(join(root, "CLAUDE.md"))).toBe(false);
});

test("another file of the project, and none outside it", async () => {
  using cli = open();
  expect((await promote(cli, [uri, "--yes", "--file", "docs/RULES.md"])).status).toBe(0);
  expect(text(join(root, "docs", "RULES.md"))).toContain(rule);
  for (const name of ["../CLAUDE.md", "/tmp/x.md", "package.json", "."])
    expect(refused(await promote(cli, [uri, "--yes", "--file", name]))).toContain(
      "no Markdown file",
    );
});

test("a link stays a link; what leads out is said", async () => {
  using cli = open();
  writeFileSync(join(root, "AGENTS.md"), "# Rules\n");
  symlinkSync("AGENTS.md", join(root, "CLAUDE.md"));
  await promote(cli, [uri, "--yes"]);
  expect(lstatSync(join(root, "CLAUDE.md")).isSymbolicLink()).toBe(true);
  expect(text(join(root, "AGENTS.md"))).toContain(rule);
  rmSync(join(root, "CLAUDE.md"));
  symlinkSync(join(home, "dotfiles.md"), join(root, "CLAUDE.md"));
  expect((await promote(cli, [uri, "--dry-run"])).out).toContain("leads out of its folder");
});

test("what cannot be written is said in one line, and nothing changes", async () => {
  using cli = open();
  const path = join(root, "CLAUDE.md");
  writeFileSync(path, "```\ncode\n");
  expect(refused(await promote(cli, [uri, "--yes"]))).toContain("is not closed");
  writeFileSync(path, Uint8Array.of(0x41, 0xff));
  expect(refused(await promote(cli, [uri, "--yes"]))).toContain("is not UTF-8 text");
  writeFileSync(path, "# A\n");
  chmodSync(path, 0o444);
  expect(refused(await promote(cli, [uri, "--yes"]))).toContain("is read-only");
  rmSync(path);
  mkdirSync(path);
  expect(refused(await promote(cli, [uri, "--yes"]))).toContain("is no regular file");
  expect(refused(await promote(cli, ["mem://user/none", "--yes"]))).toContain("mem://user/none");
});

test("a file that was changed while the person looked is left alone", async () => {
  const path = join(root, "CLAUDE.md");
  writeFileSync(path, "# A\n");
  const ask = { l0: rule, root, file: null, back: false };
  const { write } = planInstructions({ HOME: home }, ask);
  writeFileSync(path, "# B\n");
  expect(write).toThrow("was changed meanwhile");
  expect(text()).toBe("# B\n");
});

test("a memory of another project, and --repo with what is not for it, are refused", async () => {
  using cli = open();
  cli.server.t.add({ uri: "mem://user/preferences/other", l0: "Use yarn", project: "q" });
  const other = await promote(cli, ["mem://user/preferences/other", "--yes"]);
  expect(refused(other)).toContain("the memory belongs to q");
  expect(refused(await promote(cli, [uri, "--repo", "--back"]))).toContain("do not go with --repo");
});

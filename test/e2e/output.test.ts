/** Standard output as shells give it to us: slow readers, readers that leave, full disks, narrow places. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { systemClock, systemRandom } from "#kit";
import { openStore } from "#store";
import { binary, openProgram } from "../support/program.ts";

const program = openProgram();
const memories = 800;

/** More than any pipe holds. */
beforeAll(() => {
  mkdirSync(program.paths.root, { mode: 0o700 });
  const opened = openStore(program.paths.database, {
    clock: systemClock,
    mode: "readwrite",
    random: systemRandom,
  });
  if (!opened.ok) throw new Error(opened.error.type);
  using store = opened.value;
  store.transaction(() => {
    for (let n = 0; n < memories; n += 1)
      store.nodes.insert(
        {
          uri: `mem://user/entities/buoy-${n}`,
          l0: `Buoy ${n} blinks every ${n + 3} seconds`,
          category: "entities",
          project: null,
          origin: "user",
          maker: "manual",
        },
        { atMs: 0, action: "create", by: "test", reason: "given" },
      );
  });
});
afterAll(async () => program[Symbol.asyncDispose]());

/** Runs a shell line in which `$0` is our program. */
async function shell(line: string, env: Readonly<Record<string, string>> = {}) {
  const child = Bun.spawn(["bash", "-c", line, binary], {
    cwd: program.folder,
    env: { ...program.env, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { out, err };
}

test("a slow reader gets every line", async () => {
  const { out, err } = await shell('"$0" list --json | (sleep 0.5; wc -l)');
  expect([Number(out), err]).toEqual([memories, ""]);
});

test.each(["list --json", "list --limit 800", "tree --depth 8 2>&-", "help"])(
  "a reader that leaves after one line is no failure: %s",
  async (args) => {
    const { out, err } = await shell(`"$0" ${args} | head -1 >&2; echo "\${PIPESTATUS[0]}"`);
    expect(out).toBe("0\n");
    expect(err).toMatch(/^[^\n]+\n$/);
  },
);

test.skipIf(process.platform !== "linux").each(["list --json", "status", "help"])(
  "a full disk is a failure in one line: %s",
  async (args) => {
    const { out, err } = await shell(`"$0" ${args} >/dev/full; echo $?`);
    expect(out).toBe("1\n");
    expect(err).toMatch(/^error: standard output cannot be written: ENOSPC[^\n]*\n$/);
  },
);

/** Runs a command on a terminal of its own; `keys` are typed once it asks `question`. */
async function onTerminal(args: readonly string[], keys: string, question = "permanently?") {
  let shown = "";
  const child = Bun.spawn([binary, ...args], {
    cwd: program.folder,
    env: { ...program.env, TERM: "xterm" },
    terminal: {
      cols: 80,
      rows: 24,
      data: (terminal, bytes) => {
        const asked = shown.includes(question);
        shown += new TextDecoder().decode(bytes);
        if (!asked && shown.includes(question)) terminal.write(keys);
      },
    },
  });
  return { status: await child.exited, shown };
}

test.each([
  { name: "no", keys: "n\r" },
  { name: "nothing", keys: "\r" },
  { name: "Ctrl-C", keys: "\u0003" },
  { name: "Ctrl-D", keys: "\u0004" },
])("$name, asked whether to forget, forgets nothing and says so", async ({ keys }) => {
  for (const what of ["mem://user/entities/buoy-7", "buoy blinks"]) {
    const { status, shown } = await onTerminal(["forget", what], keys);
    expect(shown).toContain("Nothing was forgotten.");
    expect(shown).not.toContain("Error");
    expect(status).toBe(1);
  }
});

test("Ctrl-C at the question of install changes nothing", async () => {
  const settings = join(program.folder, ".claude", "settings.json");
  const { status, shown } = await onTerminal(["install"], "\u0003", "[N, or ? for models]");
  expect(shown).toContain("stopped; nothing was changed");
  expect(status).toBe(1);
  expect(existsSync(settings)).toBe(false);
});

test("COLUMNS narrows what goes into a pipe; without it nothing is cut", async () => {
  const widest = async (env: Readonly<Record<string, string>>) =>
    Math.max(...(await shell('"$0" list', env)).out.split("\n").map((line) => line.length));
  expect(await widest({ COLUMNS: "60" })).toBeLessThanOrEqual(60);
  expect(await widest({ COLUMNS: "wide" })).toBeGreaterThan(60);
});

test.each(["find", "search", "show", "remember"])(
  "%s of nothing is one line that says so",
  async (name) => {
    expect(await program.run([name, " "])).toMatchObject({
      status: 2,
      out: "",
      err: expect.stringMatching(/^error: [^\n]* is empty\n$/),
    });
  },
);

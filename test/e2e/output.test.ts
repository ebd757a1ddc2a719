/** Standard output as shells give it to us: slow readers, readers that leave, full disks, narrow places. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
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

test("COLUMNS narrows what goes into a pipe; without it nothing is cut", async () => {
  const widest = async (env: Readonly<Record<string, string>>) =>
    Math.max(...(await shell('"$0" list', env)).out.split("\n").map((line) => line.length));
  expect(await widest({ COLUMNS: "60" })).toBeLessThanOrEqual(60);
  expect(await widest({ COLUMNS: "wide" })).toBeGreaterThan(60);
});

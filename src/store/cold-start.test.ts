import { expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkDatabase } from "./snapshot.ts";
import { openOk, tempFolder } from "../../test/support/store.ts";

const processes = 12;

/** Waits for the starting flag, so that all of them open at once; then opens, writes one node and says so. */
const program = `
  import { existsSync } from "node:fs";
  import { openStore } from ${JSON.stringify(join(import.meta.dir, "open.ts"))};
  import { systemClock, systemRandom } from "#kit";
  const [path, flag, name] = process.argv.slice(1);
  await Bun.write(flag + "." + name, "");
  while (!existsSync(flag)) Bun.sleepSync(1);
  const opened = openStore(path, { clock: systemClock, mode: "readwrite", random: systemRandom });
  if (!opened.ok) {
    process.stdout.write(JSON.stringify(opened.error));
    process.exit(1);
  }
  const draft = { uri: "mem://user/entities/" + name, category: "entities", project: null, l0: "Entity " + name,
    origin: "user", maker: "manual" };
  opened.value.nodes.insert(draft, { atMs: 1, action: "create", by: "user", reason: "race" });
  opened.value[Symbol.dispose]();
`;

test("twelve processes that open a cold database together all succeed", async () => {
  using folder = tempFolder();
  const flag = join(folder.path, "go");
  const names = Array.from({ length: processes }, (_, i) => `p${i}`);
  const children = names.map((name) =>
    Bun.spawn([process.execPath, "-e", program, folder.database, flag, name], {
      // Inside the room, so that the doors of package.json are found.
      cwd: import.meta.dir,
      stdout: "pipe",
      stderr: "pipe",
    }),
  );
  while (!names.every((name) => existsSync(`${flag}.${name}`))) await Bun.sleep(5);
  writeFileSync(flag, "");
  const ends = await Promise.all(
    children.map(async (child) => ({
      code: await child.exited,
      said: (await new Response(child.stdout).text()) + (await new Response(child.stderr).text()),
    })),
  );
  expect(ends).toEqual(names.map(() => ({ code: 0, said: "" })));
  using store = openOk(folder.database);
  expect(store.nodes.count({})).toBe(processes);
  expect(checkDatabase(folder.database)).toMatchObject({ ok: true });
}, 60_000);

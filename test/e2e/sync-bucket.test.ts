/** Two homes over a bucket, with the built program. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openProgram } from "../support/program.ts";

setDefaultTimeout(120_000);

test("said on one machine, known on the other; refused keys are replaced by those that work", async () => {
  await using a = openProgram();
  await using b = openProgram();
  const served = join(a.folder, "served");
  const script = join(import.meta.dir, "../support/sync/s3-server.ts");
  const up = Promise.withResolvers<number>();
  const child = Bun.spawn([process.execPath, script, served, "0"], {
    ipc: (taken: number) => up.resolve(taken),
  });
  try {
    const port = await up.promise;
    const keys = { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" };
    const wrong = { ...keys, AWS_ACCESS_KEY_ID: "AKIDSTRANGER" };
    const url = `s3://memory/mine?endpoint=http://127.0.0.1:${port}`;

    const refused = await a.run(["sync", "init", url], { env: wrong });
    expect(refused.status).toBe(1);
    expect(refused.err).toContain("does not accept the credentials");
    expect((await a.run(["sync", "init", url], { env: keys })).status).toBe(0);
    await a.run(["remember", "The Heron service listens on port 7071"]);
    // The keys were kept: no command after this one has them.
    expect((await a.run(["sync", "now"])).out).toContain("sent");
    const shown = await a.run(["sync", "key", "--json"]);
    const { key } = JSON.parse(shown.out) as { readonly key: string };

    const env = { ...keys, CONTINUITY_SYNC_KEY: key };
    expect((await b.run(["sync", "init", url], { env })).status).toBe(0);
    const found = await b.run(["find", "--all-projects", "Heron port"]);
    expect(found.out).toContain("7071");
    expect((await b.run(["sync", "verify"])).out).toContain("all of them fit");
    for (const name of readdirSync(served, { recursive: true, encoding: "utf8" }))
      if (name.endsWith("_object"))
        expect(readFileSync(join(served, name)).includes("Heron")).toBe(false);

    const state = join(a.paths.sync, "space.json");
    const kept = JSON.parse(readFileSync(state, "utf8")) as Readonly<Record<string, unknown>>;
    await Bun.write(state, JSON.stringify({ ...kept, access: wrong }));
    const late = await a.run(["sync", "now"]);
    expect(late.err).toContain("does not accept the credentials");
    expect((await a.run(["sync", "now"], { env: keys })).status).toBe(0);
    expect((await a.run(["sync", "now"])).status).toBe(0);
    expect(a.log()).not.toContain("AKIDSTRANGER");
  } finally {
    child.kill();
    await child.exited;
  }
});

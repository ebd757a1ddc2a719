/** Two homes over a PostgreSQL server, with the built program. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  postgresFolder,
  startPostgres,
  superPassword,
  whyNoPostgres,
} from "../support/sync/postgres-server.ts";
import { openProgram } from "../support/program.ts";

setDefaultTimeout(180_000);
const isHere = postgresFolder !== null;
test.if(!isHere)(whyNoPostgres, () => undefined);

test.if(isHere)(
  "said on one machine, heard on the other; a refused password is replaced",
  async () => {
    const server = await startPostgres();
    await using a = openProgram();
    await using b = openProgram();
    try {
      const env = { PGPASSWORD: superPassword, PGDATABASE: "nowhere" };
      const refused = await a.run(["sync", "init", server.url()], { env: { PGPASSWORD: "wrong" } });
      expect(refused.err).toContain("does not let keeper in");
      const withPassword = server.url().replace("@", `:${superPassword}@`);
      const made = await a.run(["sync", "init", withPassword]);
      expect(made.err).toBe("");
      expect(made.out + (await a.run(["sync", "status"])).out).not.toContain(superPassword);
      const shown = await a.run(["sync", "key", "--json"]);
      const { key } = JSON.parse(shown.out) as { readonly key: string };
      const joining = { env: { ...env, CONTINUITY_SYNC_KEY: key } };
      expect((await b.run(["sync", "init", server.url()], joining)).err).toBe("");

      await a.run(["remember", "The Heron service listens on port 7071"]);
      expect((await a.run(["sync", "now"])).out).toContain("sent");
      expect((await b.run(["sync", "now"])).out).toContain("received");
      const found = await b.run(["find", "--all-projects", "Heron port"]);
      expect(found.out).toContain("7071");
      expect((await b.run(["sync", "verify"])).out).toContain("all of them fit");

      const path = join(a.paths.sync, "space.json");
      const kept = JSON.parse(readFileSync(path, "utf8")) as Readonly<Record<string, unknown>>;
      expect(kept["url"]).toBe(server.url());
      await Bun.write(path, JSON.stringify({ ...kept, access: { PGPASSWORD: "old" } }));
      expect((await a.run(["sync", "now"])).err).toContain("does not let keeper in");
      expect((await a.run(["sync", "now"], { env })).status).toBe(0);
      await server.kill();
      expect((await a.run(["sync", "now"])).err).toContain("cannot be reached");
      await server.start();
      expect((await a.run(["sync", "now"])).status).toBe(0);
      expect(a.log()).not.toContain(superPassword);
    } finally {
      await server.stop();
    }
  },
);

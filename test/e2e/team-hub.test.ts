/** Two people, one project and a PostgreSQL server, with the built program. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  postgresFolder,
  startPostgres,
  superPassword,
  whyNoPostgres,
} from "../support/sync/postgres-server.ts";
import { openProgram, type Program } from "../support/program.ts";

setDefaultTimeout(180_000);
const isHere = postgresFolder !== null;
test.if(!isHere)(whyNoPostgres, () => undefined);

/** A clone of the same remote. */
async function clone(program: Program): Promise<string> {
  const folder = program.project("heron");
  await Bun.write(
    join(folder, ".git/config"),
    '[remote "origin"]\n\turl = https://git.example.org/acme/heron.git\n',
  );
  return folder;
}

test.if(isHere)(
  "made, invited, joined: what one shares the other is shown, until he is removed",
  async () => {
    const server = await startPostgres();
    await using a = openProgram();
    await using b = openProgram();
    try {
      const [here, there] = [await clone(a), await clone(b)];
      const inA = (...args: readonly string[]) => a.run(args, { cwd: here });
      const inB = (...args: readonly string[]) => b.run(args, { cwd: there });
      const url = server.url().replace("@", `:${superPassword}@`);
      const made = await inA("team", "create", url, "--name", "Lea");
      expect(made.err).toBe("");
      expect(made.out).not.toContain(superPassword);
      const { out } = await inA("team", "invite", "Ann", "--json");
      const { invitation } = JSON.parse(out) as { readonly invitation: string };
      const env = { CONTINUITY_TEAM_INVITATION: invitation };
      const joined = await b.run(["team", "join"], { cwd: there, env });
      expect(joined.err).toBe("");
      expect(joined.out).toContain("heron");

      await inA("remember", "--category", "patterns", "The Heron service listens on port 7071");
      const listed = await inA("list", "--json");
      const { uri } = JSON.parse(listed.out.split("\n")[0] ?? "") as { readonly uri: string };
      expect((await inA("share", uri)).err).toBe("");
      // A daemon may have sent or received it by itself before.
      for (const at of [inA, inB]) expect((await at("sync", "now")).err).toBe("");
      const shown = await inB("list", "--json", "--status", "active", "--status", "pending");
      expect(shown.out).toContain("port 7071");
      const status = await inB("team", "status");
      expect(status.out).toContain("Lea");
      expect((await inB("team", "members")).out).toMatch(/Ann.*you/);

      const [file = ""] = readdirSync(join(a.paths.root, "team"));
      expect(statSync(join(a.paths.root, "team", file)).mode & 0o777).toBe(0o600);
      expect((await inA("team", "remove", "Ann")).out).toContain("Removed Ann");
      const refused = await inB("sync", "now");
      expect(refused.out).toContain("does not let");
      expect(refused.status).toBe(1);
      for (const one of [a, b]) expect(one.log()).not.toContain(superPassword);
      const states = readFileSync(join(b.paths.root, "team", file), "utf8");
      expect(states).not.toContain(superPassword);
    } finally {
      await server.stop();
    }
  },
);

/** Replication by Litestream to a file replica, where the program is installed (docs/backup.md). */
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, openProgram } from "../support/program.ts";

const litestream = Bun.which("litestream");

test.skipIf(litestream === null)(
  "what Litestream replicated while hooks were served is restored whole",
  async () => {
    await using program = openProgram();
    const remember = (n: number) =>
      program.hook("submit", {
        session_id: "s-1",
        transcript_path: "/nowhere/s.jsonl",
        cwd: program.folder,
        hook_event_name: "UserPromptSubmit",
        prompt: `remember that machine number ${n} burns at ${800 + n} degrees`,
        prompt_id: `p-${n}`,
      });
    await remember(1);
    await program.flush();
    const { database } = program.paths;
    const config = join(program.folder, "litestream.yml");
    const replica = join(program.folder, "replica");
    writeFileSync(
      config,
      `dbs:\n  - path: ${database}\n    replicas:\n      - type: file\n        path: ${replica}\n        sync-interval: 100ms\n`,
    );
    const replicating = Bun.spawn([litestream ?? "", "replicate", "-config", config], {
      stdout: Bun.file(join(program.folder, "litestream.log")),
      stderr: Bun.file(join(program.folder, "litestream.err")),
    });
    const log = (): string => readFileSync(join(program.folder, "litestream.log"), "utf8");
    try {
      await eventually("a replica", () => log().includes("wal segment written"));
      for (let n = 2; n <= 40; n += 1) await remember(n);
      await program.flush();
      const written = log().length;
      await eventually("the rest", () => log().slice(written).includes("wal segment written"));
    } finally {
      replicating.kill("SIGTERM");
      await replicating.exited;
    }
    const copy = join(program.folder, "copy.db");
    const restored = Bun.spawnSync([
      litestream ?? "",
      "restore",
      "-o",
      copy,
      "-config",
      config,
      database,
    ]);
    expect(restored.exitCode).toBe(0);
    expect(await program.run(["restore", copy, "--yes"])).toMatchObject({ status: 0, err: "" });
    const listed = await program.run(["list", "--json", "--limit", "100"]);
    expect(listed.out.split("\n").filter(Boolean)).toHaveLength(40);
    using db = program.database();
    expect(db.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
  },
  60_000,
);

/** Every way by which events reach the database keeps the same promises of privacy and order. */
import { expect, test } from "bun:test";
import { openStore, recoveryMeta } from "../src/store/index.ts";
import { stoppedClock, systemRandom } from "../src/kit/index.ts";
import { openIntake, ways } from "./support/intake.ts";

test.each(ways)(
  "%s: an answer that repeats private words after a restart is not kept",
  async (way) => {
    await using home = openIntake(way);
    await home.send("UserPromptSubmit", {
      prompt_id: "p1",
      prompt: "<private>our vault word is marzipan seventeen</private> please keep it in mind",
    });
    await home.restart();
    await home.send("PostToolUse", {
      prompt_id: "p1",
      tool_use_id: "t1",
      tool_name: "Bash",
      tool_input: { command: "echo marzipan seventeen" },
      tool_response: { stdout: "marzipan seventeen" },
    });
    await home.send("Stop", {
      prompt_id: "p1",
      last_assistant_message: "Understood, the vault word marzipan is noted.",
    });
    await home.settle();
    expect(home.holding("marzipan")).toEqual([]);
    expect(await home.get("/api/search?q=marzipan")).not.toContain("vault");
    expect(await home.get("/api/sessions/s1")).toContain("please keep it in mind");
  },
  20_000,
);

test.each(ways)(
  "%s: what waits in the spool is older, and committed first",
  async (way) => {
    await using home = openIntake(way);
    await home.send("SessionStart", { source: "startup" });
    await home.spool("UserPromptSubmit", { prompt_id: "p1", prompt: "Fix the rounding bug" });
    await home.send("UserPromptSubmit", { prompt_id: "p2", prompt: "Add a test for it" });
    await home.settle();
    const { turns } = JSON.parse(await home.get("/api/sessions/s1")) as {
      readonly turns: readonly { readonly n: number; readonly prompt: string }[];
    };
    expect(turns.toSorted((a, b) => a.n - b.n).map(({ prompt }) => prompt)).toEqual([
      "Fix the rounding bug",
      "Add a test for it",
    ]);
  },
  20_000,
);

test.each(ways.filter((way) => way !== "spool"))(
  "%s: a recovery of the database is told at the next start, once",
  async (way) => {
    await using home = openIntake(way);
    const clock = stoppedClock(0);
    const opened = openStore(home.paths.database, {
      mode: "readwrite",
      clock,
      random: systemRandom,
      backups: home.paths.backups,
    });
    if (!opened.ok) throw new Error(opened.error.type);
    const recovery = { at: 0, backup: "/b/x.db", aside: null, salvaged: 0 };
    opened.value.admin.setMeta(recoveryMeta, JSON.stringify(recovery));
    opened.value[Symbol.dispose]();
    const start = (id: string): Promise<string> =>
      home.send("SessionStart", { source: "startup", session_id: id });
    expect(await start("s1")).toContain("/b/x.db was restored");
    expect(await start("s2")).not.toContain("/b/x.db was restored");
  },
  20_000,
);

/**
 * The main job from the first hook to the last, with the built program and no model: a history of sessions with all that
 * happens in one, and what of it comes back, where, when, and where not.
 */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { cpSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { msPerDay, msPerHour } from "#kit";
import { eventually, openProgram, type Program } from "../support/program.ts";
import { openSession } from "../support/session.ts";

const timeoutMs = 60_000;
/** Long enough ago that nothing here lies in the future. */
const daysAgo = (days: number): number => Date.now() - days * msPerDay;

interface Memory {
  readonly uri: string;
  readonly l0: string;
  readonly category: string;
  readonly status: string;
  readonly created_at: number;
  readonly evidence_count: number;
  readonly expires_at: number | null;
}

const jsonLines = (text: string): readonly Memory[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Memory);

const memories = async (
  program: Program,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly Memory[]> =>
  jsonLines(await command(program, ["list", "--json", ...args], { env }));

/** Runs a command that must succeed. */
async function command(
  program: Program,
  args: readonly string[],
  options: Parameters<Program["run"]>[1] = {},
): Promise<string> {
  const ran = await program.run(args, options);
  expect({ args, status: ran.status, err: ran.err }).toEqual({ args, status: 0, err: "" });
  return ran.out;
}

/** Files of the home whose bytes hold a text, in any case. */
const filesWith = (program: Program, text: string): readonly string[] =>
  readdirSync(program.paths.root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path, "latin1").toLowerCase().includes(text.toLowerCase()));

const rows = (program: Program, sql: string): unknown[][] => {
  using db = program.database();
  return db.query(sql).values();
};

test(
  "a session with everything that happens in one is kept as it was, without what is nobody's business",
  async () => {
    await using program = openProgram();
    await program.up();
    const cwd = program.project("harbour");
    const startMs = daysAgo(20);
    const session = openSession(program, { id: "s-1", cwd, startMs });
    expect(await session.start()).toContain("no memories yet");
    await session.submit("from now on use pnpm here, never npm");
    await session.tool("Bash", { command: "pnpm install" }, { stdout: "Done", stderr: "" });
    await session.stop("Installed with pnpm.");
    await session.submit("find out where the tides are read from");
    await session.subagent("Explore", "Tides are read in src/tides.ts from the harbour office.");
    await session.tool(
      "Read",
      { file_path: join(cwd, "src/tides.ts") },
      { file: { content: "x" } },
    );
    await session.stop("Tides come from the harbour office, read in src/tides.ts.");
    await session.submit("rewrite the mooring planner, and be quick");
    await session.tool("Edit", { file_path: join(cwd, "src/mooring.ts") }, { originalFile: "x" });
    session.interrupt("I started with the mooring planner's queue.");
    await session.turn("rename berth to slip", "Renamed berth to slip.");
    await session.submit(
      "does this work: HARBOUR_API_KEY=hk_live_9f8e7d6c5b4a39281706f5e4d3c2b1a0 pnpm sync",
    );
    await session.tool(
      "Bash",
      { command: "HARBOUR_API_KEY=hk_live_9f8e7d6c5b4a39281706f5e4d3c2b1a0 pnpm sync" },
      { stdout: "synced as ghp_4fK9sLq2Zx7Vb1Nm8Rt3Wy6Pc5Jd0HgTeUaQ", stderr: "" },
    );
    await session.stop("It works as ghp_4fK9sLq2Zx7Vb1Nm8Rt3Wy6Pc5Jd0HgTeUaQ; please rotate both.");
    const brief = await session.compact(
      "<summary>We moved to pnpm and renamed berth to slip.</summary>",
    );
    expect(brief).toContain("Where this session was before compaction");
    expect(brief).toContain("pnpm");
    await session.turn("ok thanks", "You're welcome.");
    await session.end();
    session.wait(2 * msPerHour);
    await session.start("resume");
    const other = openSession(program, { id: "s-2", cwd, startMs: startMs + msPerHour });
    await other.turn(
      "<private>my transfer to Rotterdam is not public yet</private> rename quay to pier",
      "Renamed quay to pier. And my transfer to Rotterdam is not public yet, I know.",
    );
    await session.turn("we decided to close the old pier API on Mondays only", "Agreed.");
    await session.end();
    await program.flush();

    expect(
      rows(program, "SELECT n, status, tool_count FROM turns WHERE session_id = 's-1' ORDER BY n"),
    ).toEqual([
      [1, "closed", 1],
      [2, "closed", 1],
      [3, "interrupted", 1],
      [4, "closed", 0],
      [5, "closed", 1],
      [6, "closed", 0],
      [7, "closed", 0],
    ]);
    const [interrupted] = rows(
      program,
      "SELECT answer, line FROM turns WHERE session_id = 's-1' AND n = 3",
    );
    expect(interrupted).toEqual(["I started with the mooring planner's queue.", 5]);
    expect(rows(program, "SELECT status, project_name, branch FROM sessions")).toEqual([
      ["completed", "harbour", "main"],
      ["active", "harbour", "main"],
    ]);
    expect(rows(program, "SELECT prompt, answer FROM turns WHERE session_id = 's-2'")).toEqual([
      // The answer to a prompt with something private is left out as a whole.
      ["rename quay to pier", null],
    ]);
    expect(rows(program, "SELECT compact_summary FROM sessions").join()).toContain("berth to slip");
    expect(rows(program, "SELECT tool, target FROM tool_uses WHERE tool LIKE 'Subagent%'")).toEqual(
      [["Subagent:Explore", "Tides are read in src/tides.ts from the harbour office."]],
    );
    expect(rows(program, "SELECT state, count(*) FROM jobs GROUP BY state")).toEqual([
      ["done", expect.any(Number)],
    ]);
    const [summary] = rows(
      program,
      "SELECT fields FROM checkpoints WHERE is_current = 1 AND session_id = 's-1'",
    ).flat();
    expect(JSON.parse(String(summary))).toMatchObject({ filesEdited: ["src/mooring.ts"] });

    const known = await memories(program);
    expect(known.find(({ l0 }) => l0.includes("pnpm here, never npm"))).toMatchObject({
      category: "preferences",
      created_at: startMs + 30_000,
    });
    expect(filesWith(program, "rotterdam")).toEqual([]);
    expect(filesWith(program, "hk_live_9f8e7d")).toEqual([]);
    expect(filesWith(program, "ghp_4fK9sLq2")).toEqual([]);
    expect(
      filesWith(program, "continuity-memory for").map((path) => path.replace(/-wal$/, "")),
    ).toEqual(
      // The journal of what was injected, for `why`; in nothing that is searched or learnt from.
      expect.arrayContaining([program.paths.database]),
    );
    expect(
      rows(program, "SELECT count(*) FROM turns WHERE prompt LIKE '%continuity-memory%'"),
    ).toEqual([[0]]);
    expect(program.log()).not.toMatch(/ error /);
  },
  timeoutMs,
);

const chores = [
  "the ledger service writes its journal to /var/ledger",
  "invoices are numbered per country",
  "the search index is rebuilt every night at 02:30",
  "Ines signs off every text that customers read",
  "the staging database listens on port 6432",
  "feature flags live in the table toggles",
  "the mobile app talks to the v3 API alone",
  "backups go to the bucket cold-archive",
  "PDFs are rendered by gotenberg",
  "the checkout must answer within 300 ms",
  "Marek owns the billing code",
  "the load balancer ends TLS",
  "user names may hold emoji",
  "emails are sent through Postmark",
  "the cron host is called metronome",
  "money is stored in cents",
  "the German site ships on Tuesdays",
  "avatars are resized to 256 pixels",
  "logs are kept for 30 days",
  "sessions expire after 12 hours",
  "the map tiles come from our own server",
  "the release branch is called ship",
  "coupons cannot be combined",
  "the import runs in batches of 500",
  "webhooks are retried for a day",
  "translations are managed in Weblate",
  "the queue is Redis streams",
  "the audit trail is append-only",
  "reports are cached for an hour",
  "the demo tenant is reset every Sunday",
  "tax rates come from the finance API",
  "video is transcoded on the GPU host",
];

test(
  "a question in other words finds the memory among many",
  async () => {
    await using program = openProgram();
    await program.up();
    const cwd = program.project("shop");
    const session = openSession(program, { id: "s-1", cwd, startMs: daysAgo(10) });
    await session.start();
    for (const [at, chore] of chores.entries()) {
      await session.turn(`remember that ${chore}`, "Noted.");
      if (at === 11)
        await session.turn(
          "remember that the Lisbon router had a network configuration issue, its access point hands out wrong addresses",
          "Noted.",
        );
    }
    await session.end();
    await program.flush();
    expect((await memories(program)).length).toBeGreaterThan(30);
    for (const way of ["find", "search"]) {
      const args = [way, "--kind", "memory"];
      const { results } = JSON.parse(
        await command(program, [...args, "--json", "--limit", "3", "WiFi problem"], { cwd }),
      ) as { readonly results: readonly { readonly l0: string }[] };
      expect(results.map(({ l0 }) => l0).join("\n")).toContain("network configuration issue");
    }
    // A repeated search is no use of what it finds.
    const found = await command(program, ["find", "--json", "WiFi problem"], { cwd });
    expect(await command(program, ["find", "--json", "WiFi problem"], { cwd })).toBe(found);
  },
  timeoutMs,
);

test(
  "each way to start a session is given what it needs, and no more",
  async () => {
    await using program = openProgram();
    await program.up();
    const cwd = program.project("harbour");
    const startMs = daysAgo(10);
    const at = (id: string, days: number) =>
      openSession(program, { id, cwd, startMs: startMs + days * msPerDay });
    const first = at("first", 0);
    await first.start();
    await first.turn("from now on use pnpm here, never npm", "Understood.");
    await first.submit("make the tide table load faster");
    await first.tool("Edit", { file_path: join(cwd, "src/tides.ts") }, {});
    await first.stop("I rewrote the loader: it now reads the tide table in one query.");
    await first.end();
    await program.flush();

    for (const source of ["startup", "clear"] as const) {
      const told = await at(source, 1).start(source);
      expect(told).toContain("pnpm here, never npm");
      expect(told).toContain("The user's rules for this project (follow them)");
      expect(told).toContain("Make the tide table load faster.");
      expect(told).toContain("one query");
      expect(told).not.toContain("mem://");
      expect(told.length).toBeLessThan(2_800);
    }
    // The old context is still there, and nothing has happened since.
    expect(await first.start("resume")).toBe("");
    const other = at("other", 2);
    await other.turn("from now on use uv here, never pip", "Understood.");
    await program.flush();
    first.wait(3 * msPerDay);
    const news = await first.start("resume");
    expect(news).toContain("uv here, never pip");
    expect(news).not.toContain("pnpm here, never npm");

    const brief = await other.compact("<summary>The package tool was noted.</summary>");
    expect(brief).toContain("pnpm here, never npm");
    expect(brief).not.toContain("Where you left off");

    // Its context is its parent's, which the transcript names only after the first turn.
    const fork = at("fork", 4);
    expect(await fork.start("fork")).toBe("");
    writeFileSync(fork.transcript, copiedLines(first.transcript, fork.id));
    await fork.turn("go on with the tide table", "I go on with the tide table.");
    await fork.end();
    await program.flush();
    expect(rows(program, "SELECT parent_session FROM sessions WHERE session_id = 'fork'")).toEqual([
      ["first"],
    ]);
    expect(rows(program, "SELECT count(*) FROM turns WHERE session_id = 'fork'")).toEqual([[1]]);
  },
  timeoutMs,
);

/** A fork's transcript begins with its parent's lines, which say whose they were. */
const copiedLines = (parent: string, id: string): string =>
  readFileSync(parent, "utf8")
    .trim()
    .split("\n")
    .map((line) => {
      const fields = JSON.parse(line) as Record<string, unknown>;
      const forkedFrom = { sessionId: fields["sessionId"], messageUuid: fields["uuid"] };
      return `${JSON.stringify({ ...fields, sessionId: id, forkedFrom })}\n`;
    })
    .join("");

test(
  "a prompt is given what bears on it once per session, the current state of it, and else silence",
  async () => {
    await using program = openProgram();
    await program.up();
    const cwd = program.project("harbour");
    const startMs = daysAgo(10);
    const first = openSession(program, { id: "first", cwd, startMs });
    await first.turn("remember that the tide service listens on port 7412", "Noted.");
    expect(await first.ask("which port does our tide service listen on?")).toBe("");
    const second = openSession(program, { id: "second", cwd, startMs: startMs + msPerDay });
    const ask = "which port does our tide service listen on?";
    const told = await second.ask(ask);
    expect(told).toContain("7412");
    expect(told).toContain("tide service listens on port 7412");
    // Once as a memory, once as what was said.
    await second.stop("On 7412.");
    await second.ask(ask);
    await second.stop("On 7412, as I said.");
    expect(await second.ask(ask)).toBe("");
    for (const chatter of [
      "ok thanks",
      "yes",
      "run the tests",
      "what does satisfies do in typescript?",
    ]) {
      // A turn without its end would look stopped by the user, which a hint speaks of.
      await second.stop("Done.");
      expect(await second.ask(chatter)).toBe("");
    }
    await second.stop("Done.");
    await second.turn(
      "remember: the tide service moved, it listens on port 7500 now, not on 7412 any more",
      "Ok.",
    );
    await program.flush();
    const third = openSession(program, { id: "third", cwd, startMs: startMs + 2 * msPerDay });
    const now = await third.ask("what is the port of the tide service these days?");
    expect(now).toContain("7500");
    // The earlier order stands behind the newer one, marked, until somebody decides.
    expect(now).toMatch(/7500[^]*earlier: "the tide service listens on port 7412"/u);
    const pairs = (await program.run(["review"])).out;
    expect(pairs).toContain("the tide service listens on port 7412");
    // After a compaction nothing of what was shown is left in the session.
    await third.compact("<summary>A port was asked for.</summary>");
    expect(await third.ask(ask)).toContain("7500");

    const why = await command(program, ["why", "third"], { cwd });
    expect(why).toContain("7500");
    expect(why).toMatch(/sent: named in your prompt: .*; ranked 1 of/);
    const reasons = JSON.parse(await command(program, ["why", "second", "--json"], { cwd })) as {
      readonly injections: readonly { readonly channel: string; readonly cause: string }[];
    };
    expect(reasons.injections.map(({ cause }) => cause)).toContain("all-seen");
  },
  timeoutMs,
);

test(
  "two worktrees are one project; two folders of one name are two",
  async () => {
    await using program = openProgram();
    await program.up();
    const git = (cwd: string, ...args: readonly string[]): void => {
      const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
      const ran = Bun.spawnSync(["git", ...identity, ...args], {
        cwd,
        stdio: ["ignore", "pipe", "pipe"],
      });
      if (ran.exitCode !== 0) throw new Error(ran.stderr.toString());
    };
    const main = join(program.folder, "one", "planner");
    const tree = join(program.folder, "planner-fix");
    const stranger = join(program.folder, "two", "planner");
    for (const folder of [main, stranger]) {
      mkdirSync(folder, { recursive: true });
      git(folder, "init", "--quiet");
      git(folder, "commit", "--quiet", "--allow-empty", "-m", "Begin");
    }
    git(main, "worktree", "add", "--quiet", tree, "-b", "fix");
    mkdirSync(join(tree, "deep", "down"), { recursive: true });
    const startMs = daysAgo(10);
    await openSession(program, { id: "s-1", cwd: main, startMs }).turn(
      "remember that the solver is limited to 40 seconds here",
      "Noted.",
    );
    await program.flush();
    const ask = "how many seconds is our solver limited to?";
    const askIn = (id: string, cwd: string): Promise<string> =>
      openSession(program, { id, cwd, startMs: startMs + msPerDay }).ask(ask);
    expect(await askIn("s-2", tree)).toContain("40 seconds");
    expect(await askIn("s-3", join(tree, "deep", "down"))).toContain("40 seconds");
    // From a folder that nothing is known of, one sees everything; from a known one its own.
    await askIn("s-4", stranger);
    const find = (cwd: string): Promise<string> => command(program, ["find", "solver"], { cwd });
    expect(await find(tree)).toContain("40 seconds");
    expect(await find(stranger)).not.toContain("40 seconds");
    expect(
      rows(program, "SELECT branch FROM sessions ORDER BY session_id").flat().slice(1, 3),
    ).toEqual(["fix", "fix"]);
    expect(rows(program, "SELECT count(DISTINCT project) FROM sessions")).toEqual([[2]]);
  },
  timeoutMs,
);

const gates = ["salmon", "lantern", "orchard", "cobalt", "thistle"];
const keepers = ["Ada", "Bo", "Cy", "Dee", "Eli"];
const factOf = (side: string, turn: number): string =>
  `the ${gates[turn - 1]} gate of the ${side === "harbour" ? "quay" : "barn"} is kept by ${keepers[turn - 1]}`;

test(
  "two sessions at once do not mix, and each event counts once, however often it is told",
  async () => {
    await using program = openProgram();
    await program.up();
    const startMs = daysAgo(10);
    const names = ["harbour", "meadow"] as const;
    await Promise.all(
      names.map(async (name) => {
        const cwd = program.project(name);
        const session = openSession(program, { id: name, cwd, startMs });
        await session.start();
        for (let turn = 1; turn <= 5; turn += 1) {
          await session.submit(`remember that ${factOf(name, turn)}`);
          await session.tool("Bash", { command: `check ${turn}` }, { stdout: name, stderr: "" });
          await session.stop("Noted.");
        }
        await session.end();
      }),
    );
    const again = {
      session_id: "harbour",
      transcript_path: "/nowhere/harbour.jsonl",
      cwd: join(program.folder, "harbour"),
      hook_event_name: "UserPromptSubmit",
      prompt_id: "harbour-p1",
      prompt: `remember that ${factOf("harbour", 1)}`,
    };
    for (let times = 0; times < 3; times += 1)
      expect(await program.hook("submit", again, { atMs: startMs + 30_000 })).toBe("");
    await program.flush();
    expect(
      rows(program, "SELECT session_id, count(*), sum(tool_count) FROM turns GROUP BY 1"),
    ).toEqual(names.map((name) => [name, 5, 5]));
    expect(rows(program, "SELECT session_id, count(*) FROM events GROUP BY 1")).toEqual(
      names.map((name) => [name, 17]),
    );
    const known = await memories(program);
    expect(known.map(({ l0 }) => l0).toSorted()).toEqual(
      names.flatMap((name) => gates.map((_, at) => factOf(name, at + 1))).toSorted(),
    );
    expect(known.every(({ evidence_count: count }) => count === 1)).toBe(true);
  },
  timeoutMs,
);

test(
  "what is forgotten is gone from every file and is not learnt again, until it is asked to be remembered",
  async () => {
    await using program = openProgram();
    await program.up();
    const cwd = program.project("harbour");
    const startMs = daysAgo(10);
    const fact = "the boathouse alarm code hangs behind the Velarium poster";
    const first = openSession(program, { id: "first", cwd, startMs });
    await first.turn(`remember that ${fact}`, `Noted: ${fact}.`);
    await first.turn("remember that the slipway is closed in winter", "Noted.");
    await program.flush();
    const memory = (await memories(program)).find(({ l0 }) => l0.includes("Velarium"));
    await command(program, ["show", memory?.uri ?? ""]);
    await command(program, ["forget", "--yes", memory?.uri ?? ""]);
    expect(filesWith(program, "velarium")).toEqual([]);

    const second = openSession(program, { id: "second", cwd, startMs: startMs + msPerDay });
    await second.turn(`remember that ${fact}`, "Noted.");
    await program.flush();
    expect((await memories(program)).map(({ l0 }) => l0)).toEqual([
      "the slipway is closed in winter",
    ]);
    await command(program, ["remember", fact], { cwd });
    expect((await memories(program)).map(({ l0 }) => l0).join()).toContain("Velarium");
    const third = openSession(program, { id: "third", cwd, startMs: startMs + 2 * msPerDay });
    expect(await third.ask("where does our boathouse alarm code hang?")).toContain("Velarium");
  },
  timeoutMs,
);

test(
  "while it is paused nothing is taken and nothing is given",
  async () => {
    await using program = openProgram();
    await program.up();
    const cwd = program.project("harbour");
    const session = openSession(program, { id: "s-1", cwd, startMs: daysAgo(10) });
    await session.turn("remember that the pilot boat is called Nerys", "Noted.");
    await program.flush();
    const events = rows(program, "SELECT count(*) FROM events");
    await command(program, ["pause"]);
    const other = openSession(program, { id: "s-2", cwd, startMs: daysAgo(9) });
    expect(await other.start()).toBe("");
    expect(await other.ask("what is our pilot boat called?")).toBe("");
    await other.turn("remember that the tug is called Bronwen", "Noted.");
    await program.stopDaemon();
    await other.turn("remember that the tug is called Bronwen", "Noted.");
    expect(rows(program, "SELECT count(*) FROM events")).toEqual(events);
    expect(filesWith(program, "bronwen")).toEqual([]);
    await command(program, ["resume"]);
    await program.flush();
    expect(await other.ask("what is our pilot boat called?")).toContain("Nerys");
    const off = { CONTINUITY_OFF: "1" };
    const third = openSession(program, { id: "s-3", cwd, startMs: daysAgo(8), env: off });
    expect(await third.turn("remember that the tug is called Bronwen", "Noted.")).toBe("");
    await program.flush();
    expect(filesWith(program, "bronwen")).toEqual([]);
  },
  timeoutMs,
);

test(
  "a question that waited in the spool was answered to nobody, so it can still be answered",
  async () => {
    await using program = openProgram();
    await program.up();
    const cwd = program.project("harbour");
    const before = openSession(program, { id: "s-1", cwd, startMs: daysAgo(10) });
    await before.turn("remember that the pilot boat is called Nerys", "Noted.");
    await before.turn("from now on use pnpm here, never npm", "Understood.");
    await program.flush();
    await program.stopDaemon();
    const away = { CONTINUITY_AUTOSTART: "0" };
    const ask = "what is our pilot boat called?";
    const alone = openSession(program, { id: "s-2", cwd, startMs: daysAgo(9), env: away });
    // A start reads for itself.
    expect(await alone.start()).toContain("pnpm here, never npm");
    expect(await alone.submit("please have a look at the mooring planner")).toBe("");
    const other = openSession(program, { id: "s-3", cwd, startMs: daysAgo(9), env: away });
    expect(await other.submit(ask)).toBe("");
    await program.flush();
    expect(await other.ask(ask)).toContain("Nerys");
    // Once as a memory, once as what was said.
    await other.ask(ask);
    expect(await other.ask(ask)).toBe("");
  },
  timeoutMs,
);

/** As if a day had gone by: the next daemon does its daily work. */
async function nextDay(program: Program): Promise<void> {
  await program.stopDaemon();
  const db = new Database(program.paths.database);
  db.run("DELETE FROM meta WHERE name = 'upkeep.state'");
  db.close();
  await program.flush();
  // The last task of all; upkeep waits until no hook and no flush has come for some seconds.
  await eventually("the daily work", () =>
    rows(program, "SELECT value FROM meta WHERE name = 'upkeep.state'")
      .flat()
      .join()
      .includes("plans"),
  );
}

test(
  "what was said in a turn is given for the time that it earned, and found ever after",
  async () => {
    await using program = openProgram();
    await program.up();
    const cwd = program.project("harbour");
    const startMs = daysAgo(400);
    const session = openSession(program, { id: "s-1", cwd, startMs });
    await session.turn(
      "the pier handler is registered twice on port 6432, once for each side of the pier",
      "Yes: once for each side of the pier, both on port 6432.",
    );
    await program.flush();
    const [said] = await memories(program, ["--archive"], {
      CONTINUITY_NOW: `${startMs + msPerHour}`,
    });
    expect(said?.uri).toContain("/exchanges/");
    const lifeMs = (said?.expires_at ?? 0) - startMs;
    expect(lifeMs).toBeGreaterThanOrEqual(7 * msPerDay);
    const find = async (kind: string, atMs: number): Promise<string> =>
      command(program, ["find", "--kind", kind, "--all-projects", "pier handler"], {
        env: { CONTINUITY_NOW: `${atMs}` },
      });
    await nextDay(program);
    for (const kind of ["exchange", "moment", "observation"])
      for (const atMs of [startMs + msPerDay, startMs + lifeMs + msPerDay])
        expect(await find(kind, atMs)).toContain("pier handler");
  },
  timeoutMs,
);

test(
  "a session that is silent for a day counts as interrupted, until its next event",
  async () => {
    await using program = openProgram();
    await program.up();
    const cwd = program.project("harbour");
    const silent = openSession(program, { id: "silent", cwd, startMs: daysAgo(3) });
    await silent.start();
    await silent.submit("have a look at the crane");
    const awake = openSession(program, { id: "awake", cwd, startMs: Date.now() - msPerHour });
    await awake.submit("have a look at the tides");
    await program.flush();
    await nextDay(program);
    const states = (): unknown =>
      rows(program, "SELECT session_id, status FROM sessions ORDER BY 1");
    expect(states()).toEqual([
      ["awake", "active"],
      ["silent", "interrupted"],
    ]);
    expect(rows(program, "SELECT status FROM turns WHERE session_id = 'silent'")).toEqual([
      ["interrupted"],
    ]);
    await silent.stop("Root cause: the crane's sensor was wired the wrong way round.");
    await program.flush();
    expect(states()).toEqual([
      ["awake", "active"],
      ["silent", "active"],
    ]);
    expect((await memories(program, ["--archive"])).map(({ l0 }) => l0).join()).toContain(
      "wired the wrong way round",
    );
  },
  timeoutMs,
);

test(
  "a daemon with nothing to do leaves, and is back when it is needed",
  async () => {
    await using program = openProgram();
    const serving = program.run(["serve", "--port", "0", "--idle-exit", "1s"]);
    await eventually("a daemon", async () =>
      (await program.run(["status"])).out.includes("daemon     running for "),
    );
    const session = openSession(program, { id: "s-1", cwd: program.folder, startMs: daysAgo(1) });
    await session.turn("remember that the pilot boat is called Nerys", "Noted.");
    expect(await serving).toEqual({ status: 0, out: "", err: "" });
    expect(program.log()).toContain("reason=idle");
    expect(program.daemons()).toEqual([]);
    expect(readdirSync(program.paths.root)).not.toContain("daemon.sock");
    await session.submit("good morning");
    await program.flush();
    expect(rows(program, "SELECT count(*) FROM turns")).toEqual([[2]]);
  },
  timeoutMs,
);

test.skipIf(process.platform !== "linux")(
  "the daemon that a hook starts has nothing of the hook's environment but what it needs",
  async () => {
    await using program = openProgram();
    const secrets = {
      ANTHROPIC_API_KEY: "sk-ant-not-a-key",
      OPENAI_API_KEY: "sk-not-a-key",
      AWS_SECRET_ACCESS_KEY: "not-a-key",
      CLAUDECODE: "1",
      CLAUDE_CODE_SESSION_ID: "s-1",
      CLAUDE_PROJECT_DIR: program.folder,
      CLAUDE_CODE_MESSAGING_TOKEN: "not-a-token",
      BUN_OPTIONS: "--smol",
      NODE_OPTIONS: "--no-warnings",
      LD_LIBRARY_PATH: "/nowhere",
      CONTINUITY_LOG_LEVEL: "debug",
      LC_ALL: "C.UTF-8",
      https_proxy: "http://127.0.0.1:9",
      SSL_CERT_FILE: "/tmp/foreign.pem",
      CONTINUITY_LLM_PROVIDER: "ollama",
      CONTINUITY_PRIVACY_REDACT: "[]",
    };
    const cwd = join(program.folder, "project");
    mkdirSync(cwd);
    await openSession(program, { id: "s-1", cwd, startMs: daysAgo(1), env: secrets }).start();
    await eventually("a daemon", () => program.daemons().length === 1);
    const [pid] = program.daemons();
    const environment = readFileSync(`/proc/${pid}/environ`, "utf8")
      .split("\0")
      .filter((entry) => entry !== "")
      .map((entry) => entry.split("=", 1)[0] ?? "");
    expect(new Set(environment)).toEqual(
      new Set([
        "BUN_JSC_forceRAMSize",
        "CONTINUITY_HOME",
        "CONTINUITY_LOG_LEVEL",
        "CONTINUITY_PORT",
        "HOME",
        "LANG",
        "LC_ALL",
        "PATH",
      ]),
    );
    expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).not.toContain("not-a");
    // Never the project folder: it may be deleted, unmounted or hostile.
    // (Seen from here, a program that runs in a root of its own has that before its paths.)
    expect(readlinkSync(`/proc/${pid}/cwd`)).toEndWith(program.paths.root);
    await program.flush();
    expect(filesWith(program, "not-a-key")).toEqual([]);
  },
  timeoutMs,
);

test(
  "a home that is copied elsewhere goes on there",
  async () => {
    await using program = openProgram();
    await program.up();
    const session = openSession(program, { id: "s-1", cwd: program.folder, startMs: daysAgo(1) });
    await session.turn("remember that the pilot boat is called Nerys", "Noted.");
    await program.flush();
    await program.stopDaemon();
    await using moved = openProgram();
    cpSync(program.paths.root, moved.paths.root, { recursive: true });
    expect(await command(moved, ["find", "--all-projects", "pilot boat"])).toContain("Nerys");
  },
  timeoutMs,
);

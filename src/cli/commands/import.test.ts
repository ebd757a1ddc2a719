/** Tests the screen of an import: the bar while it runs, the sums and reasons at its end. */
import { describe, expect, test } from "bun:test";
import { openTestCli, type RunOptions } from "../../../test/support/cli.ts";
import { addImported } from "../../../test/support/imported.ts";
import type { ImportReport } from "#domain";
import type { ImportProgress } from "../local.ts";
import { barOf } from "./import.ts";

const report: ImportReport = {
  source: "claude-mem",
  dry_run: false,
  read: 10,
  created: 5,
  merged: 2,
  skipped: 2,
  refused: 1,
  reasons: { "imported before": 2, "without a time": 1, "already known": 2 },
  memories: { created: 1, merged: 3, skipped: 0 },
  elapsed_ms: 12,
};

const progress = (over: Partial<ImportProgress>): ImportProgress => ({
  done: 25,
  total: 100,
  unit: "records",
  elapsedMs: 1_000,
  isLast: false,
  ...over,
});

describe("the bar", () => {
  test.each([
    [progress({}), "[######                  ]  25 %  25 records/s  3 s left"],
    [
      progress({ done: 0, elapsedMs: 0 }),
      "[                        ]   0 %  0 records/s  0 s left",
    ],
    [progress({ done: 200 }), "[########################] 100 %  200 records/s  0 s left"],
    [
      progress({ unit: "bytes", done: 31_457_280, total: 2_000_000_000 }),
      "[                        ]   1 %  30.0 MB/s  1 min left",
    ],
    [progress({ total: null }), "25 records/s"],
  ])("of %o", (state, line) => {
    expect(barOf(state, 80)).toBe(line);
  });

  test("never wraps", () => {
    expect(barOf(progress({}), 20)).toHaveLength(19);
  });

  test.each([
    [true, [], true],
    [false, [], false],
    [true, ["--json"], false],
  ])("is drawn on a terminal only, and not beside JSON", async (isTerminal, more, isDrawn) => {
    using cli = openTestCli();
    const ran = await cli.run(["import", "--from", "claude-mem", ...more], {
      isTerminal,
      columns: 80,
      deps: {
        importFrom: async (_ask, onProgress) => {
          onProgress(progress({}));
          onProgress(progress({ isLast: true }));
          return report;
        },
      },
    });
    expect(ran.err.includes("%")).toBe(isDrawn);
    expect(ran.err === "" || ran.err.endsWith("\r\u001b[K")).toBe(true);
  });
});

describe("what a model could read of it", () => {
  const offer = "claude-cli can read 3 imported sessions: about 8,000 tokens, 1 minute";

  async function runImport(
    args: readonly string[],
    over: Partial<RunOptions> = {},
    provider = "claude-cli",
  ) {
    using cli = openTestCli();
    const { deps, store } = cli.server.t;
    for (const n of [1, 2, 3]) addImported(store, `old-${n}`, n * 1_000);
    const language = { ...deps.models.language(), provider, reason: "as asked" };
    Object.assign(deps.models, { language: () => language });
    const ran = await cli.run(["import", "--from", "claude-mem", ...args], {
      deps: { importFrom: async () => ({ ...report, dry_run: args.includes("--dry-run") }) },
      ...over,
    });
    return { ...ran, left: store.jobs.backfillLeft(), status: (await cli.run(["status"])).out };
  }

  test("is told and asked for; yes queues it, and status shows how far it is", async () => {
    const ran = await runImport([], { answers: ["y"] });
    expect(ran.out).toContain(`${offer}, in the background, the newest first.\n`);
    expect(ran.asked).toEqual(["Read them? [y/N] "]);
    expect(ran.out).toContain("3 sessions will be read; see `continuity status`.");
    expect(ran.left).toBe(3);
    expect(ran.status).toContain("; imported sessions: 0 of 3 read");
  });

  test("a session without anything to ask about is not counted as read", async () => {
    using cli = openTestCli();
    const { deps, store } = cli.server.t;
    addImported(store, "old-1", 1_000);
    const language = { ...deps.models.language(), provider: "claude-cli", reason: "as asked" };
    Object.assign(deps.models, { language: () => language });
    Object.assign(deps.work ?? {}, { backfill: () => ({ queued: 0, isOver: true }) });
    const ran = await cli.run(["import", "--from", "claude-mem", "--ask-model"], {
      deps: { importFrom: async () => report },
    });
    expect(ran.out).toEndWith("None of them holds anything to ask about.\n");
  });

  test.each(["", "n", "later"])("an answer of %j queues nothing", async (answer) => {
    const ran = await runImport([], { answers: [answer] });
    expect(ran.left).toBe(0);
    expect(ran.status).not.toContain("imported sessions");
  });

  test("without a terminal nothing is asked and nothing read; one line says how", async () => {
    const ran = await runImport([]);
    expect(ran.out).toEndWith(
      `${offer}. They are not read; to read them, run the import again with --ask-model.\n`,
    );
    expect(ran.left).toBe(0);
  });

  test.each([[[]], [["--json"]]])("--ask-model asks nobody (%j)", async (more) => {
    const ran = await runImport(["--ask-model", ...more]);
    expect(ran.asked).toEqual([]);
    expect(ran.left).toBe(3);
  });

  test.each([
    ["without a model", [], "none"],
    ["as JSON", ["--json"], "claude-cli"],
    ["of a dry run", ["--dry-run"], "claude-cli"],
  ])("%s nothing is said of it", async (_, args, provider) => {
    const ran = await runImport(args, { answers: ["y"] }, provider);
    expect(ran.out + ran.err).not.toContain("imported session");
    expect(ran.left).toBe(0);
  });
});

describe("the report", () => {
  test("says what became of every record, and why", async () => {
    using cli = openTestCli();
    const ran = await cli.run(["import", "--from", "claude-mem"], {
      deps: { importFrom: async () => report },
    });
    expect(ran.out).toBe(
      [
        "10 records of claude-mem: 5 new, 2 merged, 2 skipped, 1 refused",
        "  2 × imported before",
        "  1 × without a time",
        "  2 × already known",
        "1 memory created from them, 3 already known",
        "",
      ].join("\n"),
    );
  });

  test("of a dry run speaks of what would be", async () => {
    using cli = openTestCli();
    const ran = await cli.run(["import", "--from", "claude-mem", "--dry-run"], {
      deps: { importFrom: async () => ({ ...report, dry_run: true }) },
    });
    expect(ran.out).toContain("5 would be added");
    expect(ran.out).toContain("1 memory would be created");
  });

  test("hands everything that was typed over", async () => {
    using cli = openTestCli();
    const asked: unknown[] = [];
    await cli.run(["import", "dir", "--from", "claude-code", "--project", "a,b", "--dry-run"], {
      deps: {
        importFrom: async (ask) => {
          asked.push(ask);
          return report;
        },
      },
    });
    expect(asked).toEqual([
      { source: "claude-code", path: "dir", projects: ["a", "b"], dryRun: true },
    ]);
  });

  test.each([
    ["no source", []],
    ["one that is not known", ["--from", "notion"]],
    ["a project of a source that has none", ["--from", "claude-mem", "--project", "api"]],
  ])("misuse: %s", async (_, args) => {
    using cli = openTestCli();
    expect((await cli.run(["import", ...args])).status).toBe(2);
  });
});

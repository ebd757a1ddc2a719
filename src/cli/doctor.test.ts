import { expect, test } from "bun:test";
import { openTestCli } from "../../test/support/cli.ts";
import type { Local } from "./local.ts";
import * as forms from "#api/forms";
import { commands } from "./commands/index.ts";
import { jsonFields } from "./spec.ts";

type Report = Awaited<ReturnType<Local["doctor"]>>;

const report: Report = {
  ok: false,
  version: "1.2.3",
  checks: [
    { id: "binary", state: "ok", detail: "/opt/continuity", fix: null, remedy: null },
    { id: "port", state: "warning", detail: "taken", fix: "choose another", remedy: null },
    {
      id: "spool",
      state: "failed",
      detail: "4 events \u001b[31mwait",
      fix: "run `continuity flush`",
      remedy: { type: "flush" },
    },
    { id: "budget", state: "skipped", detail: "no model", fix: null, remedy: null },
  ],
  fixed: ["chmod 600 /h/continuity.db"],
};

/** Runs it over a report; what was asked for comes along. */
async function run(argv: readonly string[], given: Partial<Report> = {}) {
  using cli = openTestCli();
  const asked: unknown[] = [];
  const doctor: Local["doctor"] = async (options) => {
    asked.push(options);
    return { ...report, ...given };
  };
  return { ...(await cli.run(["doctor", ...argv], { deps: { doctor } })), asked };
}

test("each link is a line, each broken one with its fix, and red is status 1", async () => {
  const ran = await run([]);
  expect(ran.status).toBe(1);
  expect(ran.out).toBe(
    [
      "fixed    chmod 600 /h/continuity.db",
      "ok    binary         /opt/continuity",
      "warn  port           taken",
      "                     fix: choose another",
      "FAIL  spool          4 events wait",
      "                     fix: run `continuity flush`",
      "-     budget         no model",
      "Failed: 1; warnings: 1. Fixes are shown below.",
      "",
    ].join("\n"),
  );
});

test("yellow is no failure", async () => {
  const ran = await run([], { ok: true, checks: report.checks.slice(0, 2) });
  expect(ran).toMatchObject({ status: 0 });
  expect(ran.out).toContain("All checks passed; warnings: 1.");
});

test.each([
  { argv: [], asked: { fix: false, selfTest: true } },
  { argv: ["--fix"], asked: { fix: true, selfTest: true } },
  { argv: ["--no-self-test"], asked: { fix: false, selfTest: false } },
])("$argv asks for $asked", async ({ argv, asked }) => {
  expect((await run(argv)).asked).toEqual([asked]);
});

test("--json has the documented fields", async () => {
  const { out, status } = await run(["--json"]);
  const printed = JSON.parse(out) as Record<string, unknown>;
  expect(printed).toEqual({ ...report });
  expect(status).toBe(1);
  const doctor = commands.filter(({ name }) => name === "doctor");
  const names = doctor
    .flatMap((spec) => jsonFields(spec, forms))
    .map(({ name }) => name.replace(/\[\].*$/, ""));
  expect(new Set(names)).toEqual(new Set(Object.keys(report)));
});

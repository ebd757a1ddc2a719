/** `doctor`: each link of the chain, with the fix of what is broken. */
import type { Check, DoctorReport } from "#domain";
import type { Context } from "../context.ts";
import { type CommandSpec, hasFlag } from "../spec.ts";
import { safeLine } from "../text.ts";

export const doctorCommand: CommandSpec = {
  name: "doctor",
  group: "main",
  summary: "Check the installation and suggest fixes",
  details:
    "Runs every hook with the installed command line in a temporary home, without a model; it does not change " +
    "your memories. Exits with status 1 when a check fails.",
  options: [
    { flags: "--fix", summary: "apply the fixes that lose no data" },
    { flags: "--no-self-test", summary: "do not run the hooks" },
  ],
  examples: [
    "continuity doctor",
    "continuity doctor --fix",
    "continuity doctor --json | jq '.checks[] | select(.state == \"failed\")'",
  ],
  json: {
    shape: "one document",
    fields: {
      ok: "false when a check failed",
      version: "version of the program",
      "checks[].id":
        "the link: binary, settings, installs, hooks-enabled, mcp, client, hook-start …, self-test",
      "checks[].state": "ok, warning, failed or skipped",
      "checks[].detail": "what was found",
      "checks[].fix": "what to do, or null",
      "checks[].remedy": "what --fix would do about it (type), or null",
      "fixed[]": "what --fix did",
    },
  },
  run: async (context, input) => {
    const { doctor } = await context.deps.local();
    const report = await doctor({
      fix: hasFlag(input, "fix"),
      selfTest: input.options["selfTest"] !== false,
    });
    context.show(report, () => rendered(context, report));
    return report.ok ? 0 : 1;
  },
};

function rendered(context: Context, report: DoctorReport): string {
  const { style } = context;
  const done = report.fixed.map((text) => `${style.green("fixed")}    ${safeLine(text)}\n`);
  const lines = report.checks.map((check) => lineOf(context, check));
  const red = report.checks.filter(({ state }) => state === "failed").length;
  const yellow = report.checks.filter(({ state }) => state === "warning").length;
  const verdict =
    red === 0
      ? `All checks passed${yellow === 0 ? "" : `; warnings: ${yellow}`}.\n`
      : `Failed: ${red}; warnings: ${yellow}. Fixes are shown below.\n`;
  return [...done, ...lines, verdict].join("");
}

const idWidth = 14;

function lineOf({ style }: Context, { id, state, detail, fix }: Check): string {
  const marks = {
    ok: style.green("ok   "),
    warning: style.yellow("warn "),
    failed: style.red("FAIL "),
    skipped: style.dim("-    "),
  } as const;
  const line = `${marks[state]} ${style.bold(id.padEnd(idWidth))} ${safeLine(detail)}\n`;
  return fix === null ? line : `${line}      ${"".padEnd(idWidth)} fix: ${safeLine(fix)}\n`;
}

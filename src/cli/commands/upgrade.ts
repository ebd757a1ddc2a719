/** `upgrade --check`: asks whether there is a newer release, and only tells. */
import type { Context } from "../context.ts";
import type { LatestRelease } from "../deps.ts";
import { failureOf } from "../failure.ts";
import type { CommandSpec, Input } from "../spec.ts";
import { hasFlag } from "../spec.ts";
import { fields } from "./fields.ts";

export const upgradeCommand: CommandSpec = {
  name: "upgrade",
  group: "more",
  summary: "Check for a newer release; changes nothing",
  details:
    "Downloads one small file from the release address: the built-in one, or " +
    "CONTINUITY_RELEASES_URL. Sends no data; no other command contacts that address.",
  options: [{ flags: "--check", summary: "only check (the default)" }],
  examples: ["continuity upgrade --check"],
  json: {
    shape: "one document",
    fields: fields({
      current: "version of this program",
      newest: "version of the newest release",
      is_newer: "true when the newest release is newer than this program",
      how: "what to run to upgrade",
    }),
  },
  run: async (context, input) => {
    const latest = await context.deps.latestRelease();
    if (!latest.ok) throw failureOf(latest.error);
    report(context, input, latest.value);
    return 0;
  },
};

function report(context: Context, input: Input, { version: newest, how }: LatestRelease): void {
  const { version: current } = context.deps;
  const order = Bun.semver.order(newest, current);
  if (hasFlag(input, "json"))
    return context.printJson({ current, newest, is_newer: order > 0, how });
  if (order === 0) return context.print(`Continuity ${current} is the newest release\n`);
  if (order < 0)
    return context.print(`Continuity ${current} is newer than the newest release, ${newest}\n`);
  context.print(
    `Continuity ${newest} is available (installed: ${current})\n${context.style.dim(how)}\n`,
  );
}

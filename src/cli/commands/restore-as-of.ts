/** `restore --as-of`: memories made what they were, after a look at what would change. */
import type { InferResponseType } from "hono/client";
import { momentOf, type Client, type Context } from "../context.ts";
import { CliFailure, misuse } from "../failure.ts";
import type { Input } from "../spec.ts";
import { hasFlag, optionText } from "../spec.ts";
import { counted, safeLine, timeOf } from "../text.ts";

type Restored = InferResponseType<Client["restore"]["$post"], 200>;
type Item = Restored["items"][number];

/** Shown before the question; the others are counted. */
const shownMax = 20;

/** Shows what would change, asks, and does it. Without a difference nothing is asked. */
export async function restoreAsOf(context: Context, input: Input): Promise<number> {
  const given = optionText(input, "asOf") ?? "";
  const of = targetOf(input);
  const isDry = hasFlag(input, "dryRun");
  const api = await context.api(isDry ? "read" : "write");
  const json = { as_of: momentOf(given, context.nowMs), ...of };
  const look = await (await api.restore.$post({ json: { ...json, apply: false } })).json();
  const isJson = hasFlag(input, "json");
  const isAsked = !isDry && !hasFlag(input, "yes");
  if (!isJson && (isDry || isAsked || look.changed === 0)) context.print(changes(context, look));
  if (isDry || look.changed === 0) return answered(context, look, isJson);
  await confirm(context, input, look);
  const done = await (await api.restore.$post({ json: { ...json, apply: true } })).json();
  if (!isJson)
    context.print(
      `${counted(done.changed, "memory", "memories")} restored as of ${timeOf(done.as_of)}; ` +
        "`continuity undo` takes it back\n",
    );
  return answered(context, done, isJson);
}

function answered({ printJson }: Context, report: Restored, isJson: boolean): number {
  if (isJson) printJson(report);
  return 0;
}

/** One memory, one project or all: never more than was named. */
function targetOf(input: Input) {
  const uri = input.args[0] ?? null;
  const project = optionText(input, "project");
  const all = hasFlag(input, "all");
  if ([uri !== null, project !== null, all].filter(Boolean).length !== 1)
    throw misuse(
      "--as-of needs one memory, --project or --all",
      "such as `continuity restore --as-of 7d --all`",
    );
  return { uri, project, all };
}

function changes({ style }: Context, { items, changed, as_of: at }: Restored): string {
  const when = timeOf(at);
  if (changed === 0) return `Nothing has changed since ${when}.\n`;
  const lines = items.slice(0, shownMax).flatMap((item) => changeLines(style, item));
  const more = changed - Math.min(items.length, shownMax);
  return [
    `As of ${when}, ${counted(changed, "memory", "memories")} would change:`,
    ...lines,
    ...(more > 0 ? [`and ${more} more`] : []),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

function changeLines(style: Context["style"], { uri, now, was }: Item): readonly string[] {
  if (was !== null && was.l0 === now.l0 && was.status === now.status)
    return [
      style.bold(safeLine(uri)),
      style.dim("  its line stays; place, tags or other fields change"),
    ];
  const nowLine = style.red(`- ${safeLine(now.l0)} (${now.status})`);
  const thenLine =
    was === null
      ? style.dim("  not known then: retracted")
      : style.green(`+ ${safeLine(was.l0)} (${was.status})`);
  return [style.bold(safeLine(uri)), nowLine, thenLine];
}

async function confirm({ deps }: Context, input: Input, { changed }: Restored): Promise<void> {
  if (hasFlag(input, "yes")) return;
  const { ask } = deps.io;
  if (ask === null) throw misuse("a restore changes memories", "pass --yes to continue");
  const answer = await ask(`Restore ${counted(changed, "memory", "memories")}? [y/N] `);
  if (!/^y(?:es)?$/i.test(answer?.trim() ?? "")) throw new CliFailure("nothing was changed");
}

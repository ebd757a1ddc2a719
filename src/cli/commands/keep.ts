/** `export`, `backup` and `restore`: leaving, and coming back. */
import type { RestoredAsOfJson } from "#api";
import { counted } from "#kit";
import { confirmed, type Context, momentOf } from "../context.ts";
import { CliFailure, misuse } from "../failure.ts";
import type { BackupEntry, RestoreReport } from "../local.ts";
import { type CommandSpec, hasFlag, type Input, optionText } from "../spec.ts";
import { bytesOf, linesOf, safeLine, table, timeOf } from "../text.ts";

export const exportCommand: CommandSpec = {
  name: "export",
  group: "main",
  summary: "Export all memories and sessions to a folder, or to stdout with -",
  details:
    "JSON lines hold every record with its history and come back with `import --from continuity`; Markdown is a file " +
    "for each memory and session. A folder with other files is refused.",
  arguments: [{ name: "<folder>", summary: "where to; - for standard output" }],
  options: [
    {
      flags: "--format <name>",
      summary: "jsonl or markdown",
      choices: ["jsonl", "markdown"],
      fallback: "jsonl",
    },
  ],
  examples: [
    "continuity export ~/memory",
    "continuity export --format markdown ~/memory-notes",
    "continuity export - | gzip > memory.jsonl.gz",
  ],
  json: {
    shape: "one document",
    fields: {
      format: "jsonl or markdown",
      path: "the folder",
      count: "records, or files of a Markdown export",
    },
  },
  run: async (context, input) => {
    const { keep } = await context.deps.local();
    const [folder = ""] = input.args;
    const format = optionText(input, "format") === "markdown" ? "markdown" : "jsonl";
    if (folder === "-") return toOutput(context, format);
    const report = keep.exportTo(folder, format);
    const what = counted(report.count, format === "markdown" ? "file" : "record");
    context.show(report, () => `exported ${what} to ${safeLine(report.path)}\n`);
  },
};

async function toOutput({ deps, print }: Context, format: "jsonl" | "markdown"): Promise<void> {
  if (format === "markdown")
    throw misuse("Markdown is many files", "name a folder, or take --format jsonl");
  (await deps.local()).keep.exportLines(print);
}

const backupFields = {
  path: "the file",
  at: "when it was made",
  bytes: "its size",
  cause: "backup, or migration (before an upgrade of the schema)",
};

export const backupCommand: CommandSpec = {
  name: "backup",
  group: "main",
  summary: "Create a verified backup of the running database",
  details:
    "Without a path it goes to `backups` in the home folder, where the daemon puts one every day and keeps seven " +
    "days and four weeks.",
  arguments: [{ name: "[path]", summary: "file that does not exist yet, or a folder" }],
  options: [{ flags: "--list", summary: "list backups, newest first" }],
  examples: ["continuity backup", "continuity backup /mnt/usb/", "continuity backup --list"],
  json: { shape: "one document a line", fields: backupFields },
  run: async (context, input) => {
    if (hasFlag(input, "list")) return listed(context);
    const made = (await context.deps.local()).keep.backup(input.args[0] ?? null);
    const { path, bytes } = made;
    context.show(made, () => `backed up to ${safeLine(path)}, ${bytesOf(bytes)}\n`);
  },
};

async function listed(context: Context): Promise<void> {
  const backups = (await context.deps.local()).keep.backups();
  context.showAll(backups, "no backups yet\n", () =>
    table<BackupEntry>(
      backups,
      [
        { title: "made", value: ({ at }) => timeOf(at) },
        { title: "size", value: ({ bytes }) => bytesOf(bytes), align: "right" },
        { title: "cause", value: ({ cause }) => cause },
        { title: "file", value: ({ path }) => path },
      ],
      { width: null, style: context.style },
    ),
  );
}

export const restoreCommand: CommandSpec = {
  name: "restore",
  group: "more",
  summary: "Restore the database from a backup, or memories as they were at a time",
  details:
    "A backup takes the place of the database; the replaced file is kept. Stops the daemon first. Spooled events are " +
    "processed afterwards, and memories forgotten since the backup are deleted again. With --as-of no backup is " +
    "needed: one memory, a project or all are made what they were, from their history; what was learned since is " +
    "retracted. That is a change like any other, and `continuity undo` takes it back.",
  arguments: [
    {
      name: "[backup]",
      summary: "path, or latest (the default): the newest valid one; with --as-of the memory",
    },
  ],
  options: [
    { flags: "--as-of <time>", summary: "memories as they were then: 7d, 12h or 2026-09-01" },
    { flags: "--project <name>", summary: "with --as-of: all memories of this project" },
    { flags: "--all", summary: "with --as-of: all memories" },
    { flags: "--dry-run", summary: "with --as-of: show what would change; write nothing" },
    { flags: "--yes", summary: "do not ask" },
  ],
  examples: [
    "continuity restore",
    "continuity restore --as-of 7d --project api --dry-run",
    "continuity restore latest --yes",
    "continuity restore /mnt/usb/memory.db",
  ],
  json: {
    shape: "one document",
    fields: {
      restored: "the backup",
      replaced: "path of the replaced database, or null",
      salvaged: "records of a damaged database that were newer than the backup",
      forgotten: "texts forgotten since the backup, which were deleted again",
      as_of: "with --as-of: the time, then `changed`, `is_applied` and `items`",
    },
  },
  needsPerson: () => true,
  run: async (context, input) => {
    if (optionText(input, "asOf") !== null) return restoreAsOf(context, input);
    for (const name of ["project", "all", "dryRun"])
      if (input.options[name] !== undefined)
        throw misuse(
          "--project, --all and --dry-run go with --as-of",
          "see `continuity help restore`",
        );
    const { keep } = await context.deps.local();
    const chosen = keep.chooseBackup(input.args[0] ?? "latest");
    const made = `${timeOf(chosen.at)} (${bytesOf(chosen.bytes)})`;
    const question = `Replace the database with the backup of ${made}?`;
    await confirm(context, input, { question, fault: "a restore replaces the database" });
    const restored = await keep.restore(chosen.path);
    context.show(restored, () => rendered(restored));
  },
};

function rendered({ restored, replaced, salvaged, forgotten }: RestoreReport): string {
  const lines = [
    `restored ${safeLine(restored)}`,
    ...(replaced === null ? [] : [`the replaced database is ${safeLine(replaced)}`]),
    ...(salvaged === 0
      ? []
      : [`${counted(salvaged, "newer record")} recovered from the damaged database`]),
    ...(forgotten === 0
      ? []
      : [`${counted(forgotten, "text")} forgotten since the backup deleted again`]),
  ];
  return linesOf(lines);
}

// `restore --as-of`: memories made what they were, after a look at what would change.

type Item = RestoredAsOfJson["items"][number];

/** Shown before the question; the others are counted. */
const shownMax = 20;

/** Shows what would change, asks, and does it. Without a difference nothing is asked. */
async function restoreAsOf(context: Context, input: Input): Promise<void> {
  const given = optionText(input, "asOf") ?? "";
  const of = targetOf(input);
  const isDry = hasFlag(input, "dryRun");
  const api = await context.api(isDry ? "read" : "write");
  const json = { as_of: momentOf(given, context.nowMs), ...of };
  const look = await (await api.restore.$post({ json: { ...json, apply: false } })).json();
  const { isJson, printJson } = context;
  const isAsked = !isDry && !hasFlag(input, "yes");
  if (!isJson && (isDry || isAsked || look.changed === 0)) context.print(changes(context, look));
  if (isDry || look.changed === 0) return isJson ? printJson(look) : undefined;
  const question = `Restore ${counted(look.changed, "memory", "memories")}?`;
  await confirm(context, input, { question, fault: "a restore changes memories" });
  const done = await (await api.restore.$post({ json: { ...json, apply: true } })).json();
  const what = counted(done.changed, "memory", "memories");
  const when = timeOf(done.as_of);
  context.show(done, () => `${what} restored as of ${when}; \`continuity undo\` takes it back\n`);
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

function changes({ style }: Context, { items, changed, as_of: at }: RestoredAsOfJson): string {
  const when = timeOf(at);
  if (changed === 0) return `Nothing has changed since ${when}.\n`;
  const lines = items.slice(0, shownMax).flatMap((item) => changeLines(style, item));
  const more = changed - Math.min(items.length, shownMax);
  return linesOf([
    `As of ${when}, ${counted(changed, "memory", "memories")} would change:`,
    ...lines,
    ...(more > 0 ? [`and ${more} more`] : []),
  ]);
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

async function confirm(
  context: Context,
  input: Input,
  { question, fault }: { readonly question: string; readonly fault: string },
): Promise<void> {
  const unasked = [fault, "pass --yes to continue"] as const;
  if (!(await confirmed(context, input, { question, unasked })))
    throw new CliFailure("nothing was changed");
}

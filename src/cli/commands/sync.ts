/** `sync`: one memory on all your machines. */
import { counted, shellWord } from "#kit";
import type { Context } from "../context.ts";
import { isCliFailure, misuse } from "../failure.ts";
import { type CommandSpec, type Input, optionText } from "../spec.ts";
import type { SyncReport } from "#domain";
import type { SyncStarted } from "../local.ts";
import { ageOf, bytesOf, linesOf, safeLine, timeOf } from "../text.ts";

const actions = ["init", "now", "status", "devices", "remove", "verify", "key", "off"] as const;
type Action = (typeof actions)[number];

export const syncCommand: CommandSpec = {
  name: "sync",
  group: "main",
  summary: "Share the memory with your other machines, encrypted",
  details:
    "Over a folder, a bucket, git or PostgreSQL. `init <url>` makes a space and, in a terminal, shows its recovery " +
    "key once; elsewhere `key` shows it. On the next machine the same command joins with that key (asked for, or in " +
    "CONTINUITY_SYNC_KEY). After that the daemon syncs in the background. `now` syncs at once, `verify` reads " +
    "everything that is stored there and names what does not fit, `remove` takes a device out and changes the keys, " +
    "`off` ends sync on this machine. Without the recovery key no machine can be added.",
  arguments: [
    { name: "<action>", summary: actions.join(", "), choices: actions },
    { name: "[value]", summary: "the address for init, the device for remove" },
  ],
  options: [{ flags: "--name <name>", summary: "what this machine is called (init)" }],
  examples: [
    "continuity sync init file:///mnt/share/memory",
    "continuity sync init 's3://bucket/memory?endpoint=https://s3.example.org'",
    "continuity sync init git+ssh://git@example.org/me/memory.git",
    "continuity sync init 'postgres://me@db.example.org/memory?sslmode=verify-full'",
    "continuity sync key",
    "continuity sync now",
    "continuity sync verify",
  ],
  json: {
    shape: "one document",
    fields: {
      received: "entries taken in (init, now)",
      sent: "entries written (init, now)",
      problems: "what does not fit, in lines (init, now, verify)",
      url: "the address without its password (init, status)",
      device: "id of a device (init, status, devices, remove)",
      name: "its name (init, status, devices, remove)",
      is_new: "whether the space was made now (init)",
      devices: "number of devices (status), or the devices (devices)",
      last_sync: "when it last ended well, or null (status)",
      failure: "why the last sync failed, or null (status)",
      waiting: "entries that are not written yet (status)",
      key_unseen: "whether the recovery key was not shown yet (status)",
      this: "whether it is this machine (devices, remove)",
      removed: "whether it was taken out (devices, remove)",
      joined: "when it joined (devices, remove)",
      segments: "how many segments were read",
      bytes: "their size (verify)",
      key: "the recovery key (key)",
    },
  },
  run: async (context, input) => {
    const [given = "", value = null] = input.args;
    return run[given as Action](context, value, input);
  },
};

type Run = (context: Context, value: string | null, input: Input) => Promise<number | void>;

const doneLine = ({ received, sent }: SyncReport): string =>
  `received ${counted(received, "change")}, sent ${counted(sent, "change")}`;

const problemLines = (problems: readonly string[]): readonly string[] =>
  problems.map((problem) => `warning: ${safeLine(problem)}`);

/** Joining takes the recovery key: from the environment, or typed. */
async function started(
  { deps: { env, io, local } }: Context,
  ask: { readonly url: string; readonly name: string | null },
): Promise<SyncStarted> {
  const { sync } = await local();
  try {
    return await sync.init({ ...ask, key: env["CONTINUITY_SYNC_KEY"]?.trim() || null });
  } catch (error) {
    if (!isCliFailure(error) || error.type !== "sync.key-needed" || io.ask === null) throw error;
    const typed = (await io.ask("Recovery key of the space: "))?.trim();
    if (!typed) throw error;
    return sync.init({ ...ask, key: typed });
  }
}

const keepKeyLine =
  "Run `continuity sync key` and keep what it shows: it is shown once, and no other machine can be added without it.";

/** The recovery key of a new space in a terminal, where a person reads it; elsewhere the command that shows it. */
async function keyLines({ deps: { io, local } }: Context, url: string): Promise<readonly string[]> {
  if (io.ask === null) return [keepKeyLine];
  return [
    `Recovery key: ${await (await local()).sync.key()}`,
    "Keep it with your passwords: it is shown once, it can read the memory, and no machine can be added without it.",
    `On each other machine: continuity sync init ${shellWord(url)}`,
  ];
}

async function init(context: Context, value: string | null, input: Input): Promise<void> {
  const url = value ?? context.deps.env["CONTINUITY_SYNC_URL"];
  if (!url) throw misuse("an address is needed", "see `continuity help sync`");
  const done = await started(context, { url, name: optionText(input, "name") });
  const what = done.is_new ? "made a space" : "joined the space";
  const key = done.is_new && !context.isJson ? await keyLines(context, done.url) : [];
  context.show(done, () =>
    linesOf([
      `${what} at ${safeLine(done.url)}; this machine is called ${safeLine(done.name)}`,
      doneLine(done),
      ...problemLines(done.problems),
      ...key,
    ]),
  );
}

const run: Readonly<Record<Action, Run>> = {
  init,
  now: async (context) => {
    const done = await (await context.deps.local()).sync.now();
    context.show(done, () => linesOf([doneLine(done), ...problemLines(done.problems)]));
    return done.problems.length === 0 ? 0 : 1;
  },
  status: async (context) => {
    const status = await (await context.deps.local()).sync.status();
    const { last_sync: at, failure, key_unseen: isUnseen } = status;
    context.show(status, () =>
      linesOf([
        `space    ${safeLine(status.url)}`,
        `device   ${safeLine(status.name)} (${status.device}), ${counted(status.devices, "device")} in all`,
        `synced   ${at === null ? "never" : ageOf(at, context.nowMs)}`,
        `waiting  ${counted(status.waiting, "change")}`,
        ...(failure === null ? [] : [`failed   ${safeLine(failure)}`]),
        ...(isUnseen ? ["key      not shown yet: run `continuity sync key`"] : []),
      ]),
    );
    return failure === null ? 0 : 1;
  },
  devices: async (context) => {
    const devices = await (await context.deps.local()).sync.devices();
    context.show({ devices }, () =>
      context.table(devices, [
        { title: "id", value: ({ device }) => device },
        { title: "name", value: ({ name }) => name },
        { title: "joined", value: ({ joined }) => timeOf(joined) },
        { title: "segments", value: ({ segments }) => `${segments}`, align: "right" },
        { title: "", value: (one) => (one.this ? "this one" : one.removed ? "removed" : "") },
      ]),
    );
  },
  remove: async (context, value) => {
    if (value === null) throw misuse("a device is needed", "see `continuity sync devices`");
    const gone = await (await context.deps.local()).sync.remove(value);
    context.show(gone, () =>
      linesOf([
        `removed ${safeLine(gone.name)} (${gone.device}); it reads nothing that is written from now on`,
        "It keeps what it has. If it was lost, change the password of the store as well.",
      ]),
    );
  },
  verify: async (context) => {
    const { segments, bytes, problems } = await (await context.deps.local()).sync.verify();
    context.show({ segments, bytes, problems }, () =>
      linesOf([
        `read ${counted(segments, "segment")}, ${bytesOf(bytes)}: ${
          problems.length === 0 ? "all of them fit" : counted(problems.length, "problem")
        }`,
        ...problems.map(safeLine),
      ]),
    );
    return problems.length === 0 ? 0 : 1;
  },
  key: async (context) => {
    const key = await (await context.deps.local()).sync.key();
    context.show({ key }, () =>
      linesOf([
        key,
        "Keep it where your passwords are. It is not shown again and not stored on this machine any more.",
        "It can read the memory and add machines; without it none can be added.",
      ]),
    );
  },
  off: async (context) => {
    await (await context.deps.local()).sync.off();
    context.show({ off: true }, () => "Sync is off on this machine. Its memories stay.\n");
  },
};

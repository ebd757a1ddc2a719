/** `embedder`: fetch a transformer for those who want one, and choose what embeds. */
import type { Context } from "../context.ts";
import type { EmbedderEntry, EmbedderPort } from "../embedder.ts";
import { failureOf, misuse } from "../failure.ts";
import type { CommandSpec, Input } from "../spec.ts";
import { hasFlag } from "../spec.ts";
import { bytesOf, safeLine } from "../text.ts";
import { fields } from "./fields.ts";

const actions = ["list", "install", "use", "remove"] as const;
const percent = 100;

export const embedderCommand: CommandSpec = {
  name: "embedder",
  group: "set-up",
  summary: "Install a larger embedding model, or choose which one is used",
  details:
    "The built-in model needs nothing. An installed one is a transformer that runs on this machine in a " +
    "process of its own; it is fetched from Hugging Face (or `embedder.models_url`) after a question, and " +
    "checked. Memories get their new vectors in the background.",
  arguments: [
    { name: "[action]", summary: "list (the default), install, use or remove", choices: actions },
    {
      name: "[name]",
      summary: "a name of the list, or owner/name of Hugging Face; use: or builtin",
    },
  ],
  options: [{ flags: "--yes", summary: "do not ask before the download" }],
  examples: [
    "continuity embedder list",
    "continuity embedder install multilingual-e5-small",
    "continuity embedder use multilingual-e5-small",
    "continuity embedder use builtin",
  ],
  json: {
    shape: "one document a line",
    fields: /* @__PURE__ */ fields({
      name: "name of the model; builtin is the one in the program",
      installed: "true when it is on this machine",
      used: "true when the settings name it",
      dimension: "length of its vectors",
      bytes: "size of its files",
      licence: "licence of its files",
      source: "where it comes from",
    }),
  },
  run: async (context, input) => {
    const [action = "list", name] = input.args;
    const port = await context.deps.embedder();
    if (action === "list") return list(context, input, port);
    if (name === undefined)
      throw misuse("the name of a model is needed", "see `continuity embedder list`");
    if (action === "install") return install(context, input, { port, name });
    return action === "use" ? use(context, port, name) : remove(context, port, name);
  },
};

function list(context: Context, input: Input, port: EmbedderPort): number {
  for (const entry of port.list())
    if (hasFlag(input, "json")) context.printJson(entry);
    else context.print(`${lineOf(entry)}\n`);
  return 0;
}

function lineOf({ name, installed, used, dimension, bytes, licence }: EmbedderEntry): string {
  const state = installed ? "installed" : "-        ";
  const size = bytes === 0 ? "in the program" : bytesOf(bytes);
  const told = [`${dimension} dimensions`, size, safeLine(licence)].filter((part) => part !== "");
  return `${used ? "*" : " "} ${safeLine(name).padEnd(24)} ${state}  ${told.join(", ")}`;
}

async function install(
  context: Context,
  input: Input,
  { port, name }: { readonly port: EmbedderPort; readonly name: string },
): Promise<number> {
  const { io } = context.deps;
  const offered = await port.offer(name);
  if (!offered.ok) throw failureOf(offered.error);
  const { installed, bytes, licence, source, folder, fetch } = offered.value;
  if (installed) {
    context.print(
      `${name} is installed already. Use it with \`continuity embedder use ${name}\`.\n`,
    );
    return 0;
  }
  io.err(
    `${safeLine(name)}: ${bytesOf(bytes)} from ${safeLine(source)}, licence ${safeLine(licence)}, ` +
      `into ${safeLine(folder)}\n`,
  );
  if (!hasFlag(input, "yes")) {
    if (io.ask === null)
      throw misuse("cannot prompt: standard input is not a terminal", "add --yes");
    if (!/^y(es)?$/i.test((await io.ask("Download it? [y/N] "))?.trim() ?? "")) {
      io.err("Nothing was downloaded.\n");
      return 1;
    }
  }
  const fetched = await fetch(progressOn(context));
  if (!fetched.ok) throw failureOf(fetched.error);
  context.print(`Installed ${name}. Use it with \`continuity embedder use ${name}\`.\n`);
  return 0;
}

/** One line that is written over; nothing where nobody watches. */
function progressOn({ deps: { io } }: Context): (done: number, total: number) => void {
  let shown = -1;
  return (done, total) => {
    const now = Math.floor((percent * done) / total);
    if (now === shown || !io.isTerminal) return;
    shown = now;
    io.err(`\r${now} % of ${bytesOf(total)}${now === percent ? "\n" : ""}`);
  };
}

async function use(context: Context, port: EmbedderPort, name: string): Promise<number> {
  const done = await port.use(name);
  if (!done.ok) throw failureOf(done.error);
  context.print(
    `Memories are embedded with ${safeLine(name)} now. Those that are there get new vectors in the ` +
      "background; `continuity status` tells how many are left.\n",
  );
  return 0;
}

function remove(context: Context, port: EmbedderPort, name: string): number {
  const done = port.remove(name);
  if (!done.ok) throw failureOf(done.error);
  context.print(`Removed ${safeLine(name)} (${bytesOf(done.value.bytes)}).\n`);
  return 0;
}

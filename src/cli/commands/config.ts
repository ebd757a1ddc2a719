/** `config` and `version`. */
import { defaultPort } from "#domain";
import type { Context } from "../context.ts";
import { failureOf, misuse } from "../failure.ts";
import { type CommandSpec, hasFlag, type Input } from "../spec.ts";
import { safeLine } from "../text.ts";

const configActions = ["get", "set", "path", "edit", "rotate-token"] as const;

/** Settings that send text away, let others in, or keep text out. */
const guardedKeys = /^(?:llm|net|team|privacy|guards|sync|review|capture)\./i;

export const configCommand: CommandSpec = {
  name: "config",
  group: "main",
  summary: "Read and change settings",
  details:
    "`rotate-token` replaces the bearer token of the local API. The old token and every open viewer page stop " +
    "working at once, and programs that were given it, such as an MCP client over HTTP, need the new one.",
  arguments: [
    { name: "<action>", summary: "get, set, path, edit or rotate-token", choices: configActions },
    { name: "[key]", summary: "such as inject.prompt_tokens (get: all of them without it)" },
    { name: "[value]", summary: "the new value" },
  ],
  examples: [
    "continuity config get",
    "continuity config set server.idle_exit 60m",
    "continuity config edit",
    "continuity config rotate-token",
  ],
  json: {
    shape: "one document a line",
    fields: {
      key: "section and name",
      value: "as TOML would write it",
      source: "default, file or the environment variable",
    },
  },
  needsPerson: ({ args: [action, key] }) =>
    action === "edit" ||
    action === "rotate-token" ||
    (action === "set" && guardedKeys.test(key ?? "")),
  run: async (context, input) => {
    const [action, key, value] = input.args;
    if (action === "get") return configGet(context, input, key ?? null);
    if (action === "set") return configSet(context, input, [key, value]);
    if (action === "edit") return configEdit(context);
    if (action === "rotate-token") return rotateToken(context, input);
    context.print(`${context.deps.config.path()}\n`);
    return 0;
  },
};

function configGet(context: Context, input: Input, key: string | null): number {
  const entries = context.deps.config.get(key);
  if (!entries.ok) throw failureOf(entries.error);
  for (const entry of entries.value) {
    if (hasFlag(input, "json")) context.printJson(entry);
    else if (key !== null) context.print(`${safeLine(entry.value)}\n`);
    else {
      const source = context.style.dim(`# ${safeLine(entry.source)}`);
      context.print(`${entry.key} = ${safeLine(entry.value)}  ${source}\n`);
    }
  }
  return 0;
}

function configSet(
  context: Context,
  input: Input,
  [key, value]: readonly (string | undefined)[],
): number {
  if (key === undefined || value === undefined)
    throw misuse(
      "a key and a value are needed",
      `continuity config set server.port ${defaultPort}`,
    );
  const entry = context.deps.config.set(key, value);
  if (!entry.ok) throw failureOf(entry.error);
  if (hasFlag(input, "json")) context.printJson(entry.value);
  else context.print(`${entry.value.key} = ${safeLine(entry.value.value)}\n`);
  return 0;
}

async function configEdit(context: Context): Promise<number> {
  const edited = await context.deps.config.edit();
  if (!edited.ok) throw failureOf(edited.error);
  return 0;
}

async function rotateToken(context: Context, input: Input): Promise<number> {
  const api = await context.api("write");
  const answer = await (await api.token.rotate.$post({ json: {} })).json();
  if (hasFlag(input, "json")) context.printJson(answer);
  else context.print("Replaced the token. Run `continuity ui` to open the viewer again.\n");
  return 0;
}

export const versionCommand: CommandSpec = {
  name: "version",
  group: "hidden",
  summary: "Show the version",
  examples: ["continuity version"],
  json: {
    shape: "one document",
    fields: { version: "version of the program" },
  },
  run: async (context, input) => {
    const { version } = context.deps;
    if (hasFlag(input, "json")) context.printJson({ version });
    else context.print(`${version}\n`);
    return 0;
  },
};

/** `config` and `version`. */
import { defaultPort } from "#domain";
import type { Context } from "../context.ts";
import { misuse } from "../failure.ts";
import { type CommandSpec } from "../spec.ts";
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
    if (action === "get") return configGet(context, key ?? null);
    if (action === "set") return configSet(context, [key, value]);
    if (action === "rotate-token") return rotateToken(context);
    const { config } = await context.deps.local();
    if (action === "edit") await config.edit();
    else context.print(`${config.path()}\n`);
  },
};

async function configGet(context: Context, key: string | null): Promise<void> {
  const { config } = await context.deps.local();
  for (const entry of config.get(key)) {
    const value = safeLine(entry.value);
    const source = context.style.dim(`# ${safeLine(entry.source)}`);
    context.show(entry, () =>
      key === null ? `${entry.key} = ${value}  ${source}\n` : `${value}\n`,
    );
  }
}

async function configSet(
  context: Context,
  [key, value]: readonly (string | undefined)[],
): Promise<void> {
  if (key === undefined || value === undefined)
    throw misuse(
      "a key and a value are needed",
      `continuity config set server.port ${defaultPort}`,
    );
  const entry = (await context.deps.local()).config.set(key, value);
  context.show(entry, () => `${entry.key} = ${safeLine(entry.value)}\n`);
}

async function rotateToken(context: Context): Promise<number | void> {
  const answer = await context.ask("write", (api) => api.token.rotate.$post({ json: {} }));
  context.show(answer, () => "Replaced the token. Run `continuity ui` to open the viewer again.\n");
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
  run: async (context) => {
    const { version } = context.deps;
    context.show({ version }, () => `${version}\n`);
  },
};

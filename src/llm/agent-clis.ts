/**
 * Other agents' own clients as language models, one row each: how it is called, where its login lies, and how its
 * answer is read. The forms were run with codex 0.169, gemini 0.61, opencode 1.18 and copilot 1.0.102.
 */
import type { AgentCliName } from "#domain";
import { isObject, type Json } from "./read-json.ts";

export interface AgentCli {
  readonly program: string;
  /** `model` null = the one that the client is set to. The question comes on standard input. */
  readonly args: (model: string | null) => readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Files in the home folder, and variables, by which its user is logged in. */
  readonly loginFiles: readonly string[];
  readonly loginVariables: readonly string[];
  /** Variables that say where its files lie. */
  readonly places: readonly string[];
  /** Where an event holds a piece of the answer, a failure, and counts. */
  readonly text: (event: Json) => unknown;
  readonly failure: (event: Json) => unknown;
  readonly tokens: (event: Json) => Tokens | null;
}

interface Tokens {
  readonly input: unknown;
  readonly output: unknown;
}

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((found, name) => (isObject(found) ? found[name] : undefined), value);

const modelArgs = (model: string | null): readonly string[] =>
  model === null ? [] : ["--model", model];

export const agentClis: Readonly<Record<AgentCliName, AgentCli>> = {
  "codex-cli": {
    program: "codex",
    args: (model) => [
      "exec",
      "--json",
      "--ephemeral",
      "--skip-git-repo-check",
      "--sandbox",
      "read-only",
      "-c",
      "mcp_servers={}",
      ...modelArgs(model),
      "-",
    ],
    env: {},
    loginFiles: [".codex/auth.json"],
    loginVariables: ["CODEX_API_KEY"],
    places: ["CODEX_HOME"],
    text: (event) =>
      at(event, "item", "type") === "agent_message" ? at(event, "item", "text") : undefined,
    failure: (event) => at(event, "error", "message"),
    tokens: ({ type, usage }) =>
      type === "turn.completed"
        ? { input: at(usage, "input_tokens"), output: at(usage, "output_tokens") }
        : null,
  },
  "gemini-cli": {
    program: "gemini",
    args: (model) => [
      "--skip-trust",
      "-o",
      "json",
      "-e",
      "none",
      "--approval-mode",
      "plan",
      ...modelArgs(model),
      "-p",
      "Reply with the JSON object alone.",
    ],
    env: {},
    loginFiles: [".gemini/oauth_creds.json"],
    loginVariables: ["GEMINI_API_KEY"],
    places: ["GEMINI_CLI_HOME", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"],
    text: ({ response }) => response,
    failure: (event) => at(event, "error", "message"),
    tokens: (event) => {
      const models = Object.values(at(event, "stats", "models") ?? {});
      const sum = (name: string): number =>
        models.reduce<number>((all, model) => all + Number(at(model, "tokens", name) ?? 0), 0);
      return models.length === 0
        ? null
        : { input: sum("prompt"), output: sum("candidates") + sum("thoughts") };
    },
  },
  "opencode-cli": {
    program: "opencode",
    args: (model) => [
      "run",
      "--pure",
      "--format",
      "json",
      "--title",
      "memory",
      ...modelArgs(model),
    ],
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_CONFIG_CONTENT: '{"share":"disabled","permission":"deny","tools":{"*":false}}',
    },
    loginFiles: [".local/share/opencode/auth.json"],
    loginVariables: [],
    places: ["XDG_DATA_HOME"],
    text: (event) => (event["type"] === "text" ? at(event, "part", "text") : undefined),
    failure: (event) => at(event, "error", "data", "message") ?? at(event, "error", "name"),
    tokens: (event) =>
      event["type"] === "step_finish"
        ? {
            input: at(event, "part", "tokens", "input"),
            output: at(event, "part", "tokens", "output"),
          }
        : null,
  },
  "copilot-cli": {
    program: "copilot",
    args: (model) => [
      "-s",
      "--output-format",
      "json",
      "--no-custom-instructions",
      "--disable-builtin-mcps",
      "--no-ask-user",
      "--available-tools=none",
      ...modelArgs(model),
    ],
    env: { COPILOT_AUTO_UPDATE: "false" },
    loginFiles: [".copilot/config.json"],
    loginVariables: ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"],
    places: ["COPILOT_HOME"],
    text: (event) =>
      event["type"] === "assistant.message" ? at(event, "data", "content") : undefined,
    failure: (event) =>
      event["type"] === "session.error" ? at(event, "data", "message") : undefined,
    tokens: () => null,
  },
};

/**
 * Other agents' own clients as language models, one row each: how it is called, where its login lies, and how its
 * answer is read. The forms were run with codex 0.169, gemini 0.61, opencode 1.18 and copilot 1.0.102.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AgentCliName, LlmError, Provider, ProviderCall } from "#domain";
import { err, type Result, isRecord, type Json, parseJson } from "#kit";
import { type Answer, answerOf } from "./read-json.ts";
import { findProgram } from "./claude-cli.ts";
import { failureOfText } from "./claude-result.ts";
import { type ClaudeOutput, createRunner, notRun } from "./claude-run.ts";
import { detailOf } from "./breaker.ts";
import { createMeter, type Meter } from "./meter.ts";
import type { ModelContext } from "./http.ts";

interface AgentCli {
  readonly program: string;
  /** `model` null = the one that the client is set to. The question comes on standard input. */
  readonly args: (model: string | null) => readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Files in the home folder, and variables, by which its user is logged in. */
  readonly loginFiles: readonly string[];
  readonly loginVariables: readonly string[];
  /** Variables that say where its files lie. */
  readonly places: readonly string[];
  /** The places in an event of a piece of the answer, a failure, and counts. */
  readonly text: (event: Json) => unknown;
  readonly failure: (event: Json) => unknown;
  readonly tokens: (event: Json) => Tokens | null;
}

interface Tokens {
  readonly input: unknown;
  readonly output: unknown;
}

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((found, name) => (isRecord(found) ? found[name] : undefined), value);

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

// Another agent's own client as a language model: run once for each question, in an empty folder of ours, with the
// marker at which our hooks exit, so that it records nothing here. How each is called is a row of `agentClis`.

export function createAgentCli(deps: ModelContext, name: AgentCliName): Provider {
  const cli = agentClis[name];
  const { run, close } = createRunner(deps);
  return {
    name,
    call: async (call) => {
      const found = findAgentCli(deps.env, name);
      if (!found.ok) return err({ type: "llm.none", detail: found.error });
      const meter = createMeter(deps.clock, call);
      const ran = await run({
        program: found.value,
        args: cli.args(call.model === "" ? null : call.model),
        env: cli.env,
        inherits: [...cli.loginVariables, ...cli.places],
        input: questionOf(call),
        timeoutMs: call.timeoutMs,
      });
      return ran.ok
        ? read(cli, ran.value, { meter, nowMs: deps.clock.nowMs() })
        : notRun(cli.program, ran.error, call.timeoutMs);
    },
    probe: async () => {
      const found = findAgentCli(deps.env, name);
      if (!found.ok) return { usable: false, reason: found.error };
      return isLoggedIn(deps.env, cli)
        ? { usable: true, reason: `${found.value}, logged in` }
        : { usable: false, reason: `${found.value} is not logged in; run it once` };
    },
    close,
  };
}

/** Path of the program, or in words why there is none. */
export const findAgentCli = (
  env: ModelContext["env"],
  name: AgentCliName,
): Result<string, string> => findProgram(agentClis[name].program, env);

/** Tells a login without asking the client: a login file, or a variable with a key. */
export function isLoggedIn(env: ModelContext["env"], cli: AgentCli): boolean {
  const home = env["HOME"] ?? env["USERPROFILE"] ?? "";
  return (
    cli.loginFiles.some((file) => home !== "" && existsSync(join(home, file))) ||
    cli.loginVariables.some((variable) => (env[variable] ?? "") !== "")
  );
}

/** These clients have instructions of their own; ours stand before the data, with the form of the reply. */
const questionOf = ({ system, prompt, schema }: ProviderCall): string =>
  `${system}\n\nUse no tools. Reply with one JSON object that fits this JSON schema, and with nothing else:\n` +
  `${JSON.stringify(schema)}\n\n${prompt}`;

function read(
  cli: AgentCli,
  output: ClaudeOutput,
  known: { readonly meter: Meter; readonly nowMs: number },
): Answer {
  const { meter } = known;
  const events = eventsIn(output.stdout);
  const text = events
    .map((event) => cli.text(event))
    .filter((piece) => typeof piece === "string")
    .join("");
  const counts = events.flatMap((event) => cli.tokens(event) ?? []);
  if (counts.length > 0)
    meter.count({
      inputTokens: sum(counts.map(({ input }) => input)),
      outputTokens: sum(counts.map(({ output: tokens }) => tokens)),
    });
  if (text !== "") return answerOf({ text, end: "done", reason: "it ended" }, meter);
  return err(meter.onto(failureOf(cli, output, { ...known, events })));
}

const sum = (numbers: readonly unknown[]): number =>
  numbers.reduce<number>((all, each) => all + (typeof each === "number" ? each : 0), 0);

function failureOf(
  cli: AgentCli,
  { stdout, stderr, status }: ClaudeOutput,
  { events, nowMs }: { readonly events: readonly Json[]; readonly nowMs: number },
): LlmError {
  const told = events
    .map((event) => cli.failure(event))
    .findLast((each) => typeof each === "string");
  const text = told ?? `${stderr}\n${stdout}`.trim().slice(-1_000);
  const ended = status === null ? "was killed" : `ended with status ${status} and no answer`;
  return (
    failureOfText(text, { secret: null, nowMs, program: cli.program }) ?? {
      type: "llm.unavailable",
      detail: detailOf(`${cli.program} ${ended}: ${text}`, null),
    }
  );
}

/** One object, or one a line, among whatever else is printed. */
function eventsIn(stdout: string): readonly Json[] {
  const whole = parseJson(stdout.slice(Math.max(0, stdout.indexOf("{"))));
  if (isRecord(whole)) return [whole];
  return stdout.split("\n").map(parseJson).filter(isRecord);
}

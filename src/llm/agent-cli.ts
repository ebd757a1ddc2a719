/**
 * Another agent's own client as a language model: run once for each question, in an empty folder of ours, with the
 * marker at which our hooks exit, so that it records nothing here. How each is called is a row of `agentClis`.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AgentCliName, LlmError, Provider, ProviderCall } from "#domain";
import { err, type Clock, type Random, type Result } from "#kit";
import { agentClis, type AgentCli } from "./agent-clis.ts";
import { findProgram } from "./claude-find.ts";
import { failureOfText } from "./claude-result.ts";
import { killLeftOver, runClaude, type ClaudeOutput } from "./claude-run.ts";
import { detailOf } from "./limits.ts";
import { createMeter, type Meter } from "./meter.ts";
import { isObject, parsed, type Json } from "./read-json.ts";
import { answerOf, type Answer } from "./reply.ts";
import { createSlots } from "./slots.ts";

export interface AgentCliDeps {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly random: Random;
}

export function createAgentCli(deps: AgentCliDeps, name: AgentCliName): Provider {
  const cli = agentClis[name];
  const closing = new AbortController();
  const slots = createSlots(() => 1);
  let isSwept = false;
  const run = async (program: string, call: ProviderCall): Promise<Answer> => {
    if (!isSwept) await killLeftOver(deps.home);
    isSwept = true;
    const meter = createMeter(deps.clock, call);
    const ran = await runClaude(deps, {
      program,
      args: cli.args(call.model === "" ? null : call.model),
      env: cli.env,
      inherits: [...cli.loginVariables, ...cli.places],
      input: questionOf(call),
      timeoutMs: call.timeoutMs,
      signal: closing.signal,
    });
    if (ran.ok) return read(cli, ran.value, { meter, nowMs: deps.clock.nowMs() });
    if (ran.error === "timeout") return err({ type: "llm.timeout", afterMs: call.timeoutMs });
    const detail = ran.error === "stopped" ? "stopped" : ran.error.detail;
    return err({ type: "llm.unavailable", detail: detailOf(`${cli.program}: ${detail}`, null) });
  };
  return {
    name,
    call: async (call) => {
      const found = findAgentCli(deps.env, name);
      if (!found.ok) return err({ type: "llm.none", detail: found.error });
      return slots.run(() => run(found.value, call));
    },
    probe: async () => {
      const found = findAgentCli(deps.env, name);
      if (!found.ok) return { usable: false, reason: found.error };
      return isLoggedIn(deps.env, cli)
        ? { usable: true, reason: `${found.value}, logged in` }
        : { usable: false, reason: `${found.value} is not logged in; run it once` };
    },
    close: async () => {
      closing.abort();
      await slots.idle();
    },
  };
}

/** Path of the program, or in words why there is none. */
export const findAgentCli = (
  env: AgentCliDeps["env"],
  name: AgentCliName,
): Result<string, string> => findProgram(agentClis[name].program, env);

/** Tells a login without asking the client: a login file, or a variable with a key. */
export function isLoggedIn(env: AgentCliDeps["env"], cli: AgentCli): boolean {
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

/** The answer among the events, or what went wrong. */
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
  const whole = parsed(stdout.slice(Math.max(0, stdout.indexOf("{"))));
  if (isObject(whole)) return [whole];
  return stdout.split("\n").map(parsed).filter(isObject);
}

/**
 * Every recorded payload of Codex, Gemini and Copilot CLI and mutations of them through the built program: it ends
 * with 0, says nothing on stderr, and prints nothing or an answer in exactly that agent's form. `npm test` runs a
 * share of them.
 *
 *   bun test/agents/sweep.ts      all of them (some minutes; `npm run test:agents -- --sweep`)
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { agentSpecs, hookedAgents, type HookedAgent } from "#clients";
import { openProgram, type Program } from "../support/program.ts";

type Json = Readonly<Record<string, unknown>>;

/** The values that stand in a field instead: another type, nothing, far too much, what is no text, what is no path. */
const odd: readonly unknown[] = [
  undefined,
  null,
  7,
  -1e300,
  true,
  [],
  [{}],
  {},
  "",
  "\u0000\ud800<",
  "../../../../etc/passwd",
  "x".repeat(300_000),
];

/** Bytes that are no payload at all. */
const broken: readonly string[] = ["", "null", "[]", "{", '"x"', "\u0000", "[[[[", '{"a":', "7"];

interface Case {
  readonly name: string;
  readonly event: string;
  readonly input: string;
}

const recordings = (agent: HookedAgent): readonly (readonly [string, Json])[] =>
  Object.entries(
    JSON.parse(
      readFileSync(join(import.meta.dir, `../support/agents/${agent}.json`), "utf8"),
    ) as Record<string, Json>,
  );

const eventOf = (name: string): string => name.replace("claude-style.", "").split(".")[0] ?? "";

/** All cases of an agent: as recorded, each field in turn as something else, cut short, of another event, and no payload. */
export function sweepCases(agent: HookedAgent): readonly Case[] {
  const of = (name: string, how: string, input: string, event = eventOf(name)): Case => ({
    name: `${agent} ${name}: ${how}`,
    event,
    input,
  });
  const events = Object.keys(agentSpecs[agent].events);
  return [
    ...recordings(agent).flatMap(([name, payload]) => {
      const text = JSON.stringify(payload);
      return [
        of(name, "as recorded", text),
        of(name, "cut short", text.slice(0, text.length / 2)),
        of(name, "with a byte order mark", `\uFEFF${text}`),
        ...events.map((event) => of(name, `as ${event}`, text, event)),
        ...Object.keys(payload).flatMap((field) =>
          odd.map((value, at) =>
            of(name, `${field} = odd ${at}`, JSON.stringify({ ...payload, [field]: value })),
          ),
        ),
      ];
    }),
    ...broken.map((input, at) => of("Stop", `broken ${at}`, input)),
  ];
}

const codexKeys: ReadonlySet<string> = new Set(["systemMessage", "hookSpecificOutput"]);
const innerKeys: ReadonlySet<string> = new Set(["hookEventName", "additionalContext"]);
const answerBytesMax = 9_500;

/** `answerFault` gives the fault of an answer; null = nothing. */
function answerFault(agent: HookedAgent, event: string, out: string): string | null {
  if (out === "") return null;
  if (Buffer.byteLength(out) > answerBytesMax) return "too long";
  try {
    const answer = JSON.parse(out) as Json;
    const inner = (answer["hookSpecificOutput"] ?? {}) as Json;
    if (agent === "copilot")
      return Object.keys(answer).join() === "additionalContext" ? null : "another key";
    if (agent === "gemini" && event === "SessionStart") return "an answer at the start";
    return Object.keys(answer).every((key) => codexKeys.has(key)) &&
      Object.keys(inner).every((key) => innerKeys.has(key))
      ? null
      : "another key";
  } catch {
    return "not JSON";
  }
}

/** Runs cases, some at a time; says of each that went wrong what did. */
export async function sweep(
  program: Program,
  agent: HookedAgent,
  cases: readonly Case[],
): Promise<readonly string[]> {
  const faults: string[] = [];
  const left = [...cases];
  const worker = async (): Promise<void> => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) {
      const { name, event, input } = one;
      const args = ["hook", "--agent", agent, event];
      const { status, out, err } = await program.run(args, { input });
      const fault =
        status !== 0 ? `status ${status}` : err !== "" ? err : answerFault(agent, event, out);
      if (fault !== null) faults.push(`${name}: ${fault.slice(0, 200)}`);
    }
  };
  await Promise.all([worker(), worker(), worker()]);
  return faults;
}

if (import.meta.main) {
  await using program = openProgram();
  await program.up();
  let failed = 0;
  for (const agent of hookedAgents) {
    const cases = sweepCases(agent);
    const faults = await sweep(program, agent, cases);
    for (const fault of faults) console.log(fault);
    console.log(`${agent}: ${cases.length} payloads, ${faults.length} went wrong`);
    failed += faults.length;
  }
  await program.flush();
  process.exitCode = failed === 0 ? 0 : 1;
}

/**
 * Sessions for the crash tests, invented from a seed: the same seed gives the same sessions, event for event, with
 * facts that no other session knows. Pure.
 */
import type { HookName } from "#domain";
import { createDice, type Dice } from "./random.ts";

export interface SoakStep {
  readonly hook: HookName;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly atMs: number;
}

export interface SoakSession {
  readonly id: string;
  /** One after the other; what stands together is sent at once, as the client does with parallel tool calls. */
  readonly steps: readonly (readonly SoakStep[])[];
}

export interface SoakPlace {
  readonly seed: number;
  /** Sessions of one stream run one after the other in one project. */
  readonly stream: number;
  readonly index: number;
  readonly cwd: string;
  /** Time of the first event of a stream's first session. */
  readonly baseMs: number;
}

const stepMs = 3_000;
const sessionMs = 200_000;

/** The user's prompts; every sentence holds a word of its own. */
const prompts: readonly ((word: string, dice: Dice) => string)[] = [
  (word, dice) => `remember that the ${word} relay listens on port ${2_000 + dice.below(60_000)}`,
  (word) => `we decided to keep ${word} invoices in Postgres instead of Mongo`,
  (word) => `always run the ${word} formatter before you commit`,
  (word) => `turns out the bug was that the ${word} cache kept expired tickets`,
  (word) => `why is the ${word} export so slow?`,
  (word) => `please rename the ${word} handler and add a test for it`,
  () => "ok thanks",
];

const answers: readonly ((word: string, dice: Dice) => string)[] = [
  (word, dice) =>
    `Root cause: the ${word} worker retried without a limit. Fixed by capping it at ${dice.below(90) + 3} retries.`,
  (word) => `Done: renamed the ${word} handler and added a test for its error path.`,
  () => "Noted.",
];

/** The session at a place. */
export function soakSession(place: SoakPlace): SoakSession {
  const { seed, stream, index, cwd, baseMs } = place;
  const dice = createDice(seed, stream, index);
  const id = `soak-${seed}-${stream}-${index}`;
  const steps: (readonly SoakStep[])[] = [];
  let atMs = baseMs + index * sessionMs;
  const common = { session_id: id, transcript_path: `${cwd}/${id}.jsonl`, cwd };
  const add = (...events: readonly Sent[]): void => {
    atMs += stepMs;
    const sent = atMs;
    steps.push(
      events.map(([hook, payload]) => ({ hook, payload: { ...common, ...payload }, atMs: sent })),
    );
  };
  add(["start", { hook_event_name: "SessionStart", source: "startup" }]);
  const turns = 3 + dice.below(4);
  const relays = new Map<string, string>();
  for (let turn = 1; turn <= turns; turn += 1) {
    const prompt_id = `${id}-p${turn}`;
    const word = dice.word();
    const prompt = changed(relays, dice) ?? dice.pick(prompts)(word, dice);
    const told = relayOf(prompt);
    if (told !== null) relays.set(told.name, told.port);
    add(["submit", { hook_event_name: "UserPromptSubmit", prompt_id, prompt }]);
    const calls = dice.below(4);
    const callId = (at: number): string => `${id}-t${turn}-${at}`;
    if (calls > 0 && dice.chance(0.4))
      // The first of parallel calls to arrive is chance, so they differ in nothing but their id.
      add(
        ...Array.from({ length: calls }, (_, at) => passing({ prompt_id, word, id: callId(at) })),
      );
    else
      for (let at = 0; at < calls; at += 1)
        add(dice.pick(toolCalls)({ prompt_id, word, id: callId(at), cwd }));
    if (dice.chance(0.1)) add(subagent(prompt_id, word));
    // Else the user pressed Esc, which fires no hook.
    if (dice.chance(0.88)) {
      const last_assistant_message = dice.pick(answers)(word, dice);
      const rest = { stop_hook_active: false, last_assistant_message };
      add(["stop", { hook_event_name: "Stop", prompt_id, ...rest }]);
    }
    if (dice.chance(0.08)) for (const event of compaction(prompt_id, word)) add(event);
  }
  if (dice.chance(0.85)) add(["end", { hook_event_name: "SessionEnd", reason: "other" }]);
  return { id, steps };
}

/** A port that the session told before has changed, or is told again; null when it told none, or has other things to say. */
function changed(relays: ReadonlyMap<string, string>, dice: Dice): string | null {
  if (relays.size === 0 || !dice.chance(0.4)) return null;
  const [name, port] = dice.pick([...relays]);
  return dice.chance(0.3)
    ? `remember that the ${name} relay listens on port ${port}`
    : `the ${name} relay listens on port ${2_000 + dice.below(60_000)} now, not on ${port} any more`;
}

function relayOf(prompt: string): { readonly name: string; readonly port: string } | null {
  const [, name, port] = /the (\w+) relay listens on port (\d+)/.exec(prompt) ?? [];
  return name === undefined || port === undefined ? null : { name, port };
}

interface Call {
  readonly prompt_id: string;
  readonly word: string;
  readonly id: string;
}

type Sent = readonly [HookName, Readonly<Record<string, unknown>>];

const passing = ({ prompt_id, word, id }: Call): Sent => [
  "tool",
  {
    hook_event_name: "PostToolUse",
    prompt_id,
    tool_use_id: id,
    tool_name: "Bash",
    tool_input: { command: `npm test ${word}` },
    tool_response: { stdout: `${word}: 12 tests passed`, stderr: "", interrupted: false },
  },
];

const toolCalls: readonly ((call: Call & { readonly cwd: string }) => Sent)[] = [
  passing,
  ({ prompt_id, word, id }) => [
    "tool",
    {
      hook_event_name: "PostToolUseFailure",
      prompt_id,
      tool_use_id: id,
      tool_name: "Bash",
      tool_input: { command: `npm test ${word}` },
      error: `Exit code 1\n${word}: expected 3, got 4`,
    },
  ],
  ({ prompt_id, word, id, cwd }) => [
    "tool",
    {
      hook_event_name: "PostToolUse",
      prompt_id,
      tool_use_id: id,
      tool_name: "Edit",
      tool_input: { file_path: `${cwd}/src/${word}.ts`, old_string: "1", new_string: "2" },
      tool_response: { filePath: `${cwd}/src/${word}.ts` },
    },
  ],
];

const subagent = (prompt_id: string, word: string): Sent => [
  "subagent",
  {
    hook_event_name: "SubagentStop",
    prompt_id,
    agent_id: `agent-${word}`,
    agent_type: "general-purpose",
    last_assistant_message: `The ${word} handler is used in two places.`,
  },
];

const compaction = (prompt_id: string, word: string): readonly Sent[] => [
  ["compact", { hook_event_name: "PreCompact", prompt_id, trigger: "manual" }],
  [
    "subagent",
    {
      hook_event_name: "SubagentStop",
      prompt_id,
      agent_id: `compact-${word}`,
      agent_type: "",
      last_assistant_message: `Summary: the ${word} work goes on.`,
    },
  ],
  ["start", { hook_event_name: "SessionStart", source: "compact" }],
  [
    "compact",
    {
      hook_event_name: "PostCompact",
      prompt_id,
      trigger: "manual",
      compact_summary: `Summary: the ${word} work goes on.`,
    },
  ],
];

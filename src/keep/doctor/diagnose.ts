/** All links in order, and the report that is made of them. */
import { type Check, type Facts, failed, fine, skipped } from "./facts.ts";
import type { InstalledHook } from "./facts-install.ts";
import { homeChecks, storeChecks } from "./home-checks.ts";
import { hookChecks, installChecks, latencyOf } from "./install-checks.ts";

/** The record of one hook's run, for programs. Times are epoch milliseconds, latencies milliseconds. */
interface HookLine {
  readonly hook: string;
  readonly last_at: number;
  readonly count: number;
  readonly in_last_session: number;
  readonly last_ms: number | null;
  readonly median_ms: number | null;
  readonly p95_ms: number | null;
}

export interface Diagnosis {
  /** False when something is red. */
  readonly ok: boolean;
  readonly version: string;
  readonly checks: readonly Check[];
  readonly hooks: readonly HookLine[];
  readonly self_test: readonly TestedHook[];
}

/** Judges facts and the self-test together. Pure. */
export function diagnose(facts: Facts, tested: SelfTest): Diagnosis {
  const checks = [
    ...installChecks(facts),
    ...hookChecks(facts),
    ...homeChecks(facts),
    ...storeChecks(facts),
    tested.check,
  ];
  return {
    ok: checks.every(({ state }) => state !== "failed"),
    version: facts.version,
    checks,
    hooks: facts.store.hooks.map((hook) => {
      const { lastMs, medianMs, p95Ms } = latencyOf(hook);
      return {
        hook: hook.hook,
        last_at: hook.lastMs,
        count: hook.count,
        in_last_session: facts.store.lastSession?.fired.get(hook.hook) ?? 0,
        last_ms: lastMs,
        median_ms: medianMs,
        p95_ms: p95Ms,
      };
    }),
    self_test: tested.hooks,
  };
}

// Drives every hook through the command line that is installed, as the client would, in a home of its own: what goes
// in at one session must come back in the next. Processes, folders and clocks arrive as ports; the user's own store
// is neither read nor written.

export interface HookRun {
  /** Null when it was killed at its timeout. */
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
  readonly ms: number;
}

export interface SelfTestPorts {
  /** Runs one hook with a payload, within its own timeout, in the throw-away home. */
  readonly run: (hook: InstalledHook, payload: string) => Promise<HookRun>;
  /** Waits until the throw-away home has digested everything; false when it does not. */
  readonly settle: () => Promise<boolean>;
  /** Folder that the payloads name as theirs. */
  readonly folder: string;
}

interface TestedHook {
  readonly event: string;
  readonly ms: number;
  /** The fault; null = nothing. */
  readonly fault: string | null;
}

export interface SelfTest {
  readonly check: Check;
  readonly hooks: readonly TestedHook[];
}

/** A word that no memory holds by chance. */
const word = "quillfeather";
const prompt = `remember that the self-test of this machine is called ${word}`;

const turn = { prompt_id: "doctor-1" };
const call = {
  ...turn,
  tool_use_id: "doctor-tool-1",
  tool_name: "Bash",
  tool_input: { command: "true" },
};
const agent = { ...turn, agent_id: "doctor", agent_type: "general-purpose" };

/** The client's payloads, by its event, in the order of a session. */
const payloads: readonly (readonly [event: string, fields: object])[] = [
  ["SessionStart", { source: "startup" }],
  ["UserPromptSubmit", { ...turn, prompt }],
  ["PreToolUse", call],
  ["PostToolUse", { ...call, tool_response: { stdout: "", stderr: "", interrupted: false } }],
  [
    "PostToolUseFailure",
    { ...call, tool_use_id: "doctor-tool-2", error: "exit code 1", is_interrupt: false },
  ],
  ["SubagentStart", agent],
  ["SubagentStop", { ...agent, last_assistant_message: "Done." }],
  ["Stop", { ...turn, stop_hook_active: false, last_assistant_message: "Noted." }],
  ["PreCompact", { trigger: "manual", custom_instructions: "" }],
  ["PostCompact", { ...turn, trigger: "manual", compact_summary: "A self-test." }],
  ["SessionEnd", { reason: "other" }],
];

/** Runs the whole session, then the start of the next. Never rejects for what a hook does. */
export async function selfTest(
  ports: SelfTestPorts,
  installed: readonly InstalledHook[],
): Promise<SelfTest> {
  if (installed.length === 0)
    return { check: skipped("self-test", "no hook is installed"), hooks: [] };
  const hooks: TestedHook[] = [];
  for (const [event, fields] of payloads) {
    const hook = installed.find((one) => one.event === event);
    if (hook === undefined) continue;
    const ran = await ports.run(hook, payloadOf(ports, "doctor-a", event, fields));
    hooks.push({ event, ms: ran.ms, fault: faultOf(ran) });
  }
  const fault = hooks.find((one) => one.fault !== null);
  if (fault !== undefined) return { check: broken(`${fault.event}: ${fault.fault}`), hooks };
  return { check: await comesBack(ports, installed, hooks), hooks };
}

const payloadOf = (
  { folder }: SelfTestPorts,
  session: string,
  event: string,
  fields: object,
): string =>
  JSON.stringify({
    session_id: session,
    transcript_path: `${folder}/none.jsonl`,
    cwd: folder,
    hook_event_name: event,
    ...fields,
  });

/** A hook ends with 0, says nothing to people, and prints JSON or nothing. */
function faultOf({ status, out, err }: HookRun): string | null {
  if (status === null) return "did not end within its timeout";
  if (status !== 0) return `ended with status ${status}${err === "" ? "" : `: ${firstLine(err)}`}`;
  if (out.trim() === "") return null;
  try {
    JSON.parse(out);
    return null;
  } catch {
    return `did not print JSON: ${firstLine(out)}`;
  }
}

const firstLine = (text: string): string => (text.trim().split("\n")[0] ?? "").slice(0, 200);

const broken = (detail: string): Check =>
  failed("self-test", {
    detail,
    fix:
      "run `continuity install`; if that does not help, run the hook manually as " +
      "docs/guide/troubleshooting.md shows",
  });

/** The proof of the whole chain: what one session said is told to the next. */
async function comesBack(
  ports: SelfTestPorts,
  installed: readonly InstalledHook[],
  hooks: readonly TestedHook[],
): Promise<Check> {
  const start = installed.find(({ event }) => event === "SessionStart");
  if (start === undefined || !installed.some(({ event }) => event === "UserPromptSubmit"))
    return broken("no hook for SessionStart or UserPromptSubmit");
  if (!(await ports.settle())) return broken("the daemon did not process the events");
  const payload = payloadOf(ports, "doctor-b", "SessionStart", { source: "startup" });
  const next = await ports.run(start, payload);
  const slowest = Math.max(...hooks.map(({ ms }) => ms));
  return next.out.includes(word)
    ? fine(
        "self-test",
        `${hooks.length} hooks as installed, ${slowest} ms at most; what was said came back`,
      )
    : broken("a memory from one session did not reach the next");
}

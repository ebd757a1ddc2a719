/** All links in order, and the report that is made of them. */
import { type Check, type Facts, failed, fine, type InstalledHook, skipped } from "./facts.ts";
import { homeChecks, storeChecks } from "./home-checks.ts";
import { hookChecks, installChecks, latencyOf } from "./install-checks.ts";

/** What one hook did, for programs. Times are epoch milliseconds, latencies milliseconds. */
export interface HookLine {
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
  readonly self_test: readonly {
    readonly event: string;
    readonly ms: number;
    readonly fault: string | null;
  }[];
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

export interface TestedHook {
  readonly event: string;
  readonly ms: number;
  /** What is wrong; null = nothing. */
  readonly fault: string | null;
}

export interface SelfTest {
  readonly check: Check;
  readonly hooks: readonly TestedHook[];
}

/** A word that no memory holds by chance. */
const word = "quillfeather";
const prompt = `remember that the self-test of this machine is called ${word}`;

/** What the client sends, by its event, in the order of a session. */
const payloads: readonly {
  readonly event: string;
  readonly fields: Readonly<Record<string, unknown>>;
}[] = [
  { event: "SessionStart", fields: { source: "startup" } },
  { event: "UserPromptSubmit", fields: { prompt, prompt_id: "doctor-1" } },
  {
    event: "PreToolUse",
    fields: {
      prompt_id: "doctor-1",
      tool_use_id: "doctor-tool-1",
      tool_name: "Bash",
      tool_input: { command: "true" },
    },
  },
  {
    event: "PostToolUse",
    fields: {
      prompt_id: "doctor-1",
      tool_use_id: "doctor-tool-1",
      tool_name: "Bash",
      tool_input: { command: "true" },
      tool_response: { stdout: "", stderr: "", interrupted: false },
    },
  },
  {
    event: "PostToolUseFailure",
    fields: {
      prompt_id: "doctor-1",
      tool_use_id: "doctor-tool-2",
      tool_name: "Bash",
      tool_input: { command: "false" },
      error: "exit code 1",
      is_interrupt: false,
    },
  },
  {
    event: "SubagentStart",
    fields: { prompt_id: "doctor-1", agent_id: "doctor", agent_type: "general-purpose" },
  },
  {
    event: "SubagentStop",
    fields: {
      prompt_id: "doctor-1",
      agent_id: "doctor",
      agent_type: "general-purpose",
      last_assistant_message: "Done.",
    },
  },
  {
    event: "Stop",
    fields: { prompt_id: "doctor-1", stop_hook_active: false, last_assistant_message: "Noted." },
  },
  { event: "PreCompact", fields: { trigger: "manual", custom_instructions: "" } },
  {
    event: "PostCompact",
    fields: { prompt_id: "doctor-1", trigger: "manual", compact_summary: "A self-test." },
  },
  { event: "SessionEnd", fields: { reason: "other" } },
];

/** Runs the whole session, then the start of the next. Never rejects for what a hook does. */
export async function selfTest(
  ports: SelfTestPorts,
  installed: readonly InstalledHook[],
): Promise<SelfTest> {
  if (installed.length === 0)
    return { check: skipped("self-test", "no hook is installed"), hooks: [] };
  const hooks: TestedHook[] = [];
  for (const { event, fields } of payloads) {
    const hook = installed.find((one) => one.event === event);
    if (hook === undefined) continue;
    const ran = await ports.run(hook, payloadOf(ports, { event, session: "doctor-a", fields }));
    hooks.push({ event, ms: ran.ms, fault: faultOf(ran) });
  }
  const fault = hooks.find((one) => one.fault !== null);
  if (fault !== undefined) return { check: broken(`${fault.event}: ${fault.fault}`), hooks };
  return { check: await comesBack(ports, installed, hooks), hooks };
}

const payloadOf = (
  { folder }: SelfTestPorts,
  about: {
    readonly event: string;
    readonly session: string;
    readonly fields: Readonly<Record<string, unknown>>;
  },
): string =>
  JSON.stringify({
    session_id: about.session,
    transcript_path: `${folder}/none.jsonl`,
    cwd: folder,
    hook_event_name: about.event,
    ...about.fields,
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
  const canTell =
    start !== undefined && installed.some(({ event }) => event === "UserPromptSubmit");
  if (!canTell) return broken("no hook for SessionStart or UserPromptSubmit");
  if (!(await ports.settle())) return broken("the daemon did not process the events");
  const fields = { source: "startup" };
  const next = await ports.run(
    start,
    payloadOf(ports, { event: "SessionStart", session: "doctor-b", fields }),
  );
  const slowest = Math.max(...hooks.map(({ ms }) => ms));
  return next.out.includes(word)
    ? fine(
        "self-test",
        `${hooks.length} hooks as installed, ${slowest} ms at most; what was said came back`,
      )
    : broken("a memory from one session did not reach the next");
}

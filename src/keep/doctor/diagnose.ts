/** All links in order, and the self-test that drives the installed hooks. */
import type { Check } from "#domain";
import { type Facts, failed, fine, skipped } from "./facts.ts";
import type { InstalledHook } from "./facts-install.ts";
import { homeChecks, storeChecks } from "./home-checks.ts";
import { hookChecks, installChecks } from "./install-checks.ts";

/** All checks, in the order of the chain. Pure. */
export const diagnose = (facts: Facts): readonly Check[] => [
  ...installChecks(facts),
  ...hookChecks(facts),
  ...homeChecks(facts),
  ...storeChecks(facts),
];

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
): Promise<Check> {
  if (installed.length === 0) return skipped("self-test", "no hook is installed");
  const ran: number[] = [];
  for (const [event, fields] of payloads) {
    const hook = installed.find((one) => one.event === event);
    if (hook === undefined) continue;
    const run = await ports.run(hook, payloadOf(ports, "doctor-a", event, fields));
    const fault = faultOf(run);
    if (fault !== null) return broken(`${event}: ${fault}`);
    ran.push(run.ms);
  }
  return comesBack(ports, installed, ran);
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
  ranMs: readonly number[],
): Promise<Check> {
  const start = installed.find(({ event }) => event === "SessionStart");
  if (start === undefined || !installed.some(({ event }) => event === "UserPromptSubmit"))
    return broken("no hook for SessionStart or UserPromptSubmit");
  if (!(await ports.settle())) return broken("the daemon did not process the events");
  const payload = payloadOf(ports, "doctor-b", "SessionStart", { source: "startup" });
  const next = await ports.run(start, payload);
  return next.out.includes(word)
    ? fine(
        "self-test",
        `${ranMs.length} hooks as installed, ${Math.max(...ranMs)} ms at most; what was said came back`,
      )
    : broken("a memory from one session did not reach the next");
}

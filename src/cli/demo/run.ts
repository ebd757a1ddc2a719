/**
 * `continuity demo`: the main job on recorded sessions, in a home of its own that is removed afterwards.
 *
 * Every event goes through a real hook process of this very binary, with its own date (CONTINUITY_NOW); what is shown
 * is read back through the command line, as a user would. Nothing here touches the user's own home or settings.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isoDate, parseNow } from "#kit";
import {
  demoProbes,
  demoProbesAt,
  demoProject,
  demoSessions,
  type DemoSession,
  type DemoTurn,
} from "./sessions.ts";

interface Stage {
  /** Command line of this program, for starting itself. */
  readonly self: readonly string[];
  readonly print: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Stops the daemon of a home folder. */
  readonly stop: (home: string) => Promise<void>;
  readonly root: string;
  readonly project: string;
  readonly hookMs: number[];
}

interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly ms: number;
}

const minuteMs = 60_000;
/** Tables are cut to this: what is shown is read on a terminal, though it goes through pipes. */
const shownColumns = "120";

/** Returns the exit code: 0 when everything was remembered, found and kept silent as it should. */
export async function runDemo(given: Omit<Stage, "root" | "project" | "hookMs">): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), "continuity-demo-"));
  const stage: Stage = { ...given, root, project: join(root, demoProject.name), hookMs: [] };
  try {
    layOutProject(stage);
    return await play(stage);
  } finally {
    await stage.stop(join(root, "home"));
    rmSync(root, { recursive: true, force: true });
  }
}

async function play(stage: Stage): Promise<number> {
  const { print } = stage;
  print("Continuity demo: two recorded sessions, no language model, a temporary home.\n");
  for (const session of demoSessions) await replay(stage, session);
  await run(stage, ["flush", "--timeout", "60s"]);

  await show(stage, "What it remembers", ["list"]);
  await show(stage, 'A query in other words: continuity find "WiFi problem" --limit 3', [
    "find",
    "WiFi problem",
    "--limit",
    "3",
  ]);
  const faults = await probe(stage);
  await showWhy(stage);
  printHookTimes(stage);
  print(
    faults.length === 0
      ? "\nThe checks of this demo passed."
      : `\nNot as expected: ${faults.join("; ")}`,
  );
  return faults.length === 0 ? 0 : 1;
}

async function replay(stage: Stage, session: DemoSession): Promise<void> {
  const { print } = stage;
  let nowMs = parseNow(session.startedAt) ?? 0;
  print(`Session of ${isoDate(nowMs)}`);
  await hook(stage, "start", nowMs, {
    ...common(stage, session.id, "SessionStart"),
    source: "startup",
  });
  for (const [position, turn] of session.turns.entries()) {
    nowMs += 2 * minuteMs;
    print(`  > ${turn.prompt}`);
    await replayTurn(stage, { session, turn, promptId: `${session.id}-${position}`, nowMs });
  }
  await hook(stage, "end", nowMs + 2 * minuteMs, {
    ...common(stage, session.id, "SessionEnd"),
    reason: "prompt_input_exit",
  });
  print("");
}

async function replayTurn(
  stage: Stage,
  work: {
    readonly session: DemoSession;
    readonly turn: DemoTurn;
    readonly promptId: string;
    readonly nowMs: number;
  },
): Promise<void> {
  const { session, turn, promptId, nowMs } = work;
  const base = (event: string): Record<string, unknown> => ({
    ...common(stage, session.id, event),
    prompt_id: promptId,
  });
  await hook(stage, "submit", nowMs, { ...base("UserPromptSubmit"), prompt: turn.prompt });
  for (const [n, tool] of (turn.tools ?? []).entries()) {
    await hook(stage, "tool", nowMs + (n + 1) * 5_000, {
      ...base(tool.failed === true ? "PostToolUseFailure" : "PostToolUse"),
      tool_name: tool.name,
      tool_input: tool.input,
      tool_use_id: `${promptId}-${n}`,
      ...(tool.failed === true
        ? { error: tool.output ?? "failed" }
        : { tool_response: { stdout: tool.output ?? "", stderr: "" } }),
    });
  }
  if (turn.answer === null) return;
  await hook(stage, "stop", nowMs + minuteMs, {
    ...base("Stop"),
    stop_hook_active: false,
    last_assistant_message: turn.answer,
  });
}

/** Asks each probe in a new session and says what was injected. Returns what was not as it should be. */
async function probe(stage: Stage): Promise<readonly string[]> {
  const { print } = stage;
  const faults: string[] = [];
  print("\n── A new session, three weeks later ──");
  for (const [n, { prompt, answer }] of demoProbes.entries()) {
    const nowMs = (parseNow(demoProbesAt) ?? 0) + n * minuteMs;
    const id = probeSession(n);
    const start = await hook(stage, "start", nowMs, {
      ...common(stage, id, "SessionStart"),
      source: "startup",
    });
    if (n === 0) print(`\ninjected at its start:\n${injectedText(start)}`);
    const asked = await hook(stage, "submit", nowMs + 4_000, {
      ...common(stage, id, "UserPromptSubmit"),
      prompt_id: `${id}-0`,
      prompt,
    });
    const text = injectedText(asked);
    print(`\n> ${prompt}\n${text === "" ? "(silence)" : text}`);
    if (answer === null ? text !== "" : !text.includes(answer))
      faults.push(`"${prompt}" should get ${answer ?? "silence"}`);
  }
  return faults;
}

function injectedText(ran: Ran): string {
  if (ran.stdout.trim() === "") return "";
  const answer: unknown = JSON.parse(ran.stdout);
  const output = (answer as { hookSpecificOutput?: { additionalContext?: unknown } })
    .hookSpecificOutput;
  return typeof output?.additionalContext === "string" ? output.additionalContext : "";
}

async function show(stage: Stage, title: string, args: readonly string[]): Promise<void> {
  const { stdout } = await run(stage, args);
  stage.print(`\n── ${title} ──\n${stdout.trimEnd()}`);
}

/** The reasons behind the first probe's answer: the last entry of its session, after its start text. */
async function showWhy(stage: Stage): Promise<void> {
  const { stdout } = await run(stage, ["why", probeSession(0)]);
  const lines = stdout.trimEnd().split("\n");
  const from = lines.findLastIndex((line) => / {2}prompt {2}/.test(line));
  const told = lines.slice(Math.max(0, from)).join("\n");
  stage.print(`\n── Why it said that: continuity why ──\n${told}`);
}

const probeSession = (n: number): string => `demo-new-${n}`;

function printHookTimes(stage: Stage): void {
  const sorted = stage.hookMs.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  stage.print(
    `\n${sorted.length} hook processes: median ${at(0.5)} ms, p95 ${at(0.95)} ms of wall time, process start included`,
  );
}

const common = (stage: Stage, sessionId: string, event: string): Record<string, unknown> => ({
  session_id: sessionId,
  transcript_path: join(stage.root, "transcripts", `${sessionId}.jsonl`),
  cwd: stage.project,
  hook_event_name: event,
});

async function hook(
  stage: Stage,
  name: string,
  nowMs: number,
  payload: Readonly<Record<string, unknown>>,
): Promise<Ran> {
  const ran = await run(stage, ["hook", name], { stdin: JSON.stringify(payload), nowMs });
  stage.hookMs.push(ran.ms);
  return ran;
}

async function run(
  stage: Stage,
  args: readonly string[],
  options: { readonly stdin?: string; readonly nowMs?: number } = {},
): Promise<Ran> {
  const started = performance.now();
  const child = Bun.spawn([...stage.self, ...args], {
    cwd: stage.project,
    stdin: options.stdin === undefined ? "ignore" : new TextEncoder().encode(options.stdin),
    stdout: "pipe",
    stderr: "pipe",
    env: {
      ...stage.env,
      CONTINUITY_HOME: join(stage.root, "home"),
      CONTINUITY_PORT: "0",
      NO_COLOR: "1",
      COLUMNS: stage.env["COLUMNS"] ?? shownColumns,
      ...(options.nowMs === undefined ? {} : { CONTINUITY_NOW: String(options.nowMs) }),
    },
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ]);
  const ms = performance.now() - started;
  if (exitCode !== 0 && stderr !== "") stage.print(stderr.trimEnd());
  return { exitCode, stdout, ms };
}

/** A repository with a remote, as far as project identity is concerned: two files of git metadata. */
function layOutProject(stage: Stage): void {
  const git = join(stage.project, ".git");
  mkdirSync(git, { recursive: true });
  writeFileSync(join(git, "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(git, "config"), `[remote "origin"]\n\turl = ${demoProject.remote}\n`);
}

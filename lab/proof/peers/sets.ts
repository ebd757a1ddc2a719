/**
 * Public sets of peers, read from clones of their repositories: what a user typed, and the task or question that needs it
 * later. `anchors.json` holds, by id, a word that any answer has to hold (ours; theirs are judged by a model or by tests).
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface PeerTask {
  readonly id: string;
  readonly project: string;
  /** Typed in one session, in this order. */
  readonly turns: readonly string[];
  /** The agent's answer to each of them. */
  readonly answer: string;
  /** The later prompt. */
  readonly probe: string;
  readonly anchor: string;
}

export const peers = {
  smart: { read: readSmart, source: "ReflexioAI/claude-smart, benchmarks/memory_comparison" },
  remem: { read: readRemem, source: "majiayu000/remem, eval/coding-bench" },
  amb: { read: readAmb, source: "GiulioDER/agent-memory-bench, tasks/ts-*" },
} as const;
export type Peer = keyof typeof peers;

const anchors = JSON.parse(readFileSync(join(import.meta.dir, "anchors.json"), "utf8")) as Readonly<
  Record<Peer, Readonly<Record<string, string>>>
>;

/** The scenarios are a Python module: Python reads them. */
const scenariosScript = `
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("scenarios", sys.argv[1])
module = importlib.util.module_from_spec(spec)
sys.modules["scenarios"] = module
spec.loader.exec_module(module)
print(json.dumps([{"id": s.id, "turns": s.turns, "probe": s.probe_query} for s in module.SCENARIOS]))
`;

function readSmart(clone: string): readonly PeerTask[] {
  const path = join(clone, "benchmarks", "memory_comparison", "scenarios.py");
  const { stdout } = Bun.spawnSync(["python3", "-c", scenariosScript, path], { stderr: "inherit" });
  const scenarios = JSON.parse(stdout.toString()) as readonly Omit<
    PeerTask,
    "project" | "answer" | "anchor"
  >[];
  return scenarios.map((one) => ({
    ...one,
    project: one.id,
    answer: "Got it.",
    anchor: anchors.smart[one.id] ?? "",
  }));
}

interface RememTask {
  readonly id: string;
  readonly prompt: string;
  readonly history_episodes: readonly {
    readonly raw_events: readonly { readonly role: string; readonly sanitized_content: string }[];
  }[];
}

function readRemem(clone: string): readonly PeerTask[] {
  const path = join(clone, "eval", "coding-bench", "fixtures", "tasks.json");
  const { tasks } = JSON.parse(readFileSync(path, "utf8")) as {
    readonly tasks: readonly RememTask[];
  };
  return tasks.map(({ id, prompt, history_episodes: episodes }) => ({
    id,
    project: "remem-bench",
    turns: episodes.flatMap(({ raw_events: events }) =>
      events.filter(({ role }) => role === "user").map((event) => event.sanitized_content),
    ),
    answer: "Noted.",
    probe: prompt,
    anchor: anchors.remem[id] ?? "",
  }));
}

/** Tasks without an anchor are left out. */
function readAmb(clone: string): readonly PeerTask[] {
  const folder = join(clone, "tasks");
  const read = (id: string, ...path: readonly string[]): string =>
    readFileSync(join(folder, id, ...path), "utf8").trim();
  return readdirSync(folder)
    .filter((id) => id in anchors.amb && existsSync(join(folder, id, "task.json")))
    .toSorted()
    .map((id) => ({
      id,
      project: "agent-memory-bench",
      turns: ["prompt.txt", "followup.txt"].map((name) => read(id, "precursors", "p01", name)),
      answer: "I looked into it and this is what I found; tell me what you decide.",
      probe: (JSON.parse(read(id, "task.json")) as { readonly prompt: string }).prompt,
      anchor: anchors.amb[id] ?? "",
    }));
}

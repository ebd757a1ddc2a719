/**
 * The session files of an agent below a folder. Follows no symbolic link, opens nothing but regular files of a sane
 * size.
 */
import { lstatSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileNamesIn, type Json, readText, textField } from "#kit";
import type { TranscriptEntry } from "../../claude-code/transcript/entry.ts";
import type { HookedAgent } from "../spec.ts";
import { readCopilot } from "./copilot.ts";
import {
  type AgentSession,
  answerEntry,
  interruptEntry,
  listAt,
  type Place,
  promptEntry,
  recordAt,
  recordsOf,
  textOfParts,
  timeAt,
  toolEntries,
} from "./entries.ts";
import { readGemini } from "./gemini.ts";

/** The names of each agent's session files. */
const names: Readonly<Record<HookedAgent, RegExp>> = {
  codex: /^rollout-.*\.jsonl$/,
  gemini: /^session-.*\.jsonl$/,
  copilot: /^events\.jsonl$/,
};

const depthMax = 6;
const filesMax = 100_000;
/** A session's context is a few megabytes. */
const fileBytesMax = 256 * 1_024 * 1_024;

export interface SessionFile {
  readonly path: string;
  readonly bytes: number;
}

/** A folder's session files in the order of their paths, or the one file that is named. */
export function sessionFiles(agent: HookedAgent, place: string): readonly SessionFile[] {
  const found: SessionFile[] = [];
  const look = (path: string, depth: number): void => {
    const facts = lstatSync(path, { throwIfNoEntry: false });
    if (facts?.isFile() === true) {
      if (names[agent].test(basename(path)) || depth === 0) found.push({ path, bytes: facts.size });
    } else if (facts?.isDirectory() === true && depth < depthMax && found.length < filesMax)
      for (const name of fileNamesIn(path).toSorted()) look(join(path, name), depth + 1);
  };
  look(place, 0);
  return found;
}

/** The session in a file; a word for people when there is none. */
export function readSessionFile(
  agent: HookedAgent,
  { path, bytes }: SessionFile,
): AgentSession | string {
  if (bytes === 0) return "an empty file";
  if (bytes > fileBytesMax) return "larger than 256 MB";
  const text = readText(path);
  return text === null ? "cannot be read" : (sessionIn(agent, path, text) ?? "not a session");
}

function sessionIn(agent: HookedAgent, path: string, text: string): AgentSession | null {
  if (agent === "codex") return readCodex(text);
  return agent === "copilot" ? readCopilot(text) : readGemini(text, projectRoot(path));
}

/** Gemini CLI notes a project's folder beside its chats. */
function projectRoot(path: string): string | null {
  const folder = dirname(dirname(path));
  const noted = [folder, dirname(folder)].map((place) => readText(join(place, ".project_root")));
  return noted.find((text) => text !== null)?.trim() || null;
}

// Sessions of Codex CLI: `rollout-<time>-<id>.jsonl`. Read from what the client notes as done, which holds the user's
// and the model's words without what was injected, and commands with their status. Resuming appends to the same file.

/** Null for a file that is no session. */
function readCodex(text: string): AgentSession | null {
  const records = recordsOf(text);
  const meta = records.find(({ record }) => record["type"] === "session_meta");
  if (meta === undefined) return null;
  const facts = recordAt(meta.record, "payload");
  const id = textField(facts, "id");
  if (id === null) return null;
  const session = {
    id,
    isSubagent: textField(facts, "parent_thread_id") !== null,
    cwd: textField(facts, "cwd"),
    branch: textField(recordAt(facts, "git"), "branch"),
    startedAtMs: timeAt(facts, "timestamp"),
  };
  const turns = new Set<string>();
  const entries = records.flatMap(({ line, record }): readonly TranscriptEntry[] => {
    if (record["type"] !== "event_msg") return [];
    const event = recordAt(record, "payload");
    const place = { line, atMs: timeAt(record, "timestamp") };
    const turn = textField(event, "turn_id");
    if (event["type"] === "turn_aborted") return [interruptEntry(place, turn)];
    if (event["type"] !== "item_completed") return [];
    const item = recordAt(event, "item");
    const said = textOfParts(listAt(item, "content"));
    if (item["type"] === "UserMessage" && said !== "") {
      // A message typed while the agent works has the running turn's id.
      const isQueued = turn !== null && turns.has(turn);
      if (turn !== null) turns.add(turn);
      return [promptEntry(place, { text: said, promptId: turn, isQueued, session })];
    }
    if (item["type"] === "AgentMessage" && said !== "") return [answerEntry(place, said)];
    return toolOf(place, item);
  });
  return { ...session, entries };
}

function toolOf(place: Place, item: Json): readonly TranscriptEntry[] {
  const id = textField(item, "id") ?? `line-${place.line}`;
  const failure = item["status"] === "failed" ? "failed" : null;
  if (item["type"] === "CommandExecution") {
    const exit = item["exit_code"];
    const error = typeof exit === "number" && exit !== 0 ? `exit code ${exit}` : failure;
    return toolEntries(place, { id, tool: "Bash", target: commandOf(item), files: [], error });
  }
  if (item["type"] === "FileChange") {
    const files = Object.keys(recordAt(item, "changes"));
    const [target = null] = files;
    return toolEntries(place, { id, tool: "Edit", target, files, error: failure });
  }
  if (item["type"] === "McpToolCall") {
    const tool = `mcp__${textField(item, "server") ?? ""}__${textField(item, "tool") ?? ""}`;
    const input = recordAt(item, "arguments");
    const target = textField(input, "query");
    return toolEntries(place, { id, tool, target, files: [], input, error: failure });
  }
  return [];
}

/** The words behind `bash -lc`. */
function commandOf({ command }: Json): string | null {
  const last: unknown = Array.isArray(command) ? command.at(-1) : null;
  return typeof last === "string" ? last : null;
}

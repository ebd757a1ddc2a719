/**
 * Sessions of Codex CLI: `rollout-<time>-<id>.jsonl`. Read from what the client notes as done, which holds the user's
 * and the model's words without what was injected, and commands with their status. Resuming appends to the same file.
 */
import type { TranscriptEntry } from "#claude-code";
import { textField, type Json } from "#capture";
import {
  answerEntry,
  interruptEntry,
  listAt,
  promptEntry,
  recordAt,
  recordsOf,
  textOfParts,
  timeAt,
  toolEntries,
  type AgentSession,
} from "./entries.ts";

/** Null for a file that is no session. */
export function readCodex(text: string): AgentSession | null {
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
      // What is typed while the agent works has the running turn's id.
      const isQueued = turn !== null && turns.has(turn);
      if (turn !== null) turns.add(turn);
      return [promptEntry(place, { text: said, promptId: turn, isQueued, session })];
    }
    if (item["type"] === "AgentMessage" && said !== "") return [answerEntry(place, said)];
    return toolOf(place, item);
  });
  return { ...session, entries };
}

function toolOf(
  place: { readonly line: number; readonly atMs: number | null },
  item: Json,
): readonly TranscriptEntry[] {
  const id = textField(item, "id") ?? `line-${place.line}`;
  const failure = item["status"] === "failed" ? "failed" : null;
  if (item["type"] === "CommandExecution") {
    const exit = item["exit_code"];
    const error = typeof exit === "number" && exit !== 0 ? `exit code ${exit}` : failure;
    return toolEntries(place, { id, tool: "Bash", target: commandOf(item), files: [], error });
  }
  if (item["type"] === "FileChange") {
    const files = Object.keys(recordAt(item, "changes"));
    return toolEntries(place, {
      id,
      tool: "Edit",
      target: files[0] ?? null,
      files,
      error: failure,
    });
  }
  if (item["type"] === "McpToolCall") {
    const tool = `mcp__${textField(item, "server") ?? ""}__${textField(item, "tool") ?? ""}`;
    const target = textField(recordAt(item, "arguments"), "query");
    return toolEntries(place, { id, tool, target, files: [], error: failure });
  }
  return [];
}

/** The words behind `bash -lc`. */
function commandOf({ command }: Json): string | null {
  const last: unknown = Array.isArray(command) ? command.at(-1) : null;
  return typeof last === "string" ? last : null;
}

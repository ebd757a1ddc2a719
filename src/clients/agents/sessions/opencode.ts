/**
 * Sessions of OpenCode: rows of its database, as whoever may read one hands them over. Synthetic parts are no speech;
 * neither is a compaction, nor the answer that sums it up.
 */
import { isRecord, type Json, parseJson, textField } from "#kit";
import type { TranscriptEntry } from "../../claude-code/transcript/entry.ts";
import {
  answerEntry,
  filesIn,
  interruptEntry,
  type Place,
  promptEntry,
  recordAt,
  targetIn,
  textOfParts,
  timeAt,
  toolEntries,
  type AgentSession,
  type SessionHead,
} from "./entries.ts";

/** A row with its column `data` read as JSON. */
export interface OpenCodeRow {
  readonly id: string;
  readonly data: Json;
  readonly createdMs: number;
}

export interface OpenCodeMessage extends OpenCodeRow {
  readonly parts: readonly OpenCodeRow[];
}

/** Its tools by Claude Code's names. */
const tools: Readonly<Record<string, string>> = {
  bash: "Bash",
  read: "Read",
  write: "Write",
  edit: "Edit",
  apply_patch: "Edit",
  grep: "Grep",
  glob: "Glob",
  list: "LS",
  webfetch: "WebFetch",
  task: "Task",
};

export function readOpenCode(
  session: SessionHead,
  messages: readonly OpenCodeMessage[],
): AgentSession {
  const summaries = new Set(
    messages
      .filter(({ parts }) => parts.some(({ data }) => data["type"] === "compaction"))
      .map(({ id }) => id),
  );
  const entries = messages.flatMap((message, at): readonly TranscriptEntry[] => {
    const { data, parts, id } = message;
    if (summaries.has(id) || summaries.has(textField(data, "parentID") ?? "")) return [];
    const place = { line: at + 1, atMs: message.createdMs };
    const said = textOfParts(
      parts
        .map((part) => part.data)
        .filter((part) => part["type"] === "text" && !part["synthetic"]),
    ).trim();
    if (data["role"] === "user") {
      // `opencode run` puts quotation marks around words with spaces.
      const text = /^"[^"]*"$/.test(said) ? said.slice(1, -1) : said;
      return text === ""
        ? []
        : [promptEntry(place, { text, promptId: id, isQueued: false, session })];
    }
    if (data["role"] !== "assistant") return [];
    const calls = parts.flatMap((part) => toolOf(place, part));
    const isAborted = recordAt(data, "error")["name"] === "MessageAbortedError";
    return [
      ...(said === "" ? [] : [answerEntry(place, said)]),
      ...calls,
      ...(isAborted ? [interruptEntry(place, null)] : []),
    ];
  });
  return { ...session, entries };
}

function toolOf(place: Place, { id, data }: OpenCodeRow): readonly TranscriptEntry[] {
  if (data["type"] !== "tool") return [];
  const name = textField(data, "tool") ?? "unknown";
  const state = recordAt(data, "state");
  const input = recordAt(state, "input");
  const exit = recordAt(state, "metadata")["exit"];
  const failed = typeof exit === "number" && exit !== 0 ? `exit code ${exit}` : null;
  return toolEntries(
    { ...place, atMs: timeAt(recordAt(state, "time"), "start") ?? place.atMs },
    {
      id: textField(data, "callID") ?? id,
      tool: tools[name] ?? name.replace(/^continuity_/, "mcp__continuity__"),
      target: targetIn(input),
      files: filesIn(input),
      input,
      error: state["status"] === "error" ? (textField(state, "error") ?? "failed") : failed,
    },
  );
}

/** A row of the tables `message` and `part`; null for one that is damaged. */
export function openCodeRow(row: Readonly<Record<string, unknown>>): OpenCodeRow | null {
  const { id, data, time_created: createdMs } = row;
  if (typeof id !== "string" || typeof data !== "string" || typeof createdMs !== "number")
    return null;
  // No JSON where it is longer than what is read of a cell, or damaged.
  const read = parseJson(data);
  return isRecord(read) ? { id, data: read, createdMs } : null;
}

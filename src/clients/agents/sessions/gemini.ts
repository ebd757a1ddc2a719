/**
 * Sessions of Gemini CLI: `tmp/<project>/chats/session-<time>-<id>.jsonl`. A message is written again as it grows, and
 * the last writing counts; what hooks added stands in the user's messages and is left out.
 */
import { isRecord, textField, type Json } from "#kit";
import type { TranscriptEntry } from "../../claude-code/transcript/entry.ts";
import { agentSpecs } from "../spec.ts";
import {
  answerEntry,
  filesIn,
  interruptEntry,
  listAt,
  type Place,
  promptEntry,
  recordAt,
  recordsOf,
  targetIn,
  textOfParts,
  timeAt,
  toolEntries,
  type AgentSession,
  type SessionHead,
} from "./entries.ts";

/** `folder` is the project's, which the file itself does not name. Null for a file that is no session. */
export function readGemini(text: string, folder: string | null): AgentSession | null {
  const records = recordsOf(text);
  const head = records[0]?.record ?? {};
  const id = textField(head, "sessionId");
  if (id === null) return null;
  const session = {
    id,
    isSubagent: head["kind"] === "subagent",
    cwd: folder,
    branch: null,
    startedAtMs: timeAt(head, "startTime"),
  };
  const entries = [...messagesOf(records).values()].flatMap(({ line, message }) =>
    entriesOf(session, line, message),
  );
  return { ...session, entries };
}

interface Message {
  readonly line: number;
  readonly message: Json;
}

/** In the order in which they came first, each as it was written last. */
function messagesOf(records: ReturnType<typeof recordsOf>): ReadonlyMap<string, Message> {
  const messages = new Map<string, Message>();
  for (const { line, record } of records) {
    const told = [...listAt(recordAt(record, "$set"), "messages"), record];
    for (const message of told) {
      const id = textField(message, "id");
      if (id !== null) messages.set(id, { line: messages.get(id)?.line ?? line, message });
    }
  }
  return messages;
}

const injected = /<hook_context>[\s\S]*?<\/hook_context>\s*/g;

function entriesOf(session: SessionHead, line: number, message: Json): readonly TranscriptEntry[] {
  const place = { line, atMs: timeAt(message, "timestamp") };
  const { type, content } = message;
  if (type === "info") return content === "Request cancelled." ? [interruptEntry(place, null)] : [];
  if (type === "user") {
    const shown = listAt(message, "displayContent");
    const text = textOfParts(shown.length > 0 ? shown : listAt(message, "content"))
      .replace(injected, "")
      .trim();
    return text === "" || text.startsWith("<session_context>")
      ? []
      : [promptEntry(place, { text, promptId: null, isQueued: false, session })];
  }
  if (type !== "gemini") return [];
  const said = typeof content === "string" ? content : textOfParts(listAt(message, "content"));
  const calls = listAt(message, "toolCalls").flatMap((call) => toolOf(place, call));
  return said.trim() === "" ? calls : [answerEntry(place, said), ...calls];
}

function toolOf(place: Place, call: Json): readonly TranscriptEntry[] {
  const name = textField(call, "name") ?? "unknown";
  const { tools } = agentSpecs.gemini;
  const args = recordAt(call, "args");
  const results = listAt(call, "result").map((one) =>
    recordAt(recordAt(one, "functionResponse"), "response"),
  );
  const error = results.map((one) => one["error"]).find((one) => one !== undefined);
  return toolEntries(place, {
    id: textField(call, "id") ?? `${name}-${place.line}`,
    tool: Object.hasOwn(tools, name) ? (tools[name] ?? name) : name,
    target: targetIn(args),
    files: filesIn(args),
    input: args,
    error: typeof error === "string" ? error : isRecord(error) ? "failed" : null,
  });
}

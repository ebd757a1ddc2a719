/**
 * Reduces a payload to the fields that we know, without anything that is never kept.
 *
 * Runs before the privacy gate, so it only drops whole fields and never cuts a text: a cut tag or key would leak its
 * tail. Must not know about storage or the daemon.
 */
import { isRecord, type Json, recordOf, textField } from "#kit";
import { captureLimits } from "./limits.ts";

/** Everything else of a payload is unknown to us, so it is not carried: what is not kept cannot leak. */
const keptFields = [
  "session_id",
  "transcript_path",
  "cwd",
  "hook_event_name",
  "prompt_id",
  "permission_mode",
  "agent_id",
  "agent_type",
  "agent_transcript_path",
  "headless",
  "source",
  "start_context",
  "seconds_since_last_response",
  "model",
  "prompt",
  "tool_name",
  "tool_input",
  "tool_response",
  "tool_use_id",
  "error",
  "is_interrupt",
  "duration_ms",
  "last_assistant_message",
  "stop_hook_active",
  "trigger",
  "custom_instructions",
  "compact_summary",
  "reason",
] as const;

/** Copies of files, however the client names them. */
const fileCopies: ReadonlySet<string> = new Set([
  "originalFile",
  "originalContent",
  "structuredPatch",
  "gitDiff",
  "base64",
  "new_source",
  "old_source",
]);

const editTexts: ReadonlySet<string> = new Set([
  "old_string",
  "new_string",
  "oldString",
  "newString",
]);

const pathFields = ["file_path", "filePath", "notebook_path", "path"] as const;

/** Tools that answer with a file: their text is file contents in whatever shape it comes. */
const fileReaders: ReadonlySet<string> = new Set(["Read", "NotebookRead", "View"]);

/** The same of an MCP server, such as `mcp__files__read_text_file`. */
const readsFiles = (tool: string): boolean =>
  fileReaders.has(tool) ||
  (tool.startsWith("mcp__") &&
    /_(?:read|get|view|open)_(?:\w+_)?files?(?:_contents?)?$/i.test(tool));

/** The payload with known fields only, file contents and oversized tool records left out. */
export function slimPayload(payload: Json): Json {
  const kept: Record<string, unknown> = {};
  for (const field of keptFields) if (payload[field] !== undefined) kept[field] = payload[field];
  const tool = textField(payload, "tool_name");
  if (tool === null) return kept;
  if ("tool_input" in kept) kept["tool_input"] = slimValue(kept["tool_input"], 0);
  if (readsFiles(tool)) delete kept["tool_response"];
  else if ("tool_response" in kept) kept["tool_response"] = slimValue(kept["tool_response"], 0);
  return isOversized(kept) ? bareTool(kept, payload) : kept;
}

function slimValue(value: unknown, depth: number): unknown {
  if (depth > captureLimits.depthMax) return null;
  if (Array.isArray(value)) return slimList(value, depth);
  if (!isRecord(value)) return value;
  const aboutFile = namesFile(value);
  const kept: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) {
    if (fileCopies.has(key)) continue;
    if (editTexts.has(key) && textLength(field) > captureLimits.editTextCharsMax) continue;
    if (aboutFile && key === "content") continue;
    kept[key] = slimValue(field, depth + 1);
  }
  return kept;
}

function slimList(list: readonly unknown[], depth: number): readonly unknown[] {
  const kept: unknown[] = [];
  for (const item of list.slice(0, captureLimits.listMax)) kept.push(slimValue(item, depth + 1));
  return kept;
}

function namesFile(value: Json): boolean {
  for (const field of pathFields) if (field in value) return true;
  return false;
}

const textLength = (value: unknown): number => (typeof value === "string" ? value.length : 0);

const isOversized = (kept: Json): boolean =>
  JSON.stringify([kept["tool_input"], kept["tool_response"], kept["error"]]).length >
  captureLimits.toolJsonCharsMax;

/** Name, paths and outcome; the outcome is the event's name. */
function bareTool(kept: Json, payload: Json): Json {
  const { tool_input: _input, tool_response: _response, error, ...rest } = kept;
  const paths = pathsIn(recordOf(payload["tool_input"]));
  return {
    ...rest,
    ...(error === undefined ? {} : { error: "[too large]" }),
    tool_input: paths,
  };
}

function pathsIn(input: Json): Json {
  const paths: Record<string, string> = {};
  for (const field of pathFields) {
    const path = textField(input, field);
    if (path !== null && path.length <= 4_096) paths[field] = path;
  }
  return paths;
}

/** The files a tool event names, for exclusion and for files whose contents are never kept. */
export function pathsOf(payload: Json): readonly string[] {
  const input = recordOf(payload["tool_input"]);
  const response = recordOf(payload["tool_response"]);
  const places = [input, response, recordOf(response["file"])];
  return [...new Set(places.flatMap((place) => Object.values(pathsIn(place)).map(String)))];
}

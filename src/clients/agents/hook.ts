/**
 * A hook of another agent: its payload in Claude Code's words, and an answer in exactly its form. Loaded only for a
 * hook that names its agent; everything behind it (envelope, gate, daemon) is the same for all.
 */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { type AgentAdapter, type EventName, fitted, resolveEvent } from "#hooks";
import { agentSessionId } from "#domain";
import { parseNow, isRecord, type Json, textField, parseJson, recordOf } from "#kit";
import { type AgentSpec, agentSpecs, cursorSpec, type HookedAgent, hookedAgents } from "./spec.ts";

type Caller = HookedAgent | "cursor";

const specOf = (agent: Caller): AgentSpec => (agent === "cursor" ? cursorSpec : agentSpecs[agent]);

/** The adapter of an agent; null for a name that is none. */
export function hookAdapter(name: string): AgentAdapter | null {
  const agent = name === "cursor" ? name : hookedAgents.find((known) => known === name);
  if (agent === undefined) return null;
  const spec = specOf(agent);
  return {
    read: async (payload, named) => read(agent, payload, named),
    answer: (clientEvent, context, message) =>
      spec.answers.includes(clientEvent) ? answerOf(spec, clientEvent, context, message) : "",
  };
}

type Told = Awaited<ReturnType<AgentAdapter["read"]>>;

async function read(agent: Caller, given: Json, named: string | null): Promise<Told> {
  const spec = specOf(agent);
  const event = eventIn(spec, named, textField(given, "hook_event_name"));
  if (event === null || isNoise(agent, event, given)) return [];
  const payload = inOurWords(agent, event, renamed(spec, given));
  if (payload === null) return [];
  const { transcript_path: transcript, timestamp: _time, ...words } = payload;
  if (event.hook === "submit") {
    const isLost = agent === "gemini" && (await isStartLost(transcript));
    const lost = isLost ? { start_context: "compacted" } : {};
    return [{ event, payload: { ...withPrompt(words), ...lost } }];
  }
  if (event.hook === "tool")
    return toolEvents(spec, words).map((tool) => ({ event, payload: tool }));
  const isAnswered = agent === "copilot" && event.hook === "stop" && !("agent_id" in words);
  const answer = isAnswered ? await lastAnswer(transcript, stampOf(payload)) : null;
  return [
    { event, payload: answer === null ? words : { ...words, last_assistant_message: answer } },
  ];
}

/**
 * The command line names it in the agent's words where it was written for the agent. Where it was written for Claude
 * Code, in ours, the payload names it.
 */
function eventIn(spec: AgentSpec, named: string | null, told: string | null): EventName | null {
  const own = named === null ? null : eventOf(spec, named);
  const clientEvent = own ?? (told === null ? named : eventOf(spec, told));
  return clientEvent === null ? null : resolveEvent(clientEvent, null);
}

/**
 * Gemini CLI tells of a compaction before every step of the model, whether anything is compacted or not; and of a
 * turn that Esc cut off as if it had ended, with words of its own in the answer's place: that turn is closed when the
 * session goes on.
 */
const isNoise = (agent: Caller, { hook }: EventName, payload: Json): boolean =>
  agent === "gemini" &&
  (hook === "compact"
    ? payload["trigger"] === "auto"
    : hook === "stop" && payload["prompt_response"] === "[no response text]");

/** With the session's id as it is kept and what names the event; null for a payload without a session. */
function inOurWords(agent: Caller, { clientEvent }: EventName, payload: Json): Json | null {
  const { startWithPrompt, resumed } = specOf(agent);
  const stampMs = stampOf(payload);
  const isWhole = resumed === "replaces" && payload["source"] === "resume";
  const own = textField(payload, "parent_agent_id") ?? textField(payload, "session_id");
  if (own === null) return null;
  return {
    ...payload,
    ...folderOf(payload),
    session_id: agentSessionId(agent, own),
    hook_event_name: clientEvent,
    event_id: stampMs === null ? undefined : `at:${stampMs}`,
    ...(isWhole ? { source: "startup" } : {}),
    ...(startWithPrompt === null ? {} : { start_context: startWithPrompt }),
  };
}

/** Cursor names the folders of its window, and a working folder with a tool's call only. */
function folderOf(payload: Json): Json {
  const { workspace_roots: roots } = payload;
  const first: unknown = Array.isArray(roots) ? roots[0] : null;
  return textField(payload, "cwd") === null && typeof first === "string" ? { cwd: first } : {};
}

/** Claude Code's name of an event; its own names count too, since an agent may run hooks that were written for it. */
const eventOf = (spec: AgentSpec, name: string): string | null =>
  Object.hasOwn(spec.events, name)
    ? (spec.events[name] ?? null)
    : (Object.values(spec.events).find((known) => known === name) ?? null);

const renamed = (spec: AgentSpec, payload: Json): Json =>
  Object.fromEntries(
    Object.entries(payload).map(([name, value]) => [
      Object.hasOwn(spec.fields, name) ? (spec.fields[name] ?? name) : name,
      value,
    ]),
  );

/** The moment as the agent stamped it: the same in every hook of one event, however the payload writes it. */
function stampOf({ timestamp }: Json): number | null {
  const ms = typeof timestamp === "string" ? parseNow(timestamp) : timestamp;
  return typeof ms === "number" && Number.isFinite(ms) ? ms : null;
}

/** The text that Gemini CLI puts before the words of a headless prompt: the answers of hooks, this program's too. */
const hookContext = /^(?:<hook_context>[\s\S]*?<\/hook_context>\s*)+/;

function withPrompt(payload: Json): Json {
  const { prompt } = payload;
  return typeof prompt === "string"
    ? { ...payload, prompt: prompt.replace(hookContext, "") }
    : payload;
}

const editing: ReadonlySet<string> = new Set(["Edit", "Write"]);

/** One event, or one for each file of a patch. What an edit answers is file contents, so it stays here. */
function toolEvents(spec: AgentSpec, payload: Json): readonly Json[] {
  const theirs = textField(payload, "tool_name") ?? "unknown";
  const tool = toolName(spec, theirs);
  const input = parsedInput(payload["tool_input"]);
  const id = textField(payload, "tool_use_id") ?? textField(payload, "event_id") ?? undefined;
  const { tool_response: response, error: _error, ...rest } = payload;
  const error = errorOf(spec, payload, tool);
  const common: Json = {
    ...rest,
    tool_name: tool,
    ...(id === undefined ? {} : { tool_use_id: id }),
    ...(error === null ? {} : { error }),
  };
  const patch = tool === "Edit" ? patchIn(input) : null;
  if (patch === null)
    return [
      {
        ...common,
        tool_input: isRecord(input) ? input : {},
        ...(editing.has(tool) ? {} : { tool_response: responseText(response) ?? response }),
      },
    ];
  const files = filesOfPatch(patch, textField(payload, "cwd"));
  const editOf = (file: string, at: number): Json => ({
    ...common,
    tool_input: { file_path: file },
    ...(id === undefined ? {} : { tool_use_id: at === 0 ? id : `${id}:${at}` }),
  });
  return files.map(editOf);
}

export function toolName(spec: AgentSpec, theirs: string): string {
  if (Object.hasOwn(spec.tools, theirs)) return spec.tools[theirs] ?? theirs;
  const mcp = spec.mcpTool?.exec(theirs);
  return mcp ? `mcp__${mcp[1]}__${mcp[2]}` : theirs;
}

/** Copilot CLI writes the input of some tools as JSON in a string. */
const parsedInput = (input: unknown): unknown =>
  typeof input === "string" && /^\s*["{]/.test(input) ? (parseJson(input) ?? input) : input;

/** The words of an answer, whatever it is wrapped in. */
function responseText(response: unknown): string | null {
  if (typeof response === "string") return response;
  if (!isRecord(response)) return null;
  for (const name of ["llmContent", "textResultForLlm", "text_result_for_llm"]) {
    const value = response[name];
    if (typeof value === "string") return value;
    if (Array.isArray(value))
      return value.map((part) => (isRecord(part) ? (textField(part, "text") ?? "") : "")).join("");
  }
  return null;
}

/**
 * `errorOf` gives the reason why a call failed: as the agent says it, or because a shell command
 * ended with another status than 0.
 */
function errorOf(spec: AgentSpec, payload: Json, tool: string): string | null {
  const response = payload["tool_response"];
  const told = payload["error"] ?? (isRecord(response) ? response["error"] : null);
  if (typeof told === "string" && told !== "") return told;
  if (isRecord(told)) return textField(told, "message") ?? "failed";
  return tool === "Bash" ? failedCommand(spec, responseText(response) ?? "") : null;
}

function failedCommand({ exitCode }: AgentSpec, text: string): string | null {
  const code = exitCode?.exec(text)?.[1] ?? "0";
  return code === "0" ? null : `exit code ${code}\n${text}`;
}

const encoder = new TextEncoder();
const utf8BytesMax = 4;

function answerOf(spec: AgentSpec, clientEvent: string, given: string, message: string): string {
  const theirs =
    Object.entries(spec.events).find(([, name]) => name === clientEvent)?.[0] ?? clientEvent;
  const context = spec.escapesTags ? withoutTags(given) : given;
  const shown = message === "" || spec.answer !== "wrapped" ? {} : { systemMessage: message };
  const document = fitted(
    context,
    (additionalContext) =>
      JSON.stringify(
        {
          "top-level": { additionalContext },
          "snake-case": { additional_context: additionalContext },
          wrapped: { ...shown, hookSpecificOutput: { hookEventName: theirs, additionalContext } },
        }[spec.answer],
      ),
    // Bytes as characters, of which at least so many are too many; what is still too long is shortened again.
    (text) => Math.floor((encoder.encode(text).length - spec.answerBytesMax) / utf8BytesMax),
  );
  if (document !== "") return document;
  return Object.keys(shown).length === 0 ? "" : JSON.stringify(shown);
}

/** Our own block with brackets for its tags, which an agent that escapes tags would show as entities. */
const withoutTags = (text: string): string =>
  text.replace(/<(\/?continuity-memory\b[^>]*)>/g, "[$1]");

/** Enough for the history that a compaction leaves. */
const tailBytes = 512 * 1_024;

/** The client writes its history anew where it is not what it was. */
const rewritten = '{"$set":{"messages":';
const startText = /\[continuity-memory for=\\+"start\\+"\]/;

/** True when the text was there before the last rewriting, which holds a summary and not the text. Never rejects. */
async function isStartLost(path: unknown): Promise<boolean> {
  if (typeof path !== "string" || !path.endsWith(".jsonl")) return false;
  try {
    const file = Bun.file(path);
    const text = await file.slice(Math.max(0, file.size - tailBytes)).text();
    const at = text.lastIndexOf(rewritten);
    if (at < 0 || !text.includes("<state_snapshot>", at)) return false;
    return startText.test(text.slice(0, at)) && !startText.test(text.slice(at));
  } catch {
    return false; // Not there, or not ours to read.
  }
}

// The answer of a turn of Copilot CLI, whose `agentStop` does not tell it: read from the end of the session's events.

/** Longer turns than this have their answer at the end all the same. */
const answerTailBytes = 256 * 1_024;

/**
 * The client writes its events with a delay, longer on a busy machine, and waits for the hook meanwhile: looked for
 * often at first, then seldom, for a second in all.
 */
const pausesMs = [...Array<number>(12).fill(20), ...Array<number>(8).fill(100)];

/**
 * Null when there is none, or the file cannot be read. The client notes there that it runs this hook: until that line
 * has come, the last answer in the file may be that of the turn before. Never rejects.
 */
async function lastAnswer(path: unknown, stampedMs: unknown): Promise<string | null> {
  if (typeof path !== "string" || !path.endsWith("events.jsonl")) return null;
  const isThisHook = new RegExp(
    `"hookType"\\s*:\\s*"agentStop".{0,4000}"timestamp"\\s*:\\s*${Number(stampedMs)}\\b`,
  );
  try {
    let read = 0;
    for (const pauseMs of pausesMs) {
      const file = Bun.file(path);
      const { size } = file;
      // The first turn's file is written after its hook began; a session without a folder has none to wait for.
      if (size === 0 && !existsSync(dirname(path))) return null;
      // A file that has not grown since does not hold the line either: asking for its size is all that waiting costs.
      if (size !== read) {
        const text = await file.slice(Math.max(0, size - answerTailBytes)).text();
        if (isThisHook.test(text)) return answerIn(text.split("\n"));
        read = size;
      }
      await Bun.sleep(pauseMs);
    }
  } catch {
    // Not there, or not ours to read.
  }
  return null; // The turn is kept without its answer.
}

/** The last words of the main agent behind the last prompt. */
function answerIn(lines: readonly string[]): string | null {
  for (const line of lines.toReversed()) {
    if (!/"type"\s*:\s*"(?:assistant|user)\.message"/.test(line)) continue;
    // The first line of the piece may be cut.
    const event = recordOf(parseJson(line));
    // A subagent's words stand in the same file.
    if (typeof event["agentId"] === "string") continue;
    if (event["type"] === "user.message") return null;
    const content = textField(recordOf(event["data"]), "content");
    if (content !== null && content.trim() !== "") return content;
  }
  return null;
}

// The files that a patch in the form of `apply_patch` touches. Pure.

const fileLine = /^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$/gm;
const filesMax = 50;

/** Paths as the patch writes them, each once, from the working folder where they are relative. */
export function filesOfPatch(patch: string, cwd: string | null): readonly string[] {
  const named = [...patch.matchAll(fileLine)]
    .slice(0, filesMax)
    .map(([, path, moved]) => (path ?? moved ?? "").trim())
    .filter((path) => path !== "");
  const isAbsolute = (path: string): boolean => /^(?:\/|[A-Za-z]:[\\/])/.test(path);
  return [
    ...new Set(named.map((path) => (cwd === null || isAbsolute(path) ? path : `${cwd}/${path}`))),
  ];
}

/** The text of a patch, however an agent hands it over; null when the input holds none. */
export function patchIn(input: unknown): string | null {
  const found =
    typeof input === "string"
      ? input
      : ["command", "patch", "input", "patchText"]
          .map((name) => recordOf(input)[name])
          .find((text) => typeof text === "string");
  return typeof found === "string" && found.includes("*** Begin Patch") ? found : null;
}

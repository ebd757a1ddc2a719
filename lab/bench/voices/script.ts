/** A voice as the client would have lived it: the events of its hooks, and the transcript as it stood at each of them. */
import { sha256 } from "#kit";
import type { Voice, VoiceSession } from "../../train/voice.ts";
import type { Payload } from "../home/subject.ts";

export interface ScriptedEvent {
  readonly atMs: number;
  readonly payload: Payload;
  /** Lines of the transcript that are written by then. */
  readonly lines: number;
  /** The branch that is checked out by then, where that is known. */
  readonly branch?: string | null;
}

export interface Script {
  readonly sessionId: string;
  readonly project: string;
  readonly cwd: string;
  readonly transcriptPath: string;
  readonly transcript: readonly string[];
  readonly events: readonly ScriptedEvent[];
}

/** The durations of acts, ms. */
const beforePrompt = 90_000;
const perTool = 4_000;
const perAnswer = 20_000;
const beforeEnd = 5_000;

/** The same name for the same thing in every run. */
function uuidOf(...parts: readonly (string | number)[]): string {
  const hex = sha256(parts.join("/"));
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

/** `/home/dev/api` → `-home-dev-api`, as the client names the folder of a project's transcripts. */
export const folderName = (cwd: string): string => cwd.replaceAll(/[^A-Za-z0-9]/g, "-");

export function scriptOf(voice: Voice, session: VoiceSession, home: string): Script {
  const name = [voice.name, session.id];
  const sessionId = uuidOf("session", ...name);
  const cwd = `${home}/${session.project}`;
  const transcriptPath = `${home}/.claude/projects/${folderName(cwd)}/${sessionId}.jsonl`;
  const transcript: string[] = [];
  const events: ScriptedEvent[] = [];
  // In what is said and done, and nowhere else: the home of a bench may itself lie below a /home/dev.
  const local = (text: string): string => text.replaceAll("/home/dev", home);
  let atMs = session.startMs;
  let parentUuid: string | null = null;
  const write = (type: "user" | "assistant", message: unknown, more: object = {}): void => {
    const uuid = uuidOf("line", ...name, transcript.length);
    transcript.push(
      JSON.stringify({
        parentUuid,
        isSidechain: false,
        userType: "external",
        cwd,
        sessionId,
        version: "2.1.0",
        gitBranch: "main",
        type,
        message,
        uuid,
        timestamp: new Date(atMs).toISOString(),
        ...more,
      }),
    );
    parentUuid = uuid;
  };
  const send = (event: string, more: object): void => {
    const payload = {
      session_id: sessionId,
      transcript_path: transcriptPath,
      cwd,
      hook_event_name: event,
      ...more,
    };
    events.push({ atMs, payload, lines: transcript.length });
  };
  const spoken = (id: string, content: unknown, stop: string): void =>
    write("assistant", {
      id,
      type: "message",
      role: "assistant",
      model: "claude-sonnet-4-6",
      content: [content],
      stop_reason: stop,
      usage: { input_tokens: 10, output_tokens: 40 },
    });
  send("SessionStart", { source: "startup" });
  for (const [n, turn] of session.turns.entries()) {
    const promptId = uuidOf("prompt", ...name, n);
    const common = { prompt_id: promptId, permission_mode: "default" };
    atMs += beforePrompt;
    // The client's hook comes first; it writes the prompt down afterwards.
    const [prompt, answer] = [local(turn.prompt), local(turn.answer)];
    send("UserPromptSubmit", { ...common, prompt });
    write("user", { role: "user", content: prompt }, { promptId });
    for (const [k, text] of turn.tools.entries()) {
      const used = toolOf(local(text), cwd);
      if (used === null) continue;
      const id = `toolu_${uuidOf("tool", ...name, n, k)
        .replaceAll("-", "")
        .slice(0, 16)}`;
      atMs += perTool;
      const { tool, input, response, failure } = used;
      spoken(`msg_${id}`, { type: "tool_use", id, name: tool, input }, "tool_use");
      const called = { ...common, tool_name: tool, tool_input: input, tool_use_id: id };
      send("PreToolUse", called);
      write(
        "user",
        {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: id,
              content: failure ?? used.printed,
              is_error: failure !== null,
            },
          ],
        },
        { toolUseResult: response },
      );
      if (failure === null)
        send("PostToolUse", { ...called, tool_response: response, duration_ms: 20 });
      else
        send("PostToolUseFailure", {
          ...called,
          error: failure || "failed",
          is_interrupt: false,
          duration_ms: 20,
        });
    }
    atMs += perAnswer;
    spoken(`msg_${promptId}`, { type: "text", text: answer }, "end_turn");
    send("Stop", { ...common, stop_hook_active: false, last_assistant_message: answer });
  }
  atMs += beforeEnd;
  send("SessionEnd", { reason: "prompt_input_exit" });
  return { sessionId, project: session.project, cwd, transcriptPath, transcript, events };
}

interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly response: Readonly<Record<string, unknown>>;
  /** The output that the agent reads. */
  readonly printed: string;
  /** Null = it worked. */
  readonly failure: string | null;
}

/** `TOOL input => output`, or `!!` where it failed; null for a line that names no tool. */
function toolOf(text: string, cwd: string): ToolCall | null {
  const match = /^(\w+)\s+([\s\S]*?)(?:\s(=>|!!)\s?([\s\S]*))?$/u.exec(text);
  if (match === null) return null;
  const [, name = "", given = "", sign, printed = ""] = match;
  const asked = given.trim();
  const hasFailed = sign === "!!";
  const file = asked.startsWith("/") ? asked : `${cwd}/${asked.split(/\s/u)[0] || "README.md"}`;
  const known = shapes[name]?.({ asked, file, printed, hasFailed }) ?? {
    tool: "Task",
    input: { description: asked.slice(0, 60), prompt: asked, subagent_type: "general-purpose" },
    response: { status: "completed", content: [{ type: "text", text: printed }] },
  };
  return { tool: name, ...known, printed, failure: hasFailed ? printed : null };
}

interface Asked {
  readonly asked: string;
  readonly file: string;
  readonly printed: string;
  readonly hasFailed: boolean;
}

type Shape = Pick<ToolCall, "input" | "response"> & { readonly tool?: string };

/** Input and response of each tool, in the client's own fields. */
const shapes: Readonly<Record<string, (asked: Asked) => Shape>> = {
  Bash: ({ asked, printed, hasFailed }) => ({
    input: { command: asked, description: "Run it" },
    response: {
      stdout: hasFailed ? "" : printed,
      stderr: hasFailed ? printed : "",
      interrupted: false,
      isImage: false,
    },
  }),
  Read: ({ file, printed }) => ({
    input: { file_path: file },
    response: { type: "text", file: { filePath: file, content: printed, startLine: 1 } },
  }),
  Edit: ({ file, printed }) => ({
    input: {
      file_path: file,
      old_string: "before",
      new_string: printed || "after",
      replace_all: false,
    },
    response: { filePath: file, oldString: "before", newString: printed || "after" },
  }),
  Write: ({ file, printed }) => ({
    input: { file_path: file, content: printed },
    response: { type: "create", filePath: file, content: printed, structuredPatch: [] },
  }),
  Grep: ({ asked, printed }) => ({
    input: { pattern: asked, output_mode: "content" },
    response: { mode: "content", numFiles: 1, filenames: [], content: printed },
  }),
  WebFetch: ({ asked, printed }) => ({
    input: { url: asked.split(/\s/u)[0] ?? "", prompt: "What does it say?" },
    response: {
      url: asked.split(/\s/u)[0] ?? "",
      code: 200,
      bytes: printed.length,
      result: printed,
    },
  }),
};

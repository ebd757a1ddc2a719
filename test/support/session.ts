/** One session of the client as its hooks see it, with its own dates: each event half a minute after the one before. */
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { contextOf, type HookOptions, type Program } from "./program.ts";

const stepMs = 30_000;

export interface SessionOptions {
  readonly id: string;
  readonly cwd: string;
  /** Time of the first event, epoch ms. */
  readonly startMs: number;
  readonly env?: HookOptions["env"];
}

export type Source = "startup" | "resume" | "clear" | "compact" | "fork";

export interface ClientSession {
  readonly id: string;
  readonly transcript: string;
  /** Time of the last event, epoch ms. */
  readonly nowMs: () => number;
  /** Lets time pass before the next event. */
  readonly wait: (ms: number) => void;
  /** The context that is injected. */
  readonly start: (source?: Source) => Promise<string>;
  readonly submit: (prompt: string) => Promise<string>;
  readonly tool: (
    name: string,
    input: Readonly<Record<string, unknown>>,
    response: unknown,
  ) => Promise<void>;
  readonly stop: (answer: string) => Promise<void>;
  /** The user presses Esc: no hook fires, the transcript alone tells. */
  readonly interrupt: (saidSoFar: string) => void;
  readonly subagent: (type: string, answer: string) => Promise<void>;
  /** All that the client fires around a compaction; the context that comes back. */
  readonly compact: (summary: string) => Promise<string>;
  readonly end: (reason?: string) => Promise<void>;
  /**
   * A prompt whose context matters. On a loaded machine the daemon may miss a hook's deadline, and the prompt is given
   * nothing; then it is sent again, as a user would.
   */
  readonly ask: (prompt: string) => Promise<string>;
  /** A prompt and its answer, nothing between; the context of the prompt. */
  readonly turn: (prompt: string, answer: string) => Promise<string>;
}

const attemptsMax = 5;
const missedDeadlines = (program: Program): number =>
  program.log().split("hook.daemon-unusable").length;

/** Starts nothing by itself: `start` is the first event. */
export function openSession(program: Program, options: SessionOptions): ClientSession {
  const { id, cwd, env } = options;
  const transcript = join(program.folder, ".claude", "projects", "-p", `${id}.jsonl`);
  mkdirSync(dirname(transcript), { recursive: true });
  let nowMs = options.startMs - stepMs;
  let turns = 0;
  let calls = 0;
  const promptId = (): string => `${id}-p${turns}`;
  const send = async (
    name: Parameters<Program["hook"]>[0],
    payload: Readonly<Record<string, unknown>>,
  ): Promise<string> => {
    nowMs += stepMs;
    const common = { session_id: id, transcript_path: transcript, cwd };
    const given = { atMs: nowMs, cwd, ...(env === undefined ? {} : { env }) };
    return contextOf(await program.hook(name, { ...common, ...payload }, given));
  };
  const write = (line: Readonly<Record<string, unknown>>): void =>
    appendFileSync(
      transcript,
      `${JSON.stringify({ sessionId: id, timestamp: new Date(nowMs).toISOString(), cwd, ...line })}\n`,
    );
  const say = (text: string): void =>
    write({
      type: "assistant",
      uuid: `${promptId()}-a`,
      parentUuid: promptId(),
      message: { id: `m-${promptId()}`, role: "assistant", content: [{ type: "text", text }] },
    });
  const silently = async (sent: Promise<string>): Promise<void> => {
    if ((await sent) !== "") throw new Error("a hook answered that may not");
  };
  const session: ClientSession = {
    id,
    transcript,
    nowMs: () => nowMs,
    wait: (ms) => {
      nowMs += ms;
    },
    start: async (source = "startup") =>
      send("start", {
        hook_event_name: "SessionStart",
        source,
        ...(turns === 0 ? {} : { prompt_id: promptId() }),
      }),
    submit: async (prompt) => {
      turns += 1;
      const prompt_id = promptId();
      const context = await send("submit", {
        hook_event_name: "UserPromptSubmit",
        prompt,
        prompt_id,
      });
      const message = { role: "user", content: prompt };
      write({ type: "user", uuid: prompt_id, parentUuid: null, promptId: prompt_id, message });
      return context;
    },
    tool: async (tool_name, tool_input, tool_response) => {
      calls += 1;
      const tool_use_id = `${id}-t${calls}`;
      const event = { hook_event_name: "PostToolUse", prompt_id: promptId() };
      await silently(send("tool", { ...event, tool_name, tool_use_id, tool_input, tool_response }));
    },
    stop: async (last_assistant_message) => {
      say(last_assistant_message);
      await silently(
        send("stop", {
          hook_event_name: "Stop",
          prompt_id: promptId(),
          stop_hook_active: false,
          last_assistant_message,
        }),
      );
    },
    interrupt: (saidSoFar) => {
      say(saidSoFar);
      const content = [{ type: "text", text: "[Request interrupted by user]" }];
      write({ type: "user", uuid: `${promptId()}-i`, message: { role: "user", content } });
    },
    subagent: async (agent_type, last_assistant_message) =>
      silently(
        send("subagent", {
          hook_event_name: "SubagentStop",
          prompt_id: promptId(),
          agent_id: `agent-${turns}`,
          agent_type,
          stop_hook_active: false,
          last_assistant_message,
        }),
      ),
    compact: async (summary) => {
      const event = { prompt_id: promptId(), trigger: "manual" };
      await silently(send("compact", { ...event, hook_event_name: "PreCompact" }));
      await session.subagent("", summary);
      const context = await session.start("compact");
      const told = { ...event, hook_event_name: "PostCompact", compact_summary: summary };
      await silently(send("compact", told));
      return context;
    },
    end: async (reason = "other") =>
      silently(send("end", { hook_event_name: "SessionEnd", reason })),
    ask: async (prompt) => {
      for (let attempt = 1; ; attempt += 1) {
        const missed = missedDeadlines(program);
        const context = await session.submit(prompt);
        if (missedDeadlines(program) === missed || attempt === attemptsMax) return context;
        await session.stop("");
      }
    },
    turn: async (prompt, answer) => {
      const context = await session.submit(prompt);
      await session.stop(answer);
      return context;
    },
  };
  return session;
}

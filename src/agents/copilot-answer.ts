/**
 * The answer of a turn of Copilot CLI, whose `agentStop` does not tell it: read from the end of the session's events.
 */
import { existsSync } from "node:fs";
import { dirname } from "node:path";

/** Longer turns than this have their answer at the end all the same. */
const tailBytes = 256 * 1_024;

type Json = Readonly<Record<string, unknown>>;

/**
 * The client writes its events with a delay, longer on a busy machine, and waits for the hook meanwhile: looked for
 * often at first, then seldom, for a second in all.
 */
const pausesMs = [...Array<number>(12).fill(20), ...Array<number>(8).fill(100)];

/**
 * Null when there is none, or the file cannot be read. The client notes there that it runs this hook: until that line
 * has come, the last answer in the file may be that of the turn before. Never rejects.
 */
export async function lastAnswer(path: unknown, stampedMs: unknown): Promise<string | null> {
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
      // What has not grown since has not got the line either: asking for its size is all that waiting costs.
      if (size !== read) {
        const text = await file.slice(Math.max(0, size - tailBytes)).text();
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
    const event = parsed(line);
    // A subagent's words stand in the same file.
    if (event === null || typeof event["agentId"] === "string") continue;
    if (event["type"] === "user.message") return null;
    const data = event["data"] as Json | null | undefined;
    const content = data?.["content"];
    if (typeof content === "string" && content.trim() !== "") return content;
  }
  return null;
}

function parsed(line: string): Json | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Json) : null;
  } catch {
    return null; // The first line of the piece may be cut.
  }
}

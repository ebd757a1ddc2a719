/**
 * Whether a compaction took the start text out of a session of Gemini CLI, which tells of no automatic one: read from
 * the end of the session's file.
 */

/** Enough for the history that a compaction leaves. */
const tailBytes = 512 * 1_024;

/** The client writes its history anew where it is not what it was. */
const rewritten = '{"$set":{"messages":';
const startText = /\[continuity-memory for=\\+"start\\+"\]/;

/** True when the text was there before the last rewriting, which holds a summary and not the text. Never rejects. */
export async function isStartLost(path: unknown): Promise<boolean> {
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

/** Takes what is forgotten out of the archive of transcripts. Works on files alone; runs in a process of its own. */
import type { HomePaths } from "#domain";
import { createForgottenTextMatcher } from "#store";
import { createKeeper } from "#claude-code";
import { forgottenMark, linesOf, listArchive, rewrite } from "./archive.ts";

/**
 * Takes texts out of every archived transcript, however they are written there. A turn whose prompt says one goes as a
 * whole, as it does in the store. A damaged file keeps what can be read of it: the rest might say it. Returns how many
 * files changed; throws the first failure after all were tried.
 */
export async function scrubArchive(paths: HomePaths, texts: readonly string[]): Promise<number> {
  const { isIn } = createForgottenTextMatcher(texts, []);
  const scrub = (text: string): string => {
    if (!isIn(text)) return text;
    const rest = texts.reduce((left, one) => left.replaceAll(one, forgottenMark), text);
    return isIn(rest) ? forgottenMark : rest;
  };
  let changed = 0;
  let failure: unknown = null;
  for (const { path, atMs } of listArchive(paths)) {
    const keep = createKeeper({
      prompt: (text) => (isIn(text) ? null : text),
      said: scrub,
      tool: scrub,
      isMute: () => false,
    });
    try {
      const { hit, isDamaged } = await lookedThrough(path, isIn);
      if (!hit && !isDamaged) continue;
      await rewrite(readableLines(path), path, { writtenMs: atMs, keep });
      changed += 1;
    } catch (error) {
      failure ??= error; // The others are looked through all the same.
    }
  }
  if (failure !== null) throw failure;
  return changed;
}

/** Whether a line says it; what is behind damage cannot be known. */
async function lookedThrough(
  path: string,
  isIn: (text: string) => boolean,
): Promise<{ readonly hit: boolean; readonly isDamaged: boolean }> {
  let hit = false;
  try {
    for await (const line of linesOf(path)) hit ||= isIn(line);
    return { hit, isDamaged: false };
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { hit, isDamaged: true };
  }
}

/** The lines up to where the file is damaged. */
async function* readableLines(path: string): AsyncIterable<string> {
  try {
    yield* linesOf(path);
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}

/** What zlib says of bytes; a disk that cannot be read now may be well tomorrow. */
const isDamage = (error: unknown): boolean =>
  error instanceof Error && "code" in error && /^(?:Z_|ERR_ZLIB)/.test(String(error.code));

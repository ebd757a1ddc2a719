/** One archived transcript as a file again: whole or not at all, and never over another file. */
import { closeSync, existsSync, linkSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { err, ok, type Result } from "#kit";
import { linesOf } from "./archive.ts";
import type { KeepError } from "./deps.ts";

/**
 * Unpacks `source` beside `target`, then gives it its name. A damaged archive or a full disk leaves nothing behind, so
 * that the client never finds half a session. Resolves to `target`. Throws when the archive cannot be read.
 */
export async function writeTranscript(
  source: string,
  target: string,
): Promise<Result<string, KeepError>> {
  if (existsSync(target)) return err(occupied(target));
  const part = `${target}.${process.pid}.part`;
  const opened = openPart(part);
  if (!opened.ok) return opened;
  try {
    for await (const line of linesOf(source)) {
      const failure = attempt(() => writeSync(opened.value, `${line}\n`));
      if (failure !== null) return err(unwritable(target, failure));
    }
    // A second name and not a new one: it fails where a file appeared meanwhile.
    const failure = attempt(() => linkSync(part, target));
    if (failure === null) return ok(target);
    return err(existsSync(target) ? occupied(target) : unwritable(target, failure));
  } finally {
    closeSync(opened.value);
    rmSync(part, { force: true });
  }
}

function openPart(part: string): Result<number, KeepError> {
  let file = -1;
  const failure = attempt(() => {
    mkdirSync(dirname(part), { recursive: true, mode: 0o700 });
    file = openSync(part, "wx", 0o600);
  });
  return failure === null ? ok(file) : err(unwritable(dirname(part), failure));
}

/** Null when it worked, else why not. */
function attempt(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : "unknown";
  }
}

const occupied = (target: string): KeepError => ({
  type: "archive.occupied",
  message: `${target} already exists and was left unchanged`,
  next: "name another file with --to, or - for standard output",
});

const unwritable = (path: string, why: string): KeepError => ({
  type: "archive.unwritable",
  message: `${path} cannot be written: ${why}`,
  next: "name another file with --to, or - for standard output",
});

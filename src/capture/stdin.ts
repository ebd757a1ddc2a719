/**
 * The hook's standard input and output. Goes past `process.stdin` and `process.stdout`: building those streams costs
 * twice an empty program's start (measured).
 */
import { fstatSync, writeSync } from "node:fs";

/** All of stdin as text; rejects when it has not ended after `deadlineMs`. */
export async function readStdin(deadlineMs: number): Promise<string> {
  return Promise.race([
    Bun.stdin.text(),
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error("stdin does not end")), deadlineMs).unref();
    }),
  ]);
}

/** True when a person sits at the other end of stdin. A closed stdin is nobody. */
export async function stdinIsTerminal(): Promise<boolean> {
  try {
    if (!fstatSync(0).isCharacterDevice()) return false;
  } catch {
    return false;
  }
  // /dev/null is a character device too; only then is the module worth its load.
  const { isatty } = await import("node:tty");
  return isatty(0);
}

/** Writes to a file descriptor; a reader that is gone is no error of ours. */
export function writeText(descriptor: 1 | 2, text: string): void {
  try {
    writeSync(descriptor, text);
  } catch {
    // EPIPE or EAGAIN: nobody reads, and a hook never fails.
  }
}

/** The real terminal, as the command line sees it. */
import { fstatSync, writeSync } from "node:fs";
import { OutputFailure } from "./failure.ts";
import { type CliDeps } from "./deps.ts";

type Env = Readonly<Record<string, string | undefined>>;

const stdin = 0;
const stdout = 1;
const stderr = 2;

export function terminal(env: Env): CliDeps["io"] {
  const interrupt = watchInterrupt();
  return {
    out: (text) => writeAll(stdout, text),
    err: (text) => {
      try {
        writeAll(stderr, text);
      } catch {
        // Nobody is left who could be told.
      }
    },
    readInput: () => Bun.stdin.text(),
    isTerminal: isTerminal(stdout),
    columns: columnsOf(env),
    get ask() {
      return isTerminal(stdin) ? ask : null;
    },
    sleep: (ms) => {
      interrupt.watch();
      return Bun.sleep(ms);
    },
    isInterrupted: interrupt.isInterrupted,
  };
}

/** Node's terminal module takes almost as long to load as an empty program to run: only a device is asked about. */
function isTerminal(descriptor: number): boolean {
  try {
    if (!fstatSync(descriptor).isCharacterDevice()) return false;
  } catch {
    return false; // Closed.
  }
  return process.getBuiltinModule("node:tty").isatty(descriptor);
}

/** Width of the terminal, or COLUMNS when output goes elsewhere; null = neither is known. */
function columnsOf(env: Env): number | null {
  if (isTerminal(stdout)) return process.stdout.columns;
  const columns = Number(env["COLUMNS"]);
  return Number.isInteger(columns) && columns > 0 ? columns : null;
}

/** A full pipe that does not block is tried again after this. */
const pipeFullMs = 2;

/**
 * Writes all of a text before it returns. `process.stdout` keeps what a slow reader has not taken yet, and what it
 * keeps is lost when the process ends (tried: 128 of 2,501 lines arrived). Throws `OutputFailure`.
 */
function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== "EAGAIN") throw new OutputFailure(message, code === "EPIPE");
      Bun.sleepSync(pipeFullMs);
    }
  }
}

/** Only who follows something catches Ctrl-C; it ends everything else at once, as usual, and so does a second one. */
function watchInterrupt() {
  let isWatching = false;
  let isInterrupted = false;
  return {
    watch: (): void => {
      if (isWatching) return;
      isWatching = true;
      process.once("SIGINT", () => {
        isInterrupted = true;
      });
    },
    isInterrupted: (): boolean => isInterrupted,
  };
}

/** The answer; empty at Ctrl-D, null at Ctrl-C: both end the question, not the program. */
async function ask(question: string): Promise<string | null> {
  // Few commands ask, and it takes a millisecond to load.
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  let isStopped = false;
  lines.once("SIGINT", () => {
    isStopped = true;
    lines.close();
  });
  const left = new Promise<null>((resolve) => {
    lines.once("close", () => resolve(null));
  });
  // Closing rejects the question.
  const answer = await Promise.race([lines.question(question), left]).catch(() => null);
  lines.close();
  if (answer === null) writeAll(stderr, "\n");
  return isStopped ? null : (answer ?? "");
}

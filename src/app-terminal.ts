/** The real terminal, as the command line sees it. */
import { createInterface } from "node:readline/promises";
import type { CliDeps } from "#cli";

export function terminal(): CliDeps["io"] {
  let interrupted = false;
  process.once("SIGINT", () => {
    interrupted = true;
    // A second Ctrl-C ends the process as usual.
  });
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    readInput: () => Bun.stdin.text(),
    isTerminal: process.stdout.isTTY,
    columns: process.stdout.isTTY ? process.stdout.columns : null,
    ask: process.stdin.isTTY ? ask : null,
    sleep: (ms) => Bun.sleep(ms),
    isInterrupted: () => interrupted,
  };
}

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

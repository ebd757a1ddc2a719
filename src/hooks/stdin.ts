/**
 * The hook's standard input and output. Goes past `process.stdin`, `process.stdout` and node:tty: each of them costs as
 * much as an empty program's start, or twice that (measured).
 */

export type Input =
  | { readonly type: "text"; readonly text: string }
  /** A person sits at the other end. */
  | { readonly type: "terminal" }
  /** The caller keeps it open. */
  | { readonly type: "endless" };

/** The client writes at once. Only who has not ended by then is asked whether it is a person. */
const promptlyMs = 60;

/** All of stdin. A closed stdin is empty. Never rejects. */
export async function readStdin(deadlineMs: number): Promise<Input> {
  const input = Bun.stdin.text().then(
    (text): Input => ({ type: "text", text }),
    (): Input => ({ type: "text", text: "" }),
  );
  const early = await Promise.race([input, after(promptlyMs)]);
  if (early !== "late") return early;
  if (await isTerminal()) return { type: "terminal" };
  const late = await Promise.race([input, after(deadlineMs - promptlyMs)]);
  return late === "late" ? { type: "endless" } : late;
}

const after = (ms: number): Promise<"late"> =>
  new Promise((resolve) => {
    setTimeout(() => resolve("late"), ms);
  });

async function isTerminal(): Promise<boolean> {
  const { isatty } = await import("node:tty");
  return isatty(0);
}

/** Writes to stdout or stderr, completely. False when no reader is left, which is no error of ours. */
export async function writeText(stream: "stdout" | "stderr", text: string): Promise<boolean> {
  try {
    const writer = Bun[stream].writer();
    await writer.write(text);
    await writer.flush();
    return true;
  } catch {
    return false;
  }
}

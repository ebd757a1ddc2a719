/**
 * A stand-in for the `claude` program: a shell script that notes how it was called and does what it was told. For
 * what the real one cannot be made to do (hang, die, print half an answer); the real one has a test of its own.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface FakeClaude {
  readonly program: string;
  /** One per call: arguments, environment, working folder with what lay in it, and input. */
  readonly calls: () => readonly ClaudeCall[];
  /** Process ids of everything that it started and that should be gone after a call. */
  readonly pids: () => readonly number[];
}

export interface ClaudeCall {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly inFolder: string;
  readonly input: string;
}

/** The script of one call: shell commands with `$dir` as the script's folder. */
export type ClaudeScript = string;

/** A result as the real client prints it. */
export const claudeResult = (fields: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({
    type: "result",
    subtype: "success",
    is_error: false,
    num_turns: 2,
    stop_reason: "tool_use",
    total_cost_usd: 0.0002,
    usage: { input_tokens: 100, output_tokens: 20 },
    modelUsage: {
      "claude-haiku-4-5-20251001": {
        inputTokens: 90,
        outputTokens: 20,
        cacheReadInputTokens: 4,
        cacheCreationInputTokens: 6,
        costUSD: 0.0002,
      },
    },
    terminal_reason: "completed",
    api_error_status: null,
    ...fields,
  });

export const claudeError = (status: number | null, result: string): string =>
  claudeResult({
    is_error: true,
    modelUsage: {},
    total_cost_usd: 0,
    api_error_status: status,
    terminal_reason: "api_error",
    result,
  });

/** Makes the program in `folder`; the n-th call does the n-th script, later calls the last one. */
export function makeFakeClaude(folder: string, scripts: readonly ClaudeScript[]): FakeClaude {
  mkdirSync(folder, { recursive: true });
  const program = join(folder, "claude");
  scripts.forEach((script, index) => writeFileSync(join(folder, `script-${index + 1}`), script));
  writeFileSync(
    program,
    `#!/bin/sh
dir='${folder}'
n=$(($(cat "$dir/count" 2>/dev/null || echo 0) + 1))
echo $n > "$dir/count"
printf '%s\\0' "$@" > "$dir/args-$n"
env -0 > "$dir/env-$n"
pwd > "$dir/cwd-$n"
ls -A > "$dir/in-$n"
cat > "$dir/input-$n"
last=${scripts.length}
. "$dir/script-$((n < last ? n : last))"
`,
  );
  chmodSync(program, 0o755);
  const read = (name: string): string => {
    const file = join(folder, name);
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  };
  const nulSeparated = (text: string): readonly string[] => text.split("\0").slice(0, -1);
  return {
    program,
    calls: () =>
      Array.from({ length: Number(read("count") || 0) }, (_, index) => index + 1).map((n) => ({
        args: nulSeparated(read(`args-${n}`)),
        env: Object.fromEntries(
          nulSeparated(read(`env-${n}`)).map((entry) => [
            entry.slice(0, entry.indexOf("=")),
            entry.slice(entry.indexOf("=") + 1),
          ]),
        ),
        cwd: read(`cwd-${n}`).trim(),
        inFolder: read(`in-${n}`),
        input: read(`input-${n}`),
      })),
    pids: () =>
      read("pids")
        .split("\n")
        .filter((line) => line !== "")
        .map(Number),
  };
}

/** Prints a text, exactly. */
export const printing = (text: string, status = 0): ClaudeScript =>
  `cat <<'END_OF_TEXT'\n${text}\nEND_OF_TEXT\nexit ${status}\n`;

export const printingError = (text: string, status: number): ClaudeScript =>
  `cat >&2 <<'END_OF_TEXT'\n${text}\nEND_OF_TEXT\nexit ${status}\n`;

/** Starts a child in a group of its own and an orphan, and waits for ever. */
export const hanging: ClaudeScript = `
setsid sleep 300 & echo $! >> "$dir/pids"
(setsid sleep 301 & echo $! >> "$dir/pids")
echo $$ >> "$dir/pids"
sleep 302 & echo $! >> "$dir/pids"
wait
`;

/** `isAlive` tells whether a process exists and is more than a zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "utf8") : "";
  return stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3) !== "Z";
}

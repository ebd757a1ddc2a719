/**
 * Does beside the daemon what the viewer asks for: look after its installation, and bring in what
 * other programs recorded. Each is the command itself in a process of its own, so that it does what
 * it does in a terminal.
 */
import type { ImportStateJson } from "#api";
import { daemonEnvironment } from "#hooks";
import { msPerMinute, parseJson, recordOf } from "#kit";
import type { Errands } from "#api/server";
import type { Context } from "#domain";

/** Gigabytes of transcripts take some minutes. */
const importMsMax = 120 * msPerMinute;
const doctorMsMax = msPerMinute;
const messageCharsMax = 500;

const idle: ImportStateJson = { state: "none", from: null, read: 0, created: 0, message: "" };

/** Undefined where the program does not know how to start itself. */
export function createErrands({ command, env, paths }: Context): Errands | undefined {
  if (command === undefined) return undefined;
  const run = async (words: readonly string[], timeout: number) => {
    const child = Bun.spawn([...command, ...words], {
      cwd: paths.root,
      env: daemonEnvironment(env, paths.root),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      timeout,
    });
    const [out, fault] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    return { status: await child.exited, out, fault };
  };
  let state = idle;
  const bring = async (from: string): Promise<void> => {
    try {
      const { status, out, fault } = await run(["import", "--from", from, "--json"], importMsMax);
      const { read, created } = recordOf(parseJson(out));
      state = {
        state: status === 0 ? "done" : "failed",
        from,
        read: countIn(read),
        created: countIn(created),
        message: fault
          .trim()
          .replace(/^error: /, "")
          .slice(0, messageCharsMax),
      };
    } catch (error) {
      // The program could not be started at all.
      state = { ...idle, from, state: "failed", message: String(error).slice(0, messageCharsMax) };
    }
  };
  return {
    doctor: async () =>
      parseJson((await run(["doctor", "--json", "--no-self-test"], doctorMsMax)).out) ?? null,
    startImport: (from) => {
      if (state.state !== "running") {
        state = { ...idle, from, state: "running" };
        void bring(from);
      }
      return state;
    },
    importState: () => state,
  };
}

const countIn = (value: unknown): number => (typeof value === "number" ? value : 0);

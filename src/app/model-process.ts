/**
 * The process that an installed model runs in: started with the first text, ended when nobody has asked for a while, so
 * that a daemon at rest holds no weights. It speaks lines of JSON, and ends with whoever started it.
 */
import { constants, setPriority } from "node:os";
import { daemonEnvironment } from "#capture";
import type { HomePaths } from "#domain";
import type { EmbedPost } from "#embed";
import { backgroundWord } from "#keep";
import { err, msPerMinute, msPerSecond, ok, type Result } from "#kit";
import { linesOf } from "#mcp/opening";

interface ModelProcessDeps {
  /** $CONTINUITY_HOME. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly command: readonly string[];
}

type Answered = Awaited<ReturnType<EmbedPost>>;

/** As the task after `backgroundWord`; the model's name follows. */
const task = "embed";
const quietMs = 5 * msPerMinute;
/** A batch of long texts on a slow machine; questions have their own, shorter limit. */
const documentsMsMax = 10 * msPerMinute;
const reasonCharsMax = 300;

interface Running {
  readonly send: (line: string) => void;
  readonly end: () => void;
}

/** Nothing is started before the first text. `end` lets go of the process; the next text starts another. */
export function createModelProcess(
  deps: ModelProcessDeps,
  name: string,
): { readonly post: EmbedPost; readonly end: () => void } {
  const questions = createQuestions();
  let running: Running | null = null;
  let quiet: Timer | null = null;
  const end = (): void => {
    if (quiet !== null) clearTimeout(quiet);
    quiet = null;
    running?.end();
    running = null;
    questions.failAll("the model's process was ended");
  };
  const rest = (): void => {
    if (quiet !== null) clearTimeout(quiet);
    quiet = setTimeout(() => (questions.isEmpty() ? end() : rest()), quietMs);
    quiet.unref();
  };
  const start = (): Running => {
    const started = startProcess(deps, name, {
      onLine: questions.settle,
      onEnd: (reason) => {
        if (running !== started) return;
        running = null;
        questions.failAll(reason);
      },
    });
    return started;
  };
  return {
    end,
    post: async (_path, body, timeoutMs) => {
      const { kind } = body as { readonly kind: "query" | "document" };
      const { id, answer } = questions.add(kind === "query" ? timeoutMs : documentsMsMax);
      running ??= start();
      running.send(`${JSON.stringify({ ...(body as object), id })}\n`);
      rest();
      return answer;
    },
  };
}

/** What waits for an answer, each at most as long as it says. */
function createQuestions() {
  const waiting = new Map<number, (answer: Answered) => void>();
  const fail = (reason: string): Answered => err({ reason, retryAfterMs: null });
  let lastId = 0;
  return {
    isEmpty: () => waiting.size === 0,
    add: (limitMs: number) => {
      lastId += 1;
      const id = lastId;
      const { promise, resolve } = Promise.withResolvers<Answered>();
      const late = setTimeout(() => {
        waiting.delete(id);
        resolve(fail(`the model took longer than ${limitMs / msPerSecond} s`));
      }, limitMs);
      late.unref();
      waiting.set(id, (answer) => {
        clearTimeout(late);
        resolve(answer);
      });
      return { id, answer: promise };
    },
    settle: (line: string): void => {
      const told = JSON.parse(line) as { readonly id: number; readonly error?: string };
      waiting.get(told.id)?.(told.error === undefined ? ok(told) : fail(told.error));
      waiting.delete(told.id);
    },
    failAll: (reason: string): void => {
      for (const settle of waiting.values()) settle(fail(reason));
      waiting.clear();
    },
  };
}

function startProcess(
  { home, env, command }: ModelProcessDeps,
  name: string,
  told: { readonly onLine: (line: string) => void; readonly onEnd: (reason: string) => void },
): Running {
  const child = Bun.spawn([...command, backgroundWord, task, name], {
    cwd: home,
    env: daemonEnvironment(env, home),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  const listen = async (): Promise<void> => {
    const fault = new Response(child.stderr).text();
    for await (const line of linesOf(child.stdout)) if (line !== null) told.onLine(line);
    const status = await child.exited;
    const said = (await fault).trim().slice(0, reasonCharsMax);
    told.onEnd(said || `the model's process ended with status ${status}`);
  };
  void listen();
  return {
    send: (line) => {
      void child.stdin.write(line);
      void child.stdin.flush();
    },
    end: () => child.kill(),
  };
}

/** What the process does, until its input ends. Resolves to the exit status. */
export async function runModelProcess(paths: HomePaths, name: string): Promise<number> {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const { folderOf, installedModel, openTransformer, serveTransformer } =
    await import("#embed/transformer");
  const open = (): ReturnType<typeof openTransformer> => {
    const model = installedModel(paths.models, name);
    const folder = folderOf(paths.models, name);
    if (model === null || folder === null) return err(`${name} is not installed`);
    const opened = openTransformer(folder, model);
    return opened.ok ? opened : damaged(opened.error, name);
  };
  const lines = async function* (): AsyncGenerator<string> {
    for await (const line of linesOf(Bun.stdin.stream())) if (line !== null) yield line;
  };
  await serveTransformer(lines(), (line) => process.stdout.write(line), open);
  return 0;
}

const damaged = (reason: string, name: string): Result<never, string> =>
  err(`${reason}; run \`continuity embedder install ${name}\` again`);

/**
 * Eight processes that write at once: hooks, the command line, MCP servers and HTTP clients against one daemon, which is
 * killed once on the way. Whatever was acknowledged must be there once. Linux only.
 */
import { existsSync, readFileSync } from "node:fs";
import { eventually, kill, openProgram, type Program } from "../../test/support/program.ts";

export interface WritersReport {
  /** Acknowledged writes by the way they took. */
  readonly written: Readonly<Record<Way, number>>;
  /** Answered with an error, as while the daemon was away: nothing is promised of these. */
  readonly refused: number;
  readonly faults: readonly string[];
}

const ways = ["hook", "command", "mcp", "http"] as const;
type Way = (typeof ways)[number];

/** Writes one line; false when it was refused. */
type Writer = (line: string) => Promise<boolean>;

/** Runs two writers of each kind for some seconds, with a kill -9 in the middle. */
export async function loadWriters(seconds: number): Promise<WritersReport> {
  await using program = openProgram();
  await program.up();
  const written: Record<Way, number> = { hook: 0, command: 0, mcp: 0, http: 0 };
  const lines: string[] = [];
  const prompts: string[] = [];
  let refused = 0;
  const endMs = performance.now() + seconds * 1_000;
  const one = async (way: Way, number: number): Promise<void> => {
    const cwd = program.project(`${way}-${number}`);
    const writer = await writers[way](program, cwd);
    for (let n = 0; performance.now() < endMs; n += 1) {
      const line = `The ${way}${number} relay ${n} listens on port ${10_000 + n}`;
      if (!(await writer.write(line).catch(() => false))) refused += 1;
      else {
        written[way] += 1;
        (way === "hook" ? prompts : lines).push(line);
      }
    }
    await writer.end();
  };
  const killing = (async () => {
    await Bun.sleep(seconds * 500);
    program.daemons().forEach(kill);
  })();
  await Promise.all([killing, ...ways.flatMap((way) => [1, 2].map((number) => one(way, number)))]);
  await program.flush();
  using db = program.database();
  const times = (sql: string): ReadonlyMap<string, number> =>
    new Map(db.query<[string, number], []>(sql).values() as [string, number][]);
  const faults: string[] = [];
  const look = (found: ReadonlyMap<string, number>, all: readonly string[]): void => {
    const wrong = all.filter((line) => found.get(line) !== 1);
    if (wrong.length > 0)
      faults.push(
        `${wrong.length} not there once, such as "${wrong[0]}" (${found.get(wrong[0] ?? "") ?? 0})`,
      );
  };
  look(
    times("SELECT l0_abstract, count(*) FROM mem_revisions WHERE action = 'create' GROUP BY 1"),
    lines,
  );
  look(times("SELECT prompt, count(*) FROM turns GROUP BY 1"), prompts);
  const whole = db.query<{ readonly integrity_check: string }, []>("PRAGMA integrity_check").get();
  if (whole?.integrity_check !== "ok") faults.push(`integrity: ${whole?.integrity_check}`);
  return { written, refused, faults };
}

interface Opened {
  readonly write: Writer;
  readonly end: () => Promise<unknown>;
}

const nothing = (): Promise<void> => Promise.resolve();

const writers: Readonly<Record<Way, (program: Program, cwd: string) => Promise<Opened>>> = {
  hook: async (program, cwd) => ({
    write: async (line) => {
      const prompt_id = crypto.randomUUID();
      const session_id = `s-${cwd}`;
      const payload = {
        session_id,
        cwd,
        hook_event_name: "UserPromptSubmit",
        prompt: line,
        prompt_id,
      };
      await program.hook("submit", payload);
      return true;
    },
    end: nothing,
  }),
  command: async (program, cwd) => ({
    write: async (line) => (await program.run(["remember", line], { cwd })).status === 0,
    end: nothing,
  }),
  http: async (program) => ({
    write: async (line) => {
      await eventually("a daemon", () => existsSync(program.paths.daemonJson));
      const record = JSON.parse(readFileSync(program.paths.daemonJson, "utf8")) as { port: number };
      const token = readFileSync(program.paths.token, "utf8").trim();
      const answer = await fetch(`http://127.0.0.1:${record.port}/api/memories`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ text: line }),
      });
      return answer.ok;
    },
    end: nothing,
  }),
  mcp: (program, cwd) => openMcp(program, cwd),
};

/** An MCP server of its own, asked line by line. */
async function openMcp(program: Program, cwd: string): Promise<Opened> {
  const binary = process.env["CONTINUITY_BINARY"] ?? `${import.meta.dir}/../../dist/continuity`;
  const child = Bun.spawn([binary, "mcp"], {
    cwd,
    env: program.env,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
  });
  const waiting = new Map<number, (answer: unknown) => void>();
  void (async () => {
    let rest = "";
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      rest += decoder.decode(chunk, { stream: true });
      const whole = rest.split("\n");
      rest = whole.pop() ?? "";
      for (const line of whole.filter((text) => text !== "")) {
        const answer = JSON.parse(line) as { readonly id: number };
        waiting.get(answer.id)?.(answer);
      }
    }
  })();
  let id = 0;
  const ask = async (method: string, params: unknown): Promise<unknown> => {
    id += 1;
    const answer = new Promise((resolve) => waiting.set(id, resolve));
    void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return answer;
  };
  const client = { name: "load", version: "1" };
  await ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: client });
  void child.stdin.write(
    `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`,
  );
  return {
    write: async (line) => {
      const given = { name: "memory_remember", arguments: { line } };
      const answer = (await ask("tools/call", given)) as {
        readonly result?: { readonly isError?: boolean };
      };
      return answer.result !== undefined && answer.result.isError !== true;
    },
    end: async () => {
      void child.stdin.end();
      await child.exited;
    },
  };
}

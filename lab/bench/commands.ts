/**
 * Measures the cost of commands: processor time (user and system) of whole processes, as a ratio to an empty
 * program compiled the same way. On a machine that others use too, wall time tells more about them.
 *
 *   bun lab/bench/commands.ts [--rounds 40] [--binary dist/continuity] [--json FILE]
 *
 * Cases take turns within each round, so that whatever else the machine does falls on all of them. Ends with status 1
 * when a median is above its target.
 */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  bareEnvironment,
  bench,
  buildEmpty,
  type Case,
  cpuMsOf,
  measuredBinary,
  seed,
  serveHome,
  timed,
} from "./compiled.ts";
import { numberOption } from "../options.ts";

const rounds = numberOption("rounds", 40);
const folder = mkdtempSync(join(tmpdir(), "bench-commands-"));
const binary = measuredBinary(folder);
const memories = 1_000;
const kilobytesPerMegabyte = 1_024;

const environment = (home: string): Record<string, string> => bareEnvironment(folder, home);

const timedIn = (home: string, command: readonly string[]): ReturnType<Case["run"]> =>
  timed(command, { cwd: folder, env: environment(home) });

const hello = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  },
};

async function residentMb(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`)
    .text()
    .catch(() => "");
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? Number.NaN) / kilobytesPerMegabyte;
}

/** The MCP server from its start to its first answer. */
async function firstAnswer(home: string): ReturnType<Case["run"]> {
  const started = performance.now();
  const child = Bun.spawn([binary, "mcp"], {
    cwd: folder,
    env: environment(home),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
  });
  void child.stdin.write(`${JSON.stringify(hello)}\n`);
  await child.stdin.flush();
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const ms = performance.now() - started;
  const rssMb = await residentMb(child.pid);
  await child.stdin.end();
  await child.exited;
  const usage = child.resourceUsage();
  if (usage === undefined) throw new Error("the MCP server's use is not known");
  return { cpuMs: cpuMsOf(usage), wallMs: ms, rssMb, stdout: new TextDecoder().decode(value) };
}

const commandCase = (
  name: string,
  args: readonly string[],
  rest: { readonly home: string } & Pick<Case, "target" | "says">,
): Case => ({ name, run: () => timedIn(rest.home, [binary, ...args]), ...rest });

async function main(): Promise<number> {
  const empty = buildEmpty(folder);
  const [up, away] = [join(folder, "up"), join(folder, "away")];
  await seed(up, { binary, memories, env: environment(up) });
  cpSync(up, away, { recursive: true });
  const daemon = await serveHome(binary, up, environment(up));
  const listed = await timedIn(up, [binary, "list", "--limit", "1", "--json"]);
  const { uri } = JSON.parse(listed.stdout) as { readonly uri: string };
  const question = ["which", "port", "does", "the", "gateway", "use"];
  const light = { ratio: 2 };
  const reading = { ratio: 3.5 };
  const text = { ratio: 12 };
  const alone = { ratio: 70 };
  let notes = 0;
  try {
    return await bench({ name: "commands", rounds, unit: "cpuMs", restMs: 0 }, [
      {
        name: "empty program",
        target: null,
        says: /^$/,
        run: () => timedIn(up, [empty]),
      },
      commandCase("version", ["version"], { home: up, target: light, says: /^\d/ }),
      commandCase("help", ["help"], { home: up, target: text, says: /^Usage/ }),
      commandCase("find --help", ["find", "--help"], { home: up, target: text, says: /^Usage/ }),
      commandCase("completion", ["completion", "bash"], {
        home: up,
        target: text,
        says: /_continuity/,
      }),
      commandCase("find", ["find", ...question], { home: up, target: reading, says: /8080/ }),
      commandCase("search", ["search", ...question], { home: up, target: reading, says: /8080/ }),
      commandCase("show", ["show", uri], { home: up, target: reading, says: /mem:/ }),
      commandCase("list", ["list"], { home: up, target: reading, says: /./ }),
      commandCase("status", ["status"], { home: up, target: reading, says: /^recording/ }),
      {
        name: "remember",
        target: reading,
        says: /./,
        run: () => {
          notes += 1;
          return timedIn(up, [binary, "remember", `The bench keeps note ${notes} of the day.`]);
        },
      },
      commandCase("find, no daemon", ["find", ...question], {
        home: away,
        target: alone,
        says: /8080/,
      }),
      commandCase("list, no daemon", ["list"], { home: away, target: alone, says: /./ }),
      commandCase("status, no daemon", ["status"], {
        home: away,
        target: alone,
        says: /^recording/,
      }),
      {
        name: "mcp, first answer",
        target: { wallMs: 60, rssMb: 45 },
        says: /serverInfo/,
        run: () => firstAnswer(up),
      },
    ]);
  } finally {
    daemon.kill();
    await daemon.exited;
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exit(await main());

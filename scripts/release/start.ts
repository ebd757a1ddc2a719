/**
 * Does a program start? Its version, then a small session: a hook while nothing listens, the daemon, a hook that it
 * answers, and what was remembered, found by other words. Everything in a home of its own that is removed.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Command that starts it, and a folder for its home. */
interface Starter {
  readonly program: string;
  readonly folder: string;
}

const waitMs = 60_000;
const pollMs = 50;

/** Resolves when all of it went well; throws with what did not. */
export async function checkStart(program: string, version: string): Promise<void> {
  const starter = { program, folder: mkdtempSync(join(tmpdir(), "continuity-start-")) };
  const home = join(starter.folder, "home");
  mkdirSync(home, { recursive: true, mode: 0o700 });
  try {
    expectText(await run(starter, ["version"]), version, "version");
    if (process.platform === "win32") return; // Sockets and signals of the daemon are those of Unix.
    await run(
      starter,
      ["hook", "submit"],
      prompt("s-1", "remember that the harbour gate opens at 5"),
    );
    if (readdirSync(join(home, "spool")).length === 0) throw new Error("its hook left nothing");
    await withDaemon(starter, async () => {
      await run(
        starter,
        ["hook", "submit"],
        prompt("s-1", "remember that tides come from tides.db"),
      );
      await run(starter, ["flush"]);
      expectText(
        await run(starter, ["find", "when does the gate open"]),
        "gate opens at 5",
        "find",
      );
      expectText(await run(starter, ["list"]), "tides.db", "list");
    });
  } finally {
    rmSync(starter.folder, { recursive: true, force: true });
  }
}

const prompt = (session: string, text: string): string =>
  JSON.stringify({
    session_id: session,
    transcript_path: "/tmp/none.jsonl",
    cwd: "/tmp",
    hook_event_name: "UserPromptSubmit",
    prompt: text,
  });

async function withDaemon(starter: Starter, use: () => Promise<void>): Promise<void> {
  const daemon = spawn(starter, ["serve"], "");
  try {
    const socket = join(starter.folder, "home", "daemon.json");
    const endMs = performance.now() + waitMs;
    while (!existsSync(socket)) {
      if (daemon.exitCode !== null || performance.now() > endMs)
        throw new Error(`its daemon does not serve: ${await new Response(daemon.stderr).text()}`);
      await Bun.sleep(pollMs);
    }
    await use();
  } finally {
    daemon.kill();
    await daemon.exited;
  }
}

const spawn = (starter: Starter, args: readonly string[], input: string) =>
  Bun.spawn([starter.program, ...args], {
    stdin: new TextEncoder().encode(input),
    stdout: "pipe",
    stderr: "pipe",
    env: {
      PATH: "/usr/sbin:/usr/bin:/bin",
      HOME: starter.folder,
      CONTINUITY_HOME: join(starter.folder, "home"),
      CONTINUITY_PORT: "0",
      CONTINUITY_AUTOSTART: "false",
    },
  });

/** Runs it to its end; what it printed. */
async function run(starter: Starter, args: readonly string[], input = ""): Promise<string> {
  const child = spawn(starter, args, input);
  const [out, error, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (status !== 0 || error !== "")
    throw new Error(`\`${args.join(" ")}\` ended with ${status}: ${error.trim().slice(-500)}`);
  return out;
}

function expectText(printed: string, expected: string, what: string): void {
  if (!printed.includes(expected))
    throw new Error(`\`${what}\` printed ${JSON.stringify(printed.slice(0, 200))}`);
}

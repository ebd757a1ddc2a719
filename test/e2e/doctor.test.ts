/**
 * `continuity doctor` with the real program on machines that are broken in one way each: the link is named with its fix,
 * and what `--fix` may mend is mended. `npm test` builds the program first.
 */
import { afterAll, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { binary, openProgram, type Program } from "../support/program.ts";

const isBuilt = existsSync(binary);
const bins = mkdtempSync(join(tmpdir(), "continuity-doctor-bins-"));
afterAll(() => rmSync(bins, { recursive: true, force: true }));

/** A `claude` that tells its version and whether it is logged in, and nothing else. */
function fakeClient(name: string, version: string, loggedIn: boolean): string {
  const folder = join(bins, name);
  mkdirSync(folder, { recursive: true });
  const login = JSON.stringify({ loggedIn, authMethod: loggedIn ? "api_key" : "none" });
  writeFileSync(
    join(folder, "claude"),
    `#!/bin/sh\n[ "$1" = --version ] && echo '${version} (Claude Code)' && exit 0\n` +
      `[ "$1" = auth ] && echo '${login}' && exit ${loggedIn ? 0 : 1}\nexit 1\n`,
  );
  chmodSync(join(folder, "claude"), 0o755);
  return folder;
}

interface Check {
  readonly id: string;
  readonly state: string;
  readonly detail: string;
  readonly fix: string | null;
}
interface Report {
  readonly ok: boolean;
  readonly checks: readonly Check[];
  readonly fixed: readonly string[];
}

/** A home with a client on the PATH, hooks installed and one session gone through them. */
async function openWell(env: Readonly<Record<string, string>> = {}): Promise<Program> {
  const client = fakeClient("new", "2.1.328", true);
  const program = openProgram({ PATH: `${client}:${process.env["PATH"] ?? ""}`, ...env });
  mkdirSync(join(program.folder, ".claude"), { recursive: true });
  writeFileSync(settingsOf(program), '{"model": "opus"}\n');
  expect(await program.run(["install"])).toMatchObject({ status: 0 });
  return program;
}

const settingsOf = ({ folder }: Program): string => join(folder, ".claude", "settings.json");

async function liveOnce(program: Program, session = "s-1"): Promise<void> {
  const transcript = join(program.folder, `${session}.jsonl`);
  writeFileSync(transcript, "");
  const common = { session_id: session, cwd: program.folder, transcript_path: transcript };
  const event = { ...common, prompt_id: `${session}-1` };
  await program.up();
  await program.hook("start", { ...common, hook_event_name: "SessionStart", source: "startup" });
  await program.hook("submit", {
    ...event,
    hook_event_name: "UserPromptSubmit",
    prompt: "we decided to keep bookings in UTC",
  });
  await program.hook("stop", {
    ...event,
    hook_event_name: "Stop",
    stop_hook_active: false,
    last_assistant_message: "Noted.",
  });
  await program.hook("end", { ...common, hook_event_name: "SessionEnd", reason: "other" });
}

async function examine(
  program: Program,
  args: readonly string[] = ["--no-self-test"],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number | null; readonly report: Report }> {
  const ran = await program.run(["doctor", "--json", ...args], { env });
  if (!ran.out.startsWith("{")) throw new Error(`doctor: ${ran.status} ${ran.out}${ran.err}`);
  return { status: ran.status, report: JSON.parse(ran.out) as Report };
}

/** The daemon that holds the lock; others may be about to find that out. */
const daemonPid = ({ paths }: Program): number =>
  (JSON.parse(readFileSync(paths.daemonJson, "utf8")) as { readonly pid: number }).pid;

const find = (report: Report, id: string): Check =>
  report.checks.find((check) => check.id === id) ?? { id, state: "absent", detail: "", fix: null };

test.skipIf(!isBuilt)(
  "a machine that is well is green with latencies, and the self-test leaves nothing behind",
  async () => {
    await using program = await openWell();
    await liveOnce(program);
    const before = readdirSync(program.paths.root).toSorted();
    const temporary = join(program.folder, "tmp");
    mkdirSync(temporary);
    const { status, report } = await examine(program, [], { TMPDIR: temporary });
    // A machine that is busy with other tests makes hooks slow, which is not what is asked here.
    const wrong = report.checks.filter(
      ({ state, detail }) =>
        state === "failed" || (state === "warning" && !detail.startsWith("slow:")),
    );
    expect(wrong).toEqual([]);
    expect(status).toBe(0);
    for (const hook of ["start", "submit", "stop", "end"])
      expect(find(report, `hook-${hook}`).detail, hook).toMatch(/ takes \d+ ms\b/);
    expect(find(report, "self-test").detail).toMatch(/^11 hooks as installed, .* came back$/);
    expect(readdirSync(program.paths.root).toSorted()).toEqual(before);
    const list = await program.run(["list", "--json", "--global"]);
    expect(list.out).not.toContain("quillfeather");
    expect(readdirSync(temporary)).toEqual([]);
    const text = await program.run(["doctor"]);
    expect(text.out).toContain("All checks passed");
  },
  60_000,
);

interface Broken {
  readonly name: string;
  readonly id: string;
  readonly state?: "failed" | "warning";
  readonly fix: RegExp;
  readonly break: (program: Program) => void | Promise<void> | (() => void) | Promise<() => void>;
  readonly env?: Readonly<Record<string, string>>;
  readonly isLived?: boolean;
}

const edit = (program: Program, change: (text: string) => string): void =>
  writeFileSync(settingsOf(program), change(readFileSync(settingsOf(program), "utf8")));

/** A process of this test that takes connections and says nothing. */
function deaf(listen: string): () => void {
  const child = spawn(
    process.execPath,
    ["-e", `require("node:net").createServer(() => {}).listen(${listen}, () => console.log("up"))`],
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  return () => void child.kill("SIGKILL");
}

const waitFor = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 200 && !(await holds()); tries += 1) await Bun.sleep(20);
};

const setups: readonly Broken[] = [
  {
    name: "the binary was moved",
    id: "binary",
    fix: /continuity install/,
    break: (program) => edit(program, (text) => text.replaceAll(binary, "/gone/continuity")),
  },
  {
    name: "the settings were edited",
    id: "settings",
    fix: /continuity install/,
    break: (program) => edit(program, (text) => text.replace('"UserPromptSubmit"', '"PreToolUse"')),
  },
  {
    name: "the settings were broken",
    id: "settings",
    fix: /correct that place/,
    break: (program) => edit(program, (text) => text.replace("{", "{ // mine")),
  },
  {
    name: "the port is taken",
    id: "port",
    state: "warning",
    fix: /server\.port/,
    env: { CONTINUITY_PORT: "47613" },
    break: async () => {
      const end = deaf('47613, "127.0.0.1"');
      await waitFor(async () =>
        Bun.connect({
          hostname: "127.0.0.1",
          port: 47_613,
          socket: { data: () => undefined },
        }).then(
          (socket) => (socket.end(), true),
          () => false,
        ),
      );
      return end;
    },
  },
  {
    name: "the daemon hangs",
    id: "daemon",
    fix: /doctor --fix/,
    break: async (program) => {
      await program.up();
      const pid = daemonPid(program);
      process.kill(pid, "SIGSTOP");
      return () => {
        try {
          process.kill(pid, "SIGKILL");
        } catch {
          // It was ended meanwhile.
        }
      };
    },
  },
  {
    name: "the database is corrupt",
    id: "database",
    fix: /\w/,
    isLived: true,
    break: async (program) => {
      await program.stopDaemon();
      const bytes = readFileSync(program.paths.database);
      bytes.fill(0xaa, 4_096, Math.min(bytes.length, 80_000));
      writeFileSync(program.paths.database, bytes);
    },
  },
  {
    name: "the home cannot be written",
    id: "home",
    fix: /CONTINUITY_HOME/,
    break: (program) => {
      writeFileSync(join(program.folder, "file"), "");
    },
    env: { CONTINUITY_HOME: "FOLDER/file/home" },
  },
  {
    name: "the client is old",
    id: "client",
    fix: /claude update/,
    break: () => void fakeClient("old", "2.0.14", true),
    env: { PATH: `${join(bins, "old")}:${process.env["PATH"] ?? ""}` },
  },
  {
    name: "hooks are disabled",
    id: "hooks-enabled",
    fix: /disableAllHooks/,
    break: (program) => edit(program, (text) => text.replace("{", '{"disableAllHooks": true,')),
  },
  {
    name: "the model is logged out",
    id: "model",
    fix: /claude auth login/,
    break: (program) => {
      fakeClient("loggedout", "2.1.328", false);
      writeFileSync(program.paths.config, '[llm]\nprovider = "claude-cli"\n', { mode: 0o600 });
    },
    env: { PATH: `${join(bins, "loggedout")}:${process.env["PATH"] ?? ""}` },
  },
  {
    name: "the budget is spent",
    id: "budget",
    state: "warning",
    fix: /tokens_per_day/,
    isLived: true,
    break: (program) =>
      writeFileSync(program.paths.config, '[llm]\nprovider = "claude-cli"\ntokens_per_day = 0\n', {
        mode: 0o600,
      }),
  },
  {
    name: "the clock is wrong",
    id: "clock",
    state: "warning",
    fix: /timedatectl/,
    isLived: true,
    break: () => undefined,
    env: { CONTINUITY_NOW: "2026-02-01T00:00:00Z" },
  },
  {
    name: "it is installed twice",
    id: "installs",
    state: "warning",
    fix: /uninstall --project/,
    break: async (program) => {
      const root = program.project("shop");
      const ran = await program.run(["install", "--project"], { cwd: join(root, ".git") });
      expect(ran).toMatchObject({ status: 0, err: "" });
      expect(existsSync(join(root, ".claude", "settings.json"))).toBe(true);
    },
  },
  {
    name: "others can read the database",
    id: "permissions",
    fix: /chmod 600/,
    isLived: true,
    break: (program) => chmodSync(program.paths.database, 0o644),
  },
  {
    name: "others can read a provider's key",
    id: "permissions",
    fix: /chmod 600/,
    break: (program) => {
      const keys = join(program.paths.root, "keys");
      mkdirSync(keys, { recursive: true, mode: 0o700 });
      writeFileSync(join(keys, "anthropic"), "k", { mode: 0o644 });
    },
  },
  {
    name: "the spool is stuck",
    id: "spool",
    fix: /continuity flush/,
    break: (program) => {
      mkdirSync(program.paths.spool, { recursive: true, mode: 0o700 });
      writeFileSync(join(program.paths.spool, "0001-x.json"), "{}", { mode: 0o600 });
    },
    env: { CONTINUITY_NOW: "2099-01-01T00:00:00Z" },
  },
];

test.skipIf(!isBuilt).each([...setups])(
  "when $name, doctor names it with its fix",
  async (setup) => {
    await using program = await openWell();
    if (setup.isLived === true) await liveOnce(program);
    const end = await setup.break(program);
    try {
      const env = Object.fromEntries(
        Object.entries(setup.env ?? {}).map(([name, value]) => [
          name,
          value.replace("FOLDER", program.folder),
        ]),
      );
      const cwd = setup.id === "installs" ? join(program.folder, "shop") : program.folder;
      const ran = await program.run(["doctor", "--json", "--no-self-test"], { env, cwd });
      const report = JSON.parse(ran.out) as Report;
      const check = find(report, setup.id);
      expect(check).toMatchObject({ state: setup.state ?? "failed" });
      expect(check.fix ?? "").toMatch(setup.fix);
      expect(ran.status).toBe(report.ok ? 0 : 1);
      expect(report.ok).toBe(!report.checks.some(({ state }) => state === "failed"));
    } finally {
      if (typeof end === "function") end();
    }
  },
  60_000,
);

test.skipIf(!isBuilt)(
  "a full disk is named",
  async () => {
    await using program = await openWell();
    const disk = join(program.folder, "disk");
    mkdirSync(disk);
    const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=2m,mode=700", "none", disk]);
    if (mounted.exitCode !== 0) return; // Only root may mount, and not everywhere.
    try {
      appendFileSync(join(disk, "filler"), Buffer.alloc(1_900_000));
      const { report } = await examine(program, undefined, { CONTINUITY_HOME: join(disk, "home") });
      expect(find(report, "disk")).toMatchObject({ state: "failed" });
      expect(find(report, "disk").fix).toContain("free some disk space");
    } finally {
      Bun.spawnSync(["umount", disk]);
    }
  },
  60_000,
);

test.skipIf(!isBuilt)(
  "--fix mends a moved binary, loose modes, a hung daemon and a spool that waits, and loses nothing",
  async () => {
    await using program = await openWell();
    await liveOnce(program);
    await program.flush(); // On a slow machine some of these events wait in the spool as well.
    edit(program, (text) => text.replaceAll(binary, "/gone/continuity"));
    chmodSync(program.paths.database, 0o644);
    const pid = daemonPid(program);
    process.kill(pid, "SIGSTOP");
    // The daemon hangs, so this prompt waits in the spool.
    await program.hook("submit", {
      session_id: "s-2",
      cwd: program.folder,
      hook_event_name: "UserPromptSubmit",
      prompt_id: "s-2-1",
      prompt: "remember that the beacon account is called bluefin",
    });
    expect(readdirSync(program.paths.spool).filter((name) => name.endsWith(".json"))).toHaveLength(
      1,
    );
    const { report } = await examine(program, ["--fix", "--no-self-test"]);
    for (const id of ["binary", "permissions", "daemon"])
      expect(find(report, id), id).toMatchObject({ state: "ok" });
    expect(report.fixed.join("\n")).toContain("ended the daemon");
    expect(statSync(program.paths.database).mode & 0o777).toBe(0o600);
    expect(readFileSync(settingsOf(program), "utf8")).toContain(binary);
    await program.flush();
    const list = await program.run(["list", "--json"]);
    expect(list.out).toContain("bluefin");
  },
  60_000,
);

test.skipIf(!isBuilt)(
  "a program of another version behind the hooks is named",
  async () => {
    await using program = await openWell();
    const old = join(program.folder, "old", "continuity");
    mkdirSync(dirname(old));
    writeFileSync(old, "#!/bin/sh\necho 0.0.1\n");
    chmodSync(old, 0o755);
    edit(program, (text) => text.replaceAll(binary, old));
    const { report } = await examine(program, []);
    expect(find(report, "binary")).toMatchObject({ state: "warning" });
    // The stand-in prints its version for every hook: no JSON, so the self-test says so.
    expect(find(report, "self-test")).toMatchObject({ state: "failed" });
  },
  60_000,
);

test.skipIf(!isBuilt)(
  "nothing that only a project names is run: a cloned repository may name anything",
  async () => {
    const client = fakeClient("new", "2.1.328", true);
    await using program = openProgram({ PATH: `${client}:${process.env["PATH"] ?? ""}` });
    const root = program.project("cloned");
    const evil = join(root, "bin", "continuity");
    mkdirSync(dirname(evil));
    writeFileSync(evil, `#!/bin/sh\ntouch ${join(program.folder, "owned")}\necho 0.1.0\n`);
    chmodSync(evil, 0o755);
    const hooks = {
      Stop: [{ hooks: [{ type: "command", command: evil, args: ["hook", "stop"] }] }],
    };
    mkdirSync(join(root, ".claude"));
    writeFileSync(join(root, ".claude", "settings.json"), JSON.stringify({ hooks }));
    const ran = await program.run(["doctor", "--json"], { cwd: root });
    const report = JSON.parse(ran.out) as Report;
    expect(existsSync(join(program.folder, "owned"))).toBe(false);
    expect(find(report, "binary").detail).toContain("was not run");
    expect(find(report, "self-test").state).toBe("skipped");
    await program.run(["doctor", "--fix"], { cwd: root });
    expect(existsSync(join(program.folder, "owned"))).toBe(false);
  },
  60_000,
);

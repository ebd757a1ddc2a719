/**
 * From a downloaded binary to a working memory and out again, with the real program and the real client: what install
 * writes is what the client runs, doctor proves it, and uninstall leaves every file as it was. `npm test` builds first.
 */
import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startFakeAnthropic } from "../support/fake-anthropic.ts";
import { binary, openProgram, type Program } from "../support/program.ts";
import { installClient, runClient } from "../support/real-client.ts";
import { settingsFiles } from "../support/settings-files.ts";

const isBuilt = existsSync(binary);
const client = isBuilt ? installClient() : { path: null };
const scratch = mkdtempSync(join(tmpdir(), "continuity-install-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A home as a user has it: everything in its usual place below it. */
function openHome(): Program {
  const folder = mkdtempSync(join(scratch, "home-"));
  const clientFolder = client.path === null ? "" : `${dirname(client.path)}:`;
  return openProgram({
    HOME: folder,
    CONTINUITY_HOME: join(folder, ".continuity"),
    PATH: `${clientFolder}${process.env["PATH"] ?? ""}`,
  });
}

const homeOf = ({ env }: Program): string => env["HOME"] ?? "";
const settingsOf = (program: Program): string => join(homeOf(program), ".claude", "settings.json");
const serversOf = (program: Program): string => join(homeOf(program), ".claude.json");

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

async function ok(program: Program, ...args: readonly string[]): Promise<string> {
  const ran = await program.run(args);
  if (ran.status !== 0) throw new Error(`${args.join(" ")}: ${ran.status} ${ran.out}${ran.err}`);
  return ran.out;
}

describe.skipIf(!isBuilt)("install and uninstall", () => {
  test("--project changes no file when one of them leads out of the project", async () => {
    await using program = openHome();
    const project = program.project("shop");
    const outside = join(homeOf(program), "other.json");
    write(outside, "{}\n");
    symlinkSync(outside, join(project, ".mcp.json"));
    for (const command of ["install", "uninstall"]) {
      const ran = await program.run([command, "--project"], { cwd: project });
      expect(ran.status).toBe(1);
      expect(`${ran.out}${ran.err}`).toContain(
        `.mcp.json leads out of the project to ${realpathSync(outside)}. Nothing was changed.`,
      );
    }
    expect(readFileSync(outside, "utf8")).toBe("{}\n");
    expect(existsSync(join(project, ".claude"))).toBe(false);
  });

  // The other formats of `settingsFiles`, each in every form, are in src/clients/claude-code/settings/formats.test.ts.
  test.each([
    ["a byte order mark and CRLF", []],
    ["tabs without a line end", ["--statusline"]],
    ["others' hooks on our events", ["--statusline", "--plugin"]],
  ] as const)(
    "leave files with %s byte for byte as they were",
    async (name, form) => {
      await using program = openHome();
      const { text = "" } = settingsFiles.find((one) => one.name === name) ?? {};
      const paths = [settingsOf(program), serversOf(program)];
      for (const path of paths) write(path, text);
      await ok(program, "install", ...form);
      expect(readFileSync(settingsOf(program), "utf8")).not.toBe(text);
      await ok(program, "uninstall");
      expect(paths.map((path) => readFileSync(path, "utf8"))).toEqual([text, text]);
    },
    30_000,
  );

  test("make what was not there, and take it away again", async () => {
    await using program = openHome();
    await ok(program, "install");
    expect(existsSync(settingsOf(program)) && existsSync(serversOf(program))).toBe(true);
    expect(JSON.parse(readFileSync(serversOf(program), "utf8"))).toEqual({
      mcpServers: { continuity: { type: "stdio", command: binary, args: ["mcp"] } },
    });
    expect(await ok(program, "status")).toStartWith("recording  on;");
    await ok(program, "uninstall");
    expect(existsSync(settingsOf(program)) || existsSync(serversOf(program))).toBe(false);
    expect(await ok(program, "status")).toStartWith("recording  off, no agent has the hooks:");
  }, 30_000);

  test("a program from npm is called by a copy in the home, which uninstalls itself", async () => {
    await using program = openHome();
    const packaged = join(program.folder, "node_modules", "@continuity", "here", "continuity");
    const copy = join(program.paths.root, "bin", "continuity");
    mkdirSync(dirname(packaged), { recursive: true });
    copyFileSync(binary, packaged);
    const run = (path: string, word: string) =>
      Bun.spawnSync([path, word, ...(word === "install" ? ["--llm", "none"] : [])], {
        env: program.env,
        cwd: program.folder,
        stdin: "ignore",
      });
    // The cache of npx may hold an older program than the one that is installed.
    write(copy, "#!/bin/sh\necho 99.0.0\n");
    chmodSync(copy, 0o755);
    const older = run(packaged, "install");
    expect(older.stderr.toString()).toContain("version 99.0.0 is installed and this is");
    expect([older.exitCode, existsSync(settingsOf(program))]).toEqual([1, false]);
    rmSync(copy);
    expect(run(packaged, "install").stdout.toString()).toContain(copy);
    expect(JSON.parse(readFileSync(serversOf(program), "utf8"))).toMatchObject({
      mcpServers: { continuity: { command: copy } },
    });
    rmSync(packaged);
    expect(run(copy, "uninstall").stdout.toString()).toContain(`${copy}: remove the program`);
    const left = [copy, settingsOf(program), serversOf(program)].filter((path) => existsSync(path));
    expect(left).toEqual([]);
  }, 30_000);

  test("a dry run prints the difference and writes nothing, in every form", async () => {
    await using program = openHome();
    write(settingsOf(program), '{\n  "model": "opus"\n}\n');
    const before = readdirSync(homeOf(program), { recursive: true });
    for (const form of [[], ["--plugin"], ["--statusline", "--llm", "auto"], ["--project"]]) {
      const out = await ok(program, "install", "--dry-run", ...form);
      expect(out).toMatch(/^would /);
      expect(out).toContain("\n+");
    }
    expect(readdirSync(homeOf(program), { recursive: true })).toEqual(before);
  }, 30_000);

  test("one broken file leaves the other as it was, and is named with line and column", async () => {
    await using program = openHome();
    write(settingsOf(program), '{"model": "opus"}');
    write(serversOf(program), '{\n  "a": 1,\n}\n');
    const ran = await program.run(["install"]);
    expect(ran).toMatchObject({ status: 1, out: "" });
    expect(ran.err).toContain(`${serversOf(program)}:3:1: not valid JSON`);
    expect(readFileSync(settingsOf(program), "utf8")).toBe('{"model": "opus"}');
    expect(existsSync(program.paths.root)).toBe(false);
  }, 30_000);

  test("a file that is read-only leaves the other as it was, and is named", async () => {
    await using program = openHome();
    write(settingsOf(program), '{"model": "opus"}');
    write(serversOf(program), "{}");
    chmodSync(serversOf(program), 0o444);
    const ran = await program.run(["install"]);
    expect(ran).toMatchObject({ status: 1, out: "" });
    expect(ran.err).toContain(`${serversOf(program)} is read-only`);
    expect(readFileSync(settingsOf(program), "utf8")).toBe('{"model": "opus"}');
    expect(await ok(program, "install", "--dry-run")).toContain("add the MCP server");
  }, 30_000);

  test("a folder that takes no file leaves everything as it was, and the line says what to do", async () => {
    await using program = openHome();
    write(settingsOf(program), "{}\n");
    const folder = dirname(settingsOf(program));
    const before = readdirSync(homeOf(program), { recursive: true });
    // Root may write anywhere: as nobody, to whom the rest of the home belongs.
    if (process.getuid?.() === 0) {
      for (const path of [scratch, homeOf(program)]) chmodSync(path, 0o755);
      chownSync(homeOf(program), 65_534, 65_534);
    } else chmodSync(folder, 0o500);
    const through =
      process.getuid?.() === 0
        ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        : [];
    for (const command of ["install", "uninstall"]) {
      const ran = await program.run([command], { through });
      if (command === "install") {
        expect(ran).toMatchObject({ status: 1, out: "" });
        expect(ran.err).toMatch(
          /^error: \S*\.claude cannot be written: permission denied\. Nothing was changed\. Please run `(?:chmod|sudo chown) [^\n]*`, then run the command again\.\n$/,
        );
      }
      expect(readdirSync(homeOf(program), { recursive: true })).toEqual(before);
    }
    if (process.getuid?.() !== 0) chmodSync(folder, 0o700);
  }, 30_000);

  test("a home that takes no file is one line, and changes nothing of the agents'", async () => {
    await using program = openHome();
    const home = join(homeOf(program), "taken");
    writeFileSync(home, "mine");
    const ran = await program.run(["install"], { env: { CONTINUITY_HOME: join(home, "deep") } });
    expect(ran).toMatchObject({ status: 1, out: "" });
    expect(ran.err).toMatch(
      /^error: [^\n]*taken cannot be written: [^\n]*Nothing was changed[^\n]*\n$/,
    );
    expect(readdirSync(homeOf(program))).toEqual(["taken"]);
  }, 30_000);

  test.skipIf(process.platform !== "linux")(
    "a file that fails although it looked writable has those before it put back",
    async () => {
      await using program = openHome();
      write(settingsOf(program), '{ "model": "opus" }\n');
      // Looks writable to root, and takes no file.
      symlinkSync("/proc/continuity/claude.json", serversOf(program));
      const ran = await program.run(["install"]);
      expect(ran).toMatchObject({ status: 1, out: "" });
      expect(ran.err).toContain("Nothing was changed");
      expect(readFileSync(settingsOf(program), "utf8")).toBe('{ "model": "opus" }\n');
    },
    30_000,
  );

  test("a project is the repository around the folder, not the folder", async () => {
    await using program = openHome();
    const root = program.project("shop");
    const deep = join(root, "src", "cart");
    mkdirSync(deep, { recursive: true });
    expect(await program.run(["install", "--project"], { cwd: deep })).toMatchObject({ status: 0 });
    expect(existsSync(join(root, ".claude", "settings.json"))).toBe(true);
    expect(existsSync(join(root, ".mcp.json"))).toBe(true);
    expect(existsSync(settingsOf(program))).toBe(false);
    await program.run(["uninstall", "--project"], { cwd: deep });
    expect(existsSync(join(root, ".claude", "settings.json"))).toBe(false);
    expect(existsSync(join(root, ".mcp.json"))).toBe(false);
  }, 30_000);

  test("work in a home that is a link", async () => {
    const real = mkdtempSync(join(scratch, "real-"));
    const link = join(scratch, "link");
    symlinkSync(real, link);
    await using program = openProgram({ HOME: link, CONTINUITY_HOME: join(link, ".continuity") });
    write(join(real, ".claude", "settings.json"), "{}\n");
    await ok(program, "install");
    expect(readFileSync(join(real, ".claude", "settings.json"), "utf8")).toContain('"hook"');
    await ok(program, "uninstall");
    expect(readFileSync(join(real, ".claude", "settings.json"), "utf8")).toBe("{}\n");
  }, 30_000);

  test("name the other tool that remembers, and what could be imported, and import nothing", async () => {
    await using program = openHome();
    write(settingsOf(program), '{"enabledPlugins": {"claude-mem@thedotmack": true}}');
    write(join(homeOf(program), ".claude-mem", "claude-mem.db"), "not opened");
    write(join(homeOf(program), ".claude", "projects", "-w", "memory", "MEMORY.md"), "# notes\n");
    const out = await ok(program, "install");
    expect(out).toContain("claude plugin disable claude-mem@thedotmack");
    expect(out).toContain("continuity import --from claude-mem");
    expect(out).toContain("continuity import --from claude-code");
    expect(existsSync(program.paths.database)).toBe(false);
  }, 30_000);

  test("name another program on the port, which hooks do not need", async () => {
    await using program = openHome();
    const other = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () => new Response("theirs"),
    });
    const { port } = other;
    const ran = await program.run(["install"], { env: { CONTINUITY_PORT: `${port}` } });
    await other.stop(true);
    expect(ran).toMatchObject({ status: 0, err: "" });
    expect(ran.out).toContain(`port ${port} is in use by another program`);
  }, 30_000);

  test("a program of another name is refused: its hooks would not be recognised", async () => {
    await using program = openHome();
    const other = join(homeOf(program), "continuity-linux-x64");
    copyFileSync(binary, other);
    const ran = Bun.spawnSync([other, "install"], { env: program.env });
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr.toString()).toContain("rename the file");
    expect(existsSync(settingsOf(program))).toBe(false);
  }, 30_000);
});

/** One session of the real client; fails on any hook that does. */
async function session(program: Program, prompt: string): Promise<void> {
  const project = join(homeOf(program), "shop");
  mkdirSync(project, { recursive: true });
  const api = startFakeAnthropic({ script: { main: ["Understood."] } });
  const result = await runClient(client.path ?? "", {
    home: homeOf(program),
    project,
    apiUrl: api.url,
    prompts: [prompt],
  });
  await api.stop();
  expect(result).toMatchObject({ exitCode: 0, timedOut: false });
  for (const hook of result.events.filter(({ subtype }) => subtype === "hook_response"))
    expect(hook).toMatchObject({ exit_code: 0, outcome: "success" });
}

interface Doctor {
  readonly ok: boolean;
  readonly checks: readonly {
    readonly id: string;
    readonly state: string;
    readonly detail: string;
  }[];
  readonly hooks: readonly { readonly hook: string; readonly median_ms: number | null }[];
}

async function doctor(program: Program): Promise<Doctor> {
  const ran = await program.run(["doctor", "--json"]);
  return JSON.parse(ran.out) as Doctor;
}

/**
 * `wrong` gives the red and yellow checks; a machine that is busy with other tests makes hooks
 * slow, which is no fault of the install.
 */
const wrong = ({ checks }: Doctor) =>
  checks.filter(
    ({ state, detail }) =>
      state === "failed" || (state === "warning" && !detail.startsWith("slow:")),
  );

test.skipIf(client.path === null)(
  "install, a session of the real client, doctor all green with latencies, uninstall: byte for byte, others' hooks firing",
  async () => {
    await using program = openHome();
    const fired = join(homeOf(program), "fired");
    const settings = `{\n\t"model": "opus",\n\t"hooks": {\n\t\t"Stop": [{ "hooks": [{ "type": "command", "command": "echo theirs >> ${fired}" }] }]\n\t}\n}`;
    write(settingsOf(program), settings);
    await ok(program, "install", "--statusline");
    await ok(program, "config", "set", "capture.headless", "full");
    await session(program, "remember that staging listens on port 5433");
    const report = await doctor(program);
    expect(wrong(report)).toEqual([]);
    expect(report.ok).toBe(true);
    for (const hook of ["start", "submit", "stop", "end"])
      expect(report.checks.find(({ id }) => id === `hook-${hook}`)?.detail, hook).toMatch(/\d ms/u);
    expect(readFileSync(fired, "utf8")).toBe("theirs\n");
    expect(await ok(program, "list")).toContain("5433");
    const servers = readFileSync(serversOf(program), "utf8");
    expect(JSON.parse(servers)).toMatchObject({ mcpServers: { continuity: { command: binary } } });
    await ok(program, "uninstall");
    expect(readFileSync(settingsOf(program), "utf8")).toBe(settings);
    // The client writes its own things there all the time; of ours nothing is left.
    expect(readFileSync(serversOf(program), "utf8")).not.toContain('continuity"');
  },
  120_000,
);

test.skipIf(client.path === null)(
  "installed as a plugin, the same session arrives once, and uninstall leaves the settings as they were",
  async () => {
    await using program = openHome();
    write(settingsOf(program), '{"model":"opus"}');
    await ok(program, "install");
    await ok(program, "install", "--plugin");
    await ok(program, "config", "set", "capture.headless", "full");
    await session(program, "remember that staging listens on port 5433");
    await program.flush();
    const report = await doctor(program);
    expect(wrong(report)).toEqual([]);
    const { counts } = JSON.parse(await ok(program, "status", "--json")) as {
      readonly counts: { readonly turns: number; readonly memories: number };
    };
    expect(counts).toMatchObject({ turns: 1, memories: 1 });
    await ok(program, "uninstall");
    expect(readFileSync(settingsOf(program), "utf8")).toBe('{"model":"opus"}');
    expect(existsSync(join(program.paths.root, "plugin"))).toBe(false);
  },
  120_000,
);

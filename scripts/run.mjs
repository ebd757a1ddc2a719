#!/usr/bin/env node
/**
 * The one door for every npm script. Plain Node without dependencies, because on a fresh machine there is nothing
 * else: it installs what package-lock.json names (Bun among it), then hands over to Bun.
 *
 *   node scripts/run.mjs demo|build|test|agents|check|bench|fix|docs|release|sim|faults|fuzz|load|proof|firstday [arguments]
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const bin = join(root, "node_modules", ".bin");
const bun = join(bin, process.platform === "win32" ? "bun.exe" : "bun");

/** Runs a program with our node_modules first on PATH; stops the script when it fails. */
function run(program, args, options = {}) {
  const result = spawnSync(program, args, {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      PATH: `${bin}:${process.env.PATH}`,
      npm_config_update_notifier: "false",
    },
    ...options,
  });
  if (result.error) {
    console.error(`continuity: cannot run ${program}: ${result.error.message}`);
    process.exit(1);
  }
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/** Installs once per lock file: npm writes node_modules/.package-lock.json after a complete install. */
function ensureInstalled() {
  const mark = join(root, "node_modules", ".package-lock.json");
  const lock = join(root, "package-lock.json");
  const fresh = existsSync(mark) && statSync(mark).mtimeMs >= statSync(lock).mtimeMs;
  if (!fresh) {
    // Not `npm ci`: npm 11 refuses a lock file that lacks an optional package of some other platform, and registries that
    // do not carry all of them make such lock files. `install` takes the locked versions too, and `--no-save` keeps them.
    const install = "npm install --no-save --no-audit --no-fund --loglevel=error";
    console.error(`continuity: installing development tools (${install})`);
    run("npm", install.split(" ").slice(1), { shell: process.platform === "win32" });
  }
  const probe = spawnSync(bun, ["--version"], { cwd: root, encoding: "utf8" });
  if (probe.status !== 0) {
    // npm 11 asks before it runs install scripts; Bun's own one only links the binary.
    run(process.execPath, [join(root, "node_modules", "bun", "install.js")]);
  }
}

/** True when dist/continuity is newer than every source it is made of. */
function binaryIsFresh() {
  const binary = join(root, "dist", "continuity");
  if (!existsSync(binary)) return false;
  const built = statSync(binary).mtimeMs;
  const newest = spawnSync(
    bun,
    [
      "-e",
      `
      let newest = 0;
      for (const dir of ["src", "models"])
        for await (const file of new Bun.Glob("**/*").scan({ cwd: dir }))
          newest = Math.max(newest, Bun.file(dir + "/" + file).lastModified);
      for (const file of ["package.json", "scripts/build.ts", "scripts/build-viewer.ts"])
        newest = Math.max(newest, Bun.file(file).lastModified);
      console.log(newest);`,
    ],
    { cwd: root, encoding: "utf8" },
  );
  return newest.status === 0 && Number(newest.stdout) < built;
}

function build() {
  if (!binaryIsFresh()) run(bun, ["scripts/build.ts"]);
}

/** Where the viewer's tests look for a browser; `CONTINUITY_CHROMIUM` names another place. */
function hasChromium() {
  const places = JSON.parse(
    readFileSync(join(root, "test", "viewer", "chromium-places.json"), "utf8"),
  );
  return [process.env.CONTINUITY_CHROMIUM ?? "", ...places].some(
    (place) => place !== "" && existsSync(place),
  );
}

/**
 * The viewer is tested in a real browser. As root on Debian it is installed once; elsewhere its tests are skipped, and
 * this says so, because a test that is silently skipped is believed to pass.
 */
function ensureChromium(filters) {
  const isWanted = filters.length === 0 || filters.some((filter) => filter.includes("viewer"));
  if (!isWanted || hasChromium()) return;
  if (process.platform === "linux" && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    console.error(
      "continuity: installing Chromium for the viewer's tests (apt-get install chromium)",
    );
    const apt = (...args) =>
      spawnSync("apt-get", args, {
        stdio: ["ignore", "ignore", "inherit"],
        env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      });
    apt("update");
    apt("install", "-y", "--no-install-recommends", "chromium");
  }
  if (!hasChromium())
    console.error(
      "continuity: NO CHROMIUM: the viewer's browser tests are skipped. Install Chromium or Chrome, or name its executable in CONTINUITY_CHROMIUM.",
    );
}

/** How long continuous integration waits for the real agents. */
const agentsCiMs = 180_000;

/** The newest versions in npm, as environment for the tests; prints which have changed since they were last tried. */
function useNewestAgents() {
  const asked = spawnSync(bun, ["test/agents/clients.ts", "--newest"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
  });
  if (asked.status !== 0) process.exit(1);
  Object.assign(process.env, JSON.parse(asked.stdout));
}

/** Tests with the real Claude Code; `npm test` runs them too, with the version last tried. */
const claudeTests = [
  "claude-cli",
  "client-harness",
  "install",
  "mcp",
  "plugin",
  "real-client",
  "scenarios",
  "sync-client",
].map((name) => `./test/e2e/${name}.test.ts`);

/** One line tells how it went, so that a client that failed is not looked for among our own tests. */
function runAgents(more, timeout) {
  const args = ["test", "--timeout", "300000", "./test/agents/real-agents.ts", ...more];
  const { error, status, stderr } = spawnSync(bun, args, {
    cwd: root,
    stdio: ["ignore", "inherit", "pipe"],
    encoding: "utf8",
    maxBuffer: 1 << 28,
    timeout,
  });
  process.stderr.write(stderr ?? "");
  // Those that failed are told once more at the end.
  const count = (word) => new Set((stderr ?? "").match(new RegExp(`^\\(${word}\\).*`, "gm"))).size;
  const isStopped = error?.code === "ETIMEDOUT";
  const rest = isStopped ? "; stopped after 3 minutes, the rest was not run" : "";
  console.log(`real agents: ${count("pass")} as expected, ${count("fail")} not${rest}`);
  if (count("fail") > 0 || (status !== 0 && !isStopped)) process.exit(1);
}

const [task = "", ...rest] = process.argv.slice(2);
const tasks = {
  build: () => run(bun, ["scripts/build.ts", ...rest]),
  demo: () => {
    build();
    run(join(root, "dist", "continuity"), ["demo", ...rest]);
  },
  test: () => {
    build();
    ensureChromium(rest);
    run(bun, ["scripts/test.ts", ...rest]);
  },
  // The real agents; with `--if-cached` only where they are installed already, as in continuous integration. `--newest`
  // takes the versions that are the newest in npm today, Claude Code's too. `--sweep` runs recorded payloads and mutations
  // of them instead, for which no agent is needed.
  agents: () => {
    if (rest[0] === "--sweep") {
      build();
      run(bun, ["test/agents/sweep.ts"]);
      return;
    }
    const clients = "test/agents/clients.ts";
    const isCi = rest[0] === "--if-cached";
    if (isCi && spawnSync(bun, [clients, "--cached"], { cwd: root }).status !== 0) {
      console.log("real agents: not in the cache, not run; `npm run test:agents` puts them there");
      return;
    }
    const isNewest = rest[0] === "--newest";
    if (isNewest) useNewestAgents();
    if (!isCi) run(bun, [clients]);
    build();
    runAgents(isNewest ? claudeTests : [], isCi ? agentsCiMs : undefined);
  },
  check: () => run(bun, ["scripts/check.ts", ...rest]),
  bench: () => {
    build();
    run(bun, [`lab/bench/${rest[0] ?? "hooks"}.ts`, ...rest.slice(1)]);
  },
  fix: () => {
    run(join(bin, "oxlint"), ["--type-aware", "--fix"]);
    run(join(bin, "oxfmt"), ["src", "test", "lab", "scripts"]);
  },
  docs: () => {
    build();
    run(bun, ["scripts/gen-docs.ts", ...rest]);
  },
  sim: () => run(bun, ["lab/sim/run.ts", ...rest]),
  faults: () => {
    build();
    run(bun, ["lab/faults/run.ts", ...rest]);
  },
  fuzz: () => run(bun, ["lab/fuzz/run.ts", ...rest]),
  load: () => {
    build();
    run(bun, ["lab/load/run.ts", ...rest]);
  },
  proof: () => {
    build();
    run(bun, [`lab/proof/${rest[0] ?? "tasks"}.ts`, ...rest.slice(1)]);
  },
  firstday: () => run(bun, ["lab/firstday/run.ts", ...rest]),
  release: () => run(bun, ["scripts/release.ts", ...rest]),
};

if (!Object.hasOwn(tasks, task)) {
  console.error(`usage: node scripts/run.mjs ${Object.keys(tasks).join("|")}`);
  process.exit(2);
}
const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
if (Number(process.versions.node.split(".")[0]) < 20) {
  console.error(`continuity: Node ${engines.node} is needed, this is ${process.version}`);
  process.exit(1);
}
ensureInstalled();
tasks[task]();

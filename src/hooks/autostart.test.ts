import { expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  clearStartMark,
  daemonEnvironment,
  holdOffStarts,
  isStartAwaited,
  startDaemon,
} from "./autostart.ts";
import { testHome, type TestHome } from "../../test/support/hooks.ts";

test("the daemon inherits what is on the list and nothing else", () => {
  const env = {
    PATH: "/bin",
    HOME: "/home/dev",
    LC_TIME: "C",
    TZ: "UTC",
    CONTINUITY_PORT: "0",
    CONTINUITY_IDLE_EXIT: "never",
    CONTINUITY_LOG_LEVEL: "debug",
    HTTPS_PROXY: "http://proxy",
    https_proxy: "http://proxy",
    ALL_PROXY: "http://proxy",
    NO_PROXY: "*",
    SSL_CERT_FILE: "/tmp/evil.pem",
    SSL_CERT_DIR: "/tmp",
    NODE_EXTRA_CA_CERTS: "/tmp/evil.pem",
    NODE_TLS_REJECT_UNAUTHORIZED: "0",
    CONTINUITY_LLM_PROVIDER: "ollama",
    CONTINUITY_LLM_TOKENS_PER_DAY: "1000000000",
    CONTINUITY_PRIVACY_REDACT: "[]",
    CONTINUITY_CAPTURE_BORING: "[]",
    CONTINUITY_INJECT_PROMPT: "off",
    CONTINUITY_ANYTHING: "1",
    CONTINUITY_HOME: "/home/link",
    CONTINUITY_NOW: "1",
    CONTINUITY_INTERNAL: "0",
    CONTINUITY_OFF: "0",
    ANTHROPIC_API_KEY: "sk",
    AWS_SECRET_ACCESS_KEY: "x",
    CLAUDECODE: "1",
    CLAUDE_PROJECT_DIR: "/p",
    BUN_OPTIONS: "--preload evil.ts",
    NODE_OPTIONS: "--require evil",
    LD_PRELOAD: "evil.so",
    UNSET: undefined,
  };
  expect(daemonEnvironment(env, "/home/dev/.continuity")).toEqual({
    PATH: "/bin",
    HOME: "/home/dev",
    LC_TIME: "C",
    TZ: "UTC",
    CONTINUITY_PORT: "0",
    CONTINUITY_IDLE_EXIT: "never",
    CONTINUITY_LOG_LEVEL: "debug",
    CONTINUITY_HOME: "/home/dev/.continuity",
  });
});

const start = (home: TestHome, nowMs: number) =>
  startDaemon({ paths: home.paths, env: {}, command: ["/bin/true"], nowMs });

test("a daemon is started with a bound on the garbage that it lets grow", async () => {
  using home = testHome();
  const told = join(home.paths.root, "told");
  Bun.spawnSync(["mkfifo", told]);
  const command = ["/bin/sh", "-c", 'echo "$BUN_JSC_forceRAMSize" > "$CONTINUITY_HOME/told"'];
  startDaemon({ paths: home.paths, env: {}, command, nowMs: 1 });
  const reader = Bun.spawn(["cat", told]);
  expect(Number(await reader.stdout.text())).toBeGreaterThan(0);
});

test("of many hooks at once one starts a process", () => {
  using home = testHome();
  expect([1, 2, 3].map((ms) => start(home, ms))).toEqual([
    "started",
    "being-started",
    "being-started",
  ]);
});

test("a start that came to nothing is tried again after some seconds", () => {
  using home = testHome();
  start(home, 1_000);
  expect(start(home, 5_999)).toBe("being-started");
  expect(start(home, 6_000)).toBe("started");
});

test("a mark from a clock that ran ahead does not keep the daemon away for ever", () => {
  using home = testHome();
  start(home, 9_000_000_000);
  expect(start(home, 1_000)).toBe("started");
});

test("garbage in the mark is no start", () => {
  using home = testHome();
  writeFileSync(`${home.paths.root}/daemon.starting`, "\u0000garbage");
  expect(start(home, 1_000)).toBe("started");
});

test("a daemon that is up clears the mark; one that cannot start extends it", () => {
  using home = testHome();
  start(home, 1_000);
  holdOffStarts(home.paths, 61_000);
  expect(start(home, 30_000)).toBe("being-started");
  clearStartMark(home.paths);
  expect(existsSync(`${home.paths.root}/daemon.starting`)).toBe(false);
  expect(start(home, 30_000)).toBe("started");
});

test("a program that does not exist is a failure, not an exception", () => {
  using home = testHome();
  const input = { paths: home.paths, env: {}, command: ["/no/such/program"], nowMs: 1 };
  expect(startDaemon(input)).toBe("failed");
});

test("a start is awaited until the daemon is up or was stopped", () => {
  using home = testHome();
  expect(isStartAwaited(home.paths)).toBe(false);
  start(home, 1_000);
  expect(isStartAwaited(home.paths)).toBe(true);
  clearStartMark(home.paths);
  expect(isStartAwaited(home.paths)).toBe(false);
});

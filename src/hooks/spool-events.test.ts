import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { stoppedClock } from "#kit";
import { defaultSettings, type HookEnvelope, type SpoolGate } from "#domain";
import { createGate } from "#privacy";
import { readSpooled, spooledNames } from "./spool.ts";
import { spoolEvents } from "./spool-events.ts";
import { plainGate, testEnvelope, testHome, type TestHome } from "../../test/support/hooks.ts";

const clock = stoppedClock(1_700_000_000_000);

const spool = (
  home: TestHome,
  envelopes: readonly HookEnvelope[],
  exclude: readonly string[] = [],
  gate: SpoolGate = plainGate,
) => {
  clock.advance(1);
  return spoolEvents(
    {
      paths: home.paths,
      gate,
      settings: { ...defaultSettings, privacy: { exclude, redact: [], allow: [] } },
      env: { HOME: "/home/dev" },
      arrivalMs: clock.nowMs(),
      leavesNoRecord: () => false,
    },
    envelopes,
  );
};

const event = (hook: HookEnvelope["hook"], n: number, payload: Record<string, unknown>) =>
  testEnvelope({
    hook,
    key: `f${String(n).padStart(31, "0")}`,
    gated: false,
    payload: { session_id: "s-1", cwd: "/nowhere/shop", prompt_id: "p-1", ...payload },
  });

const written = (home: TestHome): readonly (HookEnvelope | null)[] =>
  spooledNames(home.paths).map((name) => readSpooled(home.paths, name));

test("a spooled event is gated and knows its project, whose folder may be gone tomorrow", () => {
  using home = testHome();
  const outcome = spool(home, [event("submit", 1, { prompt: "use SECRETabc" })]);
  expect(outcome.type).toBe("spooled");
  const [first] = written(home);
  expect(first?.gated).toBe(true);
  expect(first?.project).toMatchObject({ name: "shop" });
  expect(JSON.stringify(first)).not.toContain("SECRETabc");
});

test("nothing of an excluded project reaches the disk, not even a folder", () => {
  using home = testHome();
  const outcome = spool(home, [event("submit", 1, { prompt: "hello" })], ["/nowhere/*"]);
  expect(outcome).toEqual({ type: "excluded" });
  expect(existsSync(home.paths.spool)).toBe(false);
});

test("a tool that touched an excluded file leaves no trace; its neighbour does", () => {
  using home = testHome();
  mkdirSync(`${home.paths.root}/shop`);
  writeFileSync(`${home.paths.root}/shop/.continuityignore`, "secret/\n");
  const call = (n: number, file: string) =>
    event("tool", n, {
      cwd: `${home.paths.root}/shop`,
      tool_name: "Edit",
      tool_input: { file_path: file },
    });
  const outcome = spool(home, [call(1, "secret/plan.md"), call(2, "src/cart.ts")]);
  expect(outcome.type).toBe("spooled");
  expect(written(home)).toHaveLength(1);
  expect(JSON.stringify(written(home))).not.toContain("plan.md");
});

test("the calls of a batch keep their order", () => {
  using home = testHome();
  spool(
    home,
    [3, 1, 2].map((n) => event("tool", n, { tool_name: `Tool${n}` })),
  );
  expect(written(home).map((one) => one?.payload["tool_name"])).toEqual([
    "Tool3",
    "Tool1",
    "Tool2",
  ]);
});

test("after a partly private prompt the answer and the tool texts of its turn lose their words", () => {
  using home = testHome();
  spool(home, [event("submit", 1, { prompt: "fix it <private>for client Hooli</private>" })]);
  spool(home, [event("tool", 2, { tool_name: "Bash", tool_response: { stdout: "Hooli" } })]);
  spool(home, [event("stop", 3, { last_assistant_message: "Fixed for Hooli." })]);
  spool(home, [event("compact", 4, { compact_summary: "We worked for Hooli." })]);
  spool(home, [event("submit", 5, { prompt_id: "p-2", prompt: "now the tests" })]);
  spool(home, [event("stop", 6, { prompt_id: "p-2", last_assistant_message: "All green." })]);
  const all = written(home);
  expect(all).toHaveLength(6);
  expect(JSON.stringify(all)).not.toContain("Hooli");
  expect(JSON.stringify(all[5])).toContain("All green.");
});

test("what repeats a secret of the prompt loses it, in a later process too, and no file can tell it", () => {
  using home = testHome();
  spool(home, [event("submit", 1, { prompt: "log in with SECRETabc9Zx1" })]);
  spool(home, [event("tool", 2, { tool_name: "Bash", tool_input: { command: "x ops:abc9Zx1" } })]);
  spool(home, [event("stop", 3, { last_assistant_message: "Tried abc9Zx1. All green." })]);
  const all = JSON.stringify(written(home));
  expect(all).not.toContain("abc9Zx1");
  expect(all).toContain("All green.");
});

test("without prompt ids, the next prompt ends the private turn", () => {
  using home = testHome();
  const old = (hook: HookEnvelope["hook"], n: number, payload: Record<string, unknown>) =>
    event(hook, n, { prompt_id: undefined, ...payload });
  spool(home, [old("submit", 1, { prompt: "<private>Hooli</private> hello" })]);
  spool(home, [old("stop", 2, { last_assistant_message: "Hooli it is." })]);
  spool(home, [old("submit", 3, { prompt: "now the tests" })]);
  spool(home, [old("stop", 4, { last_assistant_message: "All green." })]);
  expect(JSON.stringify(written(home))).not.toContain("Hooli");
  expect(JSON.stringify(written(home))).toContain("All green.");
});

test("the mark of a private turn does not hold what was private", () => {
  using home = testHome();
  spool(home, [event("submit", 1, { prompt: "<private>Hooli</private>" })]);
  const { stdout } = Bun.spawnSync(["grep", "-rl", "Hooli", home.paths.root]);
  expect(stdout.toString()).toBe("");
  expect(existsSync(`${home.paths.spool}/private`)).toBe(true);
});

test("a secret is hidden in what the session says later, by a hash of it alone", () => {
  using home = testHome();
  const gate = createGate({ redact: [] });
  spool(home, [event("submit", 1, { prompt: "the wifi password is Plum.Harbor.7" })], [], gate);
  const tool = { tool_name: "Bash", tool_input: { command: "./login.sh Plum.Harbor.7" } };
  spool(home, [event("tool", 2, tool)], [], gate);
  spool(home, [event("stop", 3, { last_assistant_message: "Plum.Harbor.7 works." })], [], gate);
  expect(JSON.stringify(written(home))).toContain("[redacted:secret] works.");
  const { stdout } = Bun.spawnSync(["grep", "-rli", "Plum.Harbor.7", home.paths.root]);
  expect(stdout.toString()).toBe("");
});

test("a home that cannot be written is refused with the system's reason", () => {
  using home = testHome();
  writeFileSync(home.paths.spool, "a file, not a folder");
  expect(spool(home, [event("submit", 1, { prompt: "hello" })])).toMatchObject({ type: "refused" });
  expect(readFileSync(home.paths.spool, "utf8")).toBe("a file, not a folder");
});

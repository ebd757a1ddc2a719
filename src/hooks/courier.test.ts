import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { stoppedClock } from "#kit";
import { defaultSettings, type HookEnvelope, type HookName } from "#domain";
import { createAwayHook, type AwayHook } from "./away.ts";
import { isStopCarried, parseCarried } from "./gate-envelope.ts";
import { mayBePrivate, turnStanding } from "./private-turn.ts";
import { readSpooled, spooledNames } from "./spool.ts";
import { cpuMs } from "../../test/support/cpu-ms.ts";
import { plainGate, testEnvelope, testHome, type TestHome } from "../../test/support/hooks.ts";

const arrivalMs = 1_700_000_000_000;
const place = ({ paths }: TestHome) => ({ paths, env: {}, clock: stoppedClock(arrivalMs) });

/** Writes down what it was handed, as a courier that never gates it. */
const keeper = [
  "/bin/sh",
  "-c",
  'cat > "$CONTINUITY_HOME/part" && mv "$CONTINUITY_HOME/part" "$CONTINUITY_HOME/handed"',
];

const away = (command: readonly string[], gated: string[] = []): AwayHook =>
  createAwayHook({
    command,
    openLog: async () => ({ write: () => undefined }),
    loadGate: async (_, texts) => {
      gated.push(...texts);
      return plainGate;
    },
    loadSettings: async () => ({
      ...defaultSettings,
      server: { ...defaultSettings.server, autostart: false },
    }),
    loadOrders: async () => (prompt) => prompt.startsWith("Off the record"),
    readStartContext: async () => "",
  });

const long = (text: string, hook: HookName = "submit"): HookEnvelope =>
  testEnvelope({
    hook,
    gated: false,
    payload: { session_id: "s-1", prompt_id: "p-1", prompt: `${text} ${"word ".repeat(4_000)}` },
  });

const deliver = async (
  home: TestHome,
  hook: AwayHook,
  envelope: HookEnvelope,
  outcome: Parameters<AwayHook["deliver"]>[0]["outcome"] = { type: "away" },
): Promise<void> =>
  hook.deliver({
    ...place(home),
    envelopes: [envelope],
    outcome,
    leftMs: () => 100,
    answer: async () => false,
  });

async function handed(home: TestHome): Promise<string> {
  const file = `${home.paths.root}/handed`;
  while (!existsSync(file)) await Bun.sleep(5);
  return readFileSync(file, "utf8");
}

test("a long prompt without a daemon goes to a courier whole, ungated by the hook and not to the spool", async () => {
  using home = testHome();
  const gated: string[] = [];
  await deliver(home, away(keeper, gated), long("the key is SECRET12"));
  expect(gated).toEqual([]);
  expect(spooledNames(home.paths)).toEqual([]);
  expect(parseCarried(await handed(home))).toMatchObject({
    arrivalMs,
    isSlow: false,
    envelopes: [{ gated: false, payload: { prompt: expect.stringContaining("SECRET12") } }],
  });
});

test("a courier gates and spools what it was handed, in the order in which it came", async () => {
  using home = testHome();
  const carried = { envelopes: [long("the key is SECRET12")], arrivalMs: arrivalMs - 5_000 };
  await away([]).carry(place(home), JSON.stringify(carried));
  const [name = ""] = spooledNames(home.paths);
  expect(name).toStartWith(String(arrivalMs - 5_000).padStart(15, "0"));
  expect(readSpooled(home.paths, name)).toMatchObject({
    gated: true,
    payload: { prompt: expect.stringContaining("the key is [redacted:test]") },
  });
});

test("a courier that asks a slow daemon once more and is answered gates and spools nothing", async () => {
  using home = testHome();
  const seen: unknown[] = [];
  const server = Bun.serve({
    unix: home.paths.socket,
    fetch: async (request) => {
      seen.push(await request.json());
      return Response.json({ context: "", fresh: false });
    },
  });
  const gated: string[] = [];
  const carried = { envelopes: [long("hello")], arrivalMs, isSlow: true };
  await away([], gated).carry(place(home), JSON.stringify(carried));
  await server.stop(true);
  expect(seen).toHaveLength(1);
  expect(gated).toEqual([]);
  expect(existsSync(home.paths.spool)).toBe(false);
});

test("a courier whose daemon went away spools, and what is no event is left alone", async () => {
  using home = testHome();
  const hook = away([]);
  await hook.carry(
    place(home),
    JSON.stringify({ envelopes: [long("hello")], arrivalMs, isSlow: true }),
  );
  expect(spooledNames(home.paths)).toHaveLength(1);
  for (const text of ["", "{", '{"envelopes":[{}],"arrivalMs":1}'])
    await hook.carry(place(home), text);
  expect(spooledNames(home.paths)).toHaveLength(1);
});

test("of a long prompt off the record a courier spools no word", async () => {
  using home = testHome();
  const carried = { envelopes: [long("Off the record: the zebrafish is ill")], arrivalMs };
  await away([]).carry(place(home), JSON.stringify(carried));
  const [name = ""] = spooledNames(home.paths);
  const spooled = readSpooled(home.paths, name);
  expect(spooled).toMatchObject({ gated: true, payload: { off_the_record: true } });
  expect(JSON.stringify(spooled)).not.toContain("zebrafish");
  const answer = testEnvelope({ hook: "stop", payload: { session_id: "s-1", prompt_id: "p-1" } });
  expect(turnStanding(home.paths, answer)).toBe("off the record");
});

test("while a courier is on its way with a Stop, the session says so", async () => {
  using home = testHome();
  const isCarried = (): boolean => isStopCarried(home.paths, "s-1", arrivalMs + 1_000);
  await deliver(home, away(keeper), long("fix it"));
  expect(isCarried()).toBe(false);
  await deliver(home, away(keeper), long("Fixed.", "stop"));
  expect(isCarried()).toBe(true);
  expect(isStopCarried(home.paths, "s-2", arrivalMs)).toBe(false);
  // A courier that died says nothing for long.
  expect(isStopCarried(home.paths, "s-1", arrivalMs + 120_000)).toBe(false);
  const carried = { envelopes: [long("Fixed.", "stop")], arrivalMs, isSlow: false };
  await away([]).carry(place(home), JSON.stringify(carried));
  expect(isCarried()).toBe(false);
  await deliver(home, away(["/no/such/program"]), long("Fixed.", "stop"));
  expect(isCarried()).toBe(false);
});

test("a Stop is spooled where it cannot be noted that a courier has it", async () => {
  using home = testHome();
  mkdirSync(home.paths.spool, { recursive: true });
  writeFileSync(`${home.paths.spool}/carried`, "");
  await deliver(home, away(["/no/such/program"]), long("Fixed.", "stop"));
  expect(spooledNames(home.paths)).toHaveLength(1);
  expect(isStopCarried(home.paths, "s-1", arrivalMs)).toBe(false);
});

test("where no courier can be started, the hook gates and spools by itself", async () => {
  using home = testHome();
  await deliver(home, away(["/no/such/program"]), long("the key is SECRET12"));
  expect(spooledNames(home.paths)).toHaveLength(1);
});

test("a turn whose prompt a courier has is private at once", async () => {
  using home = testHome();
  await deliver(home, away(keeper), long("<private>mine</private>"));
  const answer = testEnvelope({ hook: "stop", payload: { session_id: "s-1", prompt_id: "p-1" } });
  expect(turnStanding(home.paths, answer)).toBe("private");
  await handed(home);
});

test.each(["<", "</", "< / "])("1 MB of blanks behind %p is looked through at once", (start) => {
  const started = cpuMs();
  const prompt = start + " ".repeat(1_000_000);
  expect(mayBePrivate(testEnvelope({ hook: "submit", payload: { prompt } }))).toBe(false);
  expect(cpuMs() - started).toBeLessThan(500);
});

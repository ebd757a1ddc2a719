/** Two homes that share a folder, with the built program: what is said, changed and forgotten, and a carrier that lies. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { binary, contextOf, openProgram, type Program } from "../support/program.ts";

// Dozens of commands one after the other.
setDefaultTimeout(240_000);

const run = async (
  program: Program,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const ran = await program.run(args, { env });
  if (ran.status !== 0) throw new Error(`${args.join(" ")}: ${ran.err}${ran.out}`);
  return ran.out;
};

const find = (program: Program, words: string): Promise<string> =>
  run(program, ["find", "--all-projects", words]);

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });

const holding = (folder: string, text: string): readonly string[] =>
  filesBelow(folder).filter((path) => readFileSync(path).includes(text));

/** Two homes in one space. */
async function pair(): Promise<{
  readonly a: Program;
  readonly b: Program;
  readonly shared: string;
  readonly key: string;
}> {
  const a = openProgram();
  const b = openProgram();
  const shared = join(a.folder, "shared");
  mkdirSync(shared);
  await run(a, ["sync", "init", `file://${shared}`, "--name", "laptop"]);
  const { key } = JSON.parse(await run(a, ["sync", "key", "--json"])) as { readonly key: string };
  await run(b, ["sync", "init", `file://${shared}`, "--name", "workstation"], {
    CONTINUITY_SYNC_KEY: key,
  });
  return { a, b, shared, key };
}

/** One pair for all: each test says something of its own, and the last one takes a machine out. */
let both: Awaited<ReturnType<typeof pair>>;

beforeAll(async () => {
  both = await pair();
});

afterAll(async () => {
  await both.a[Symbol.asyncDispose]();
  await both.b[Symbol.asyncDispose]();
});

const secret = "The Heron account is opened with the phrase violet tractor";

test("said on one machine, known on the other; forgotten there, gone from the files of the first", async () => {
  const { a, b, shared } = both;
  const inA = { cwd: a.project("heron") };
  const cwd = b.project("heron");
  for (const words of [
    [secret],
    ["The billing service of Heron listens on port 7071"],
    ["--category", "preferences", "I write Heron code with tabs"],
  ])
    expect((await a.run(["remember", ...words], inA)).status).toBe(0);
  await run(a, ["sync", "now"]);
  await run(b, ["sync", "now"]);
  expect(await find(b, "Heron account phrase")).toContain("violet tractor");
  const session = {
    session_id: "s-1",
    transcript_path: join(b.folder, "s-1.jsonl"),
    cwd,
  };
  const start = { ...session, hook_event_name: "SessionStart", source: "startup" };
  expect(contextOf(await b.hook("start", start))).toContain("with tabs");
  expect(holding(shared, "violet")).toEqual([]);

  const told = await run(b, ["find", "--all-projects", "--json", "Heron account phrase"]);
  const { results } = JSON.parse(told) as { readonly results: readonly { readonly uri: string }[] };
  const [found] = results;
  await run(b, ["forget", "--yes", found?.uri ?? ""]);
  await run(b, ["sync", "now"]);
  await run(a, ["sync", "now"]);
  expect(await find(a, "billing port Heron")).toContain("7071");
  for (const program of [a, b]) {
    await program.stopDaemon();
    // The name of the memory repeats its sentence.
    for (const words of ["violet tractor", "violet-tractor"])
      expect(holding(program.folder, words)).toEqual([]);
  }
  // A forgotten memory is not learnt again from the other machine.
  await run(a, ["sync", "now"]);
  await run(b, ["sync", "now"]);
  expect(await find(b, "violet tractor")).not.toContain("violet");
});

test("the daemon syncs by itself, and a session start does not wait for it", async () => {
  const { a, b } = both;
  await run(a, ["remember", "Releases of Heron go out on Tuesdays"]);
  await run(a, ["sync", "now"]);
  await b.stopDaemon();
  await b.up();
  const deadline = performance.now() + 20_000;
  while (!(await find(b, "releases Heron")).includes("Tuesdays")) {
    if (performance.now() > deadline) throw new Error(b.log().slice(-2_000));
    await Bun.sleep(200);
  }
});

test("without the key nobody joins, and a wrong key changes nothing", async () => {
  const { a, shared, key } = both;
  await using c = openProgram();
  const plain = await c.run(["sync", "init", `file://${shared}`]);
  expect(plain.status).toBe(1);
  expect(plain.err).toContain("recovery key");
  const last = key.at(-1) === "Q" ? "P" : "Q";
  const wrong = await c.run(["sync", "init", `file://${shared}`], {
    env: { CONTINUITY_SYNC_KEY: `${key.slice(0, -1)}${last}` },
  });
  expect(wrong.status).toBe(1);
  expect(wrong.err).toContain("does not open this space");
  expect(existsSync(join(c.paths.sync, "space.json"))).toBe(false);
  const again = await a.run(["sync", "key"]);
  expect(again.status).toBe(1);
  expect(again.err).toContain("shown once");
  expect(statSync(join(a.paths.sync, "space.json")).mode & 0o777).toBe(0o600);
});

test("in a terminal the recovery key of a new space is shown by the same command, once", async () => {
  await using c = openProgram();
  const other = join(c.folder, "shared");
  mkdirSync(other);
  let screen = "";
  const init = Bun.spawn([binary, "sync", "init", `file://${other}`], {
    cwd: c.folder,
    env: c.env,
    terminal: { cols: 200, rows: 50, data: (_, data) => void (screen += data.toString()) },
  });
  expect(await init.exited).toBe(0);
  expect(screen).toContain(`On each other machine: continuity sync init file://${other}`);
  const [, key = ""] = /Recovery key: (\S+)/.exec(screen) ?? [];
  expect((await c.run(["sync", "key"])).err).toContain("shown once");
  await using d = openProgram();
  await run(d, ["sync", "init", `file://${other}`], { CONTINUITY_SYNC_KEY: key });
});

test("a carrier that lies is noticed, and changes no memory", async () => {
  const { a, b, shared } = both;
  for (const text of ["Heron uses tabs", "Heron deploys on Mondays", "Heron is written in Go"]) {
    await run(a, ["remember", text]);
    await run(a, ["sync", "now"]);
  }
  await run(b, ["sync", "now"]);
  const memories = (): Promise<string> => run(b, ["list", "--json"]);
  const before = await memories();
  const log = join(shared, "log");
  const device = readdirSync(log).find((name) => readdirSync(join(log, name)).length >= 3) ?? "";
  const segments = readdirSync(join(log, device)).toSorted();
  const path = (name: string): string => join(log, device, name);
  const last = segments.at(-1) ?? "";
  const next = `${segments.length + 1}`.padStart(8, "0");
  const isNoticed = async (words: string): Promise<void> => {
    const verified = await b.run(["sync", "verify"]);
    expect(verified.status).toBe(1);
    expect(verified.out).toContain(words);
    await b.run(["sync", "now"]);
  };
  expect((await b.run(["sync", "verify"])).out).toContain("all of them fit");

  const whole = readFileSync(path(last));
  const flipped = Buffer.from(whole);
  flipped[flipped.length - 5] = (flipped[flipped.length - 5] ?? 0) ^ 1;
  writeFileSync(path(last), flipped);
  await isNoticed("damaged");
  writeFileSync(path(last), whole.subarray(0, whole.length / 2));
  await isNoticed("incomplete");
  writeFileSync(path(last), whole);

  copyFileSync(path(segments[0] ?? ""), path(`${next}.age`));
  await isNoticed("under another name");
  rmSync(path(`${next}.age`));

  rmSync(path(last));
  await isNoticed("segments end before");
  writeFileSync(path(last), whole);

  mkdirSync(join(log, "ffffffff"));
  copyFileSync(path(last), join(log, "ffffffff", "00000001.age"));
  await isNoticed("does not belong to the space");
  rmSync(join(log, "ffffffff"), { recursive: true });

  await using c = openProgram();
  const other = join(c.folder, "shared");
  mkdirSync(other);
  await run(c, ["sync", "init", `file://${other}`]);
  await run(c, ["remember", "Heron uses spaces, said a stranger"]);
  await run(c, ["sync", "now"]);
  const [stranger = ""] = readdirSync(join(other, "log"));
  copyFileSync(join(other, "log", stranger, "00000001.age"), path(`${next}.age`));
  await isNoticed("not encrypted for this space");
  rmSync(path(`${next}.age`));
  expect((await b.run(["sync", "verify"])).out).toContain("all of them fit");
  expect(await memories()).toBe(before);
});

test("a device that was removed reads nothing that is written from then on", async () => {
  const { a, b } = both;
  await run(a, ["sync", "now"]);
  expect(await run(a, ["sync", "remove", "workstation"])).toContain("removed workstation");
  await run(a, ["remember", "Heron moves to the new cluster in May"]);
  await run(a, ["sync", "now"]);
  const late = await b.run(["sync", "now"]);
  expect(late.status).toBe(1);
  expect(late.err).toContain("removed");
  expect(await find(b, "Heron cluster")).not.toContain("May");
});

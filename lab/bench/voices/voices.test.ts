/** Tests how voices are counted, on a tiny invented one and a memory whose every answer is known. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readVoice, type Voice } from "../../train/voice.ts";
import { scriptedSubject, type ScriptedSubject } from "../home/scripted.ts";
import { askProbes, replay } from "./replay.ts";
import { figuresOf } from "./score.ts";

const text = `voice pia
about Baker who codes; Go
project oven github.com/example/oven
project till

session p1 oven 2026-04-06T09:00
U> hi, the oven daemon listens on port 7001 and i am hungry
| second line
T> Bash go test ./... => ok /home/dev/oven
T> Read main.go !! no such file
A> Port 7001 it is. Tests pass.
F> P1 entities oven U [oven] [7001] The oven daemon listens on port 7001.
X> trivial i am hungry
X> secret sk_live_1234567890abcdef

session p2 till 2026-04-07T09:00
U> we moved the oven daemon to port 7002, and the till uses euros
A> Understood.
F> P2 entities oven U [oven] [7002] The oven daemon listens on port 7002. <P1
F> P3 entities till U [till] [euros] The till uses euros.

probe superseded oven 2026-05-01 P2 !P1 > which port again?
probe cross-project oven 2026-05-01 P2 > and the other one?
probe silence till 2026-05-02 > reverse a slice
`;

let folder = "";
let voice: Voice;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "continuity-voice-test-"));
  const path = join(folder, "pia.voice");
  writeFileSync(path, text);
  voice = readVoice(path);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Lives through the voice with a memory that answers as told. */
async function lived(given: Readonly<Record<string, string>>, over: Partial<ScriptedSubject> = {}) {
  const subject = { ...scriptedSubject(join(folder, "home", "dev"), given), ...over };
  await replay(subject, voice);
  const rows = await askProbes(subject, voice);
  const [memories, stored] = [await subject.memories(), subject.stored()];
  return { subject, figures: figuresOf({ voice, rows, memories, stored }) };
}

test("a session is sent as the client sends it, with the transcript that there is by then", async () => {
  const { subject } = await lived({});
  const names = subject.sent.map(({ payload }) => payload["hook_event_name"]);
  expect(names.slice(0, 8)).toEqual([
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PreToolUse",
    "PostToolUseFailure",
    "Stop",
    "SessionEnd",
  ]);
  expect(subject.sent[1]?.payload).toMatchObject({
    prompt: "hi, the oven daemon listens on port 7001 and i am hungry\nsecond line".replace(
      "\\\n",
      "\n",
    ),
    cwd: `${subject.home}/oven`,
  });
  expect(subject.sent[3]?.payload["tool_response"]).toMatchObject({
    stdout: `ok ${subject.home}/oven`,
  });
  const lines = readFileSync(String(subject.sent[7]?.payload["transcript_path"]), "utf8");
  expect(lines.trimEnd().split("\n")).toHaveLength(6);
  const times = subject.sent.slice(0, 8).map(({ atMs }) => atMs);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

test("every event names a transcript that is there, in a folder that is there, and that ends with what was said", async () => {
  const { subject } = await lived({});
  const stops = subject.sent.filter(({ payload }) => payload["hook_event_name"] === "Stop");
  expect(stops).toHaveLength(2);
  for (const { payload } of stops) {
    const lines = readFileSync(String(payload["transcript_path"]), "utf8").trimEnd().split("\n");
    const rows = lines.map((line): { readonly cwd: string } => JSON.parse(line));
    expect(new Set(rows.map(({ cwd }) => cwd))).toEqual(new Set([payload.cwd]));
    expect(existsSync(payload.cwd)).toBe(true);
    expect(lines.at(-1)).toContain(String(payload["last_assistant_message"]));
  }
});

test("a memory that says nothing is silent, and right about nothing", async () => {
  const { figures } = await lived({});
  expect(figures).toMatchObject({
    prompt: 0,
    context: 0,
    right: 0,
    silent: 1,
    spoke: 0,
    foreign: 0,
  });
});

test("what was needed counts where it was told; a replaced value as current, and another project's fact, count against", async () => {
  const { figures } = await lived({
    SessionStart: "- The oven listens on 7002",
    "which port again?": "- The oven listens on port 7001",
    "and the other one?": "- The oven is on 7002\n- The till counts in euros",
    "reverse a slice": "- The till counts in euros",
  });
  expect(figures).toMatchObject({
    prompt: 0.5,
    context: 1,
    right: 1 / 3,
    foreign: 1,
    silent: 0,
    spoke: 1,
    stale: 1,
    old_start: 0,
    with_stale: 1,
    noise: 1,
    kinds: { "cross-project": [1, 1], superseded: [0, 1] },
  });
});

test("a value that is told as past, or beside the one that holds, is not stale", async () => {
  for (const line of ["- no longer: oven on 7001", "- oven 7001\n  now oven 7002"]) {
    const { figures } = await lived({ "which port again?": line });
    expect(figures.stale).toBe(0);
  }
});

test("idle talk among the memories and secrets in the files are named, the secret only by its beginning", async () => {
  const { figures } = await lived(
    {},
    {
      memories: async () => [{ uri: "mem://x", l0: "User: I am  hungry; oven 7001", l1: null }],
      stored: () => [new TextEncoder().encode("…sk_live_1234567890abcdef…")],
    },
  );
  expect(figures).toMatchObject({ trivial: 1, trivial_of: 1, leaks: ["sk_live_1234…"] });
  expect(figures.captured).toBeCloseTo(1 / 3);
});

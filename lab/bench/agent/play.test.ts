/** Plays an agent: what a step shows, that a turn ends only with the next, and that calls belong to the open turn. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readVoice } from "../../train/voice.ts";
import { scriptedSubject } from "../home/scripted.ts";
import { savedIn } from "../voices/score.ts";
import { call, callsIn, step, writePlay } from "./play.ts";

const text = `voice pia
about Baker who codes; Go
project oven github.com/example/oven

session p1 oven 2026-04-06T09:00
U> the oven daemon listens on port 7001
T> Bash go test ./... => ok
A> Port 7001 it is.
F> P1 entities oven U [oven] [7001] The oven daemon listens on port 7001.
U> no, on 7002
A> Changed.
F> P2 entities oven U [oven] [7002] The oven daemon listens on port 7002. <P1

session p2 oven 2026-04-07T09:00
U> bread needs flour of type 1050
A> Noted.
F> P3 entities oven U [flour] [1050] Bread needs flour of type 1050.
`;

let folder = "";
let source = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "continuity-agent-test-"));
  source = join(folder, "pia.voice");
  writeFileSync(source, text);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a step shows one turn, which stays open for calls until the next step", async () => {
  const dir = join(folder, "play");
  mkdirSync(dir);
  writePlay(dir, { source, binary: "", session: 0, event: 0 });
  const subject = scriptedSubject(join(dir, "home", "dev"), {
    SessionStart: "knows nothing",
    "no, on 7002": "knows 7001",
  });
  const names = () => subject.sent.map(({ payload }) => payload["hook_event_name"]);
  const first = await step(subject, dir);
  expect(first).toMatch(
    /session 1 of 2, oven[^]*knows nothing[^]*port 7001[^]*Bash[^]*Port 7001 it is/u,
  );
  expect(first).not.toContain("7002");
  expect(names()).not.toContain("Stop");
  const input = { line: "The oven daemon listens on port 7001" };
  expect(await call(subject, dir, ["memory_remember", input])).toBe("called memory_remember");
  const second = await step(subject, dir);
  expect(second).toMatch(/no, on 7002[^]*knows 7001[^]*Changed/u);
  expect(names().filter((name) => name === "Stop")).toHaveLength(1);
  await call(subject, dir, ["memory_search", { query: "oven" }]);
  const [saved, searched] = subject.called;
  expect(saved).toMatchObject({ name: "memory_remember", input });
  expect(saved?.sessionId).toBe(searched?.sessionId ?? "");
  expect(saved?.atMs).toBeLessThan(searched?.atMs ?? 0);
  expect(callsIn(dir)).toHaveLength(2);
  expect(await step(subject, dir)).toContain("session 2 of 2");
  expect(await step(subject, dir)).toBe("");
  expect(names().filter((name) => name === "SessionEnd")).toHaveLength(2);
  expect(await call(subject, dir, ["memory_search", { query: "oven" }])).toBe("no turn is open");
});

test("a message that was typed while the agent worked is shown with its turn, and may be quoted", async () => {
  const project = join(folder, "-home-dev-oven");
  mkdirSync(project);
  const base = { timestamp: "2026-04-06T09:00:00Z", sessionId: "s1", cwd: "/home/dev/oven" };
  const lines = [
    { ...base, type: "user", uuid: "u1", message: { role: "user", content: "heat it" } },
    { ...base, type: "queue-operation", operation: "enqueue", content: "never above 250" },
    { ...base, type: "queue-operation", operation: "remove" },
    { ...base, type: "assistant", message: { content: [{ type: "text", text: "Heated." }] } },
  ];
  writeFileSync(join(project, "s1.jsonl"), lines.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const dir = join(folder, "queued");
  mkdirSync(dir);
  writePlay(dir, { source: project, binary: "", session: 0, event: 0 });
  const subject = scriptedSubject(join(dir, "home", "dev"), {});
  expect(await step(subject, dir)).toMatch(/heat it[^]*TYPED WHILE YOU WORKED\]\nnever above 250/u);
  const path = String(subject.sent[0]?.payload["transcript_path"]);
  expect(readFileSync(path, "utf8")).toContain("never above 250");
});

test("of what the user said, what holds is counted, and what is told though it was replaced", () => {
  const memory = (l0: string) => ({ uri: "mem://x", l0, l1: null });
  const voice = readVoice(source);
  const saved = savedIn(voice, [memory("The oven daemon listens on port 7001")]);
  expect(saved).toMatchObject({ said: 2, saved: 0, trivial: 0 });
  expect(saved.stale).toEqual([expect.stringContaining("P1")]);
  const all = savedIn(voice, [memory("oven on port 7002"), memory("flour of type 1050")]);
  expect(all).toMatchObject({ said: 2, saved: 2, stale: [], missed: [] });
});

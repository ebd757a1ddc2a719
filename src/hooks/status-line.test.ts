import { expect, test } from "bun:test";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Input } from "./stdin.ts";
import { parseInput, renderAnswer, renderWaiting, runStatusLine } from "./status-line.ts";

test.each([
  {
    name: "the client's document",
    text: '{"session_id":"s-1","cwd":"/a","workspace":{"current_dir":"/b"},"cost":{"total_duration_ms":12.6}}',
    asked: { sessionId: "s-1", cwd: "/b", ageMs: 13 },
  },
  {
    name: "an older one",
    text: '{"session_id":"s","cwd":"/a"}',
    asked: { sessionId: "s", cwd: "/a", ageMs: null },
  },
  { name: "nothing", text: "", asked: { sessionId: "none", cwd: null, ageMs: null } },
  { name: "a list", text: "[1]", asked: { sessionId: "none", cwd: null, ageMs: null } },
  {
    name: "values of other kinds",
    text: '{"session_id":"../../x","cwd":7,"cost":{"total_duration_ms":-1}}',
    asked: { sessionId: "none", cwd: null, ageMs: null },
  },
])("of $name is read what there is", ({ text, asked }) => {
  expect(parseInput(text)).toEqual(asked);
});

test.each([
  { answer: { surfaced: 0, tokens: null, trouble: null }, line: "continuity: on" },
  { answer: { surfaced: 1 }, line: "continuity: 1 memory" },
  {
    answer: {
      surfaced: 3,
      tokens: { today: 1_249, per_day: 300_000 },
      trouble: null,
    },
    line: "continuity: 3 memories · 1k of 300k tokens",
  },
  {
    answer: { surfaced: 2, trouble: "4 events wait" },
    line: "continuity: 2 memories · ! 4 events wait; see `continuity doctor`",
  },
  {
    answer: { surfaced: 2, trouble: "paused" },
    line: "continuity: paused (`continuity pause --off`)",
  },
  { answer: { trouble: "switched off here" }, line: "continuity: switched off here" },
  {
    answer: { surfaced: 1, trouble: "\u001b[2Jevil" },
    line: "continuity: 1 memory · ! 2Jevil; see `continuity doctor`",
  },
  { answer: "nonsense", line: "continuity: on" },
])("the answer $answer reads: $line", ({ answer, line }) => {
  expect(renderAnswer(JSON.stringify(answer))).toBe(line);
});

test("no daemon is nothing to worry about, unless events wait for one", () => {
  expect(renderWaiting(0)).toBe("continuity: idle");
  expect(renderWaiting(1)).toContain("! 1 event waits");
});

/** Runs the line in a home of its own, in which `serve` may listen. */
async function lineIn(options: {
  readonly input?: Input;
  readonly env?: Readonly<Record<string, string>>;
  readonly serve?: (request: Request) => Response | Promise<Response>;
}): Promise<{ readonly line: string; readonly status: number; readonly ms: number }> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "continuity-line-")));
  const { serve } = options;
  const server =
    serve === undefined ? null : Bun.serve({ unix: join(home, "daemon.sock"), fetch: serve });
  let line = "";
  const started = performance.now();
  const status = await runStatusLine({
    env: { CONTINUITY_HOME: home, ...options.env },
    readStdin: async () => options.input ?? { type: "text", text: '{"session_id":"s-1"}' },
    print: async (text) => (line += text) !== "",
  });
  const ms = performance.now() - started;
  await server?.stop(true);
  rmSync(home, { recursive: true, force: true });
  return { line, status, ms };
}

test("the daemon is asked about this session, and its answer is one line", async () => {
  const asked: string[] = [];
  const { line, status } = await lineIn({
    serve: (request) => {
      asked.push(new URL(request.url).pathname + new URL(request.url).search);
      return Response.json({ surfaced: 2 });
    },
  });
  expect(asked).toEqual(["/api/statusline?session=s-1"]);
  expect([line, status]).toEqual(["continuity: 2 memories\n", 0]);
});

test.each([
  { name: "no daemon", options: {}, line: "continuity: idle\n" },
  {
    name: "a terminal",
    options: { input: { type: "terminal" } as const },
    line: /^continuity: idle/,
  },
  {
    name: "an older daemon",
    options: { serve: () => new Response(null, { status: 404 }) },
    line: "continuity: on\n",
  },
  {
    name: "the shell switched off",
    options: { env: { CONTINUITY_OFF: "1" } },
    line: /off in this shell/,
  },
])("with $name it says so in one line and ends with 0", async ({ options, line }) => {
  const ran = await lineIn(options);
  expect(ran.status).toBe(0);
  if (typeof line === "string") expect(ran.line).toBe(line);
  else expect(ran.line).toMatch(line);
  expect(ran.line.split("\n")).toHaveLength(2);
});

test("a daemon that hangs costs the deadline and is named", async () => {
  const { line, ms } = await lineIn({ serve: () => new Promise<Response>(() => undefined) });
  expect(line).toContain("does not answer");
  expect(ms).toBeLessThan(1_000);
});

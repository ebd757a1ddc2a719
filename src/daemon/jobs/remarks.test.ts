/** Agent's texts between its tools: read from the client's transcript, kept with their turn, told to a model. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { homePaths } from "#domain";
import { scriptedLlm } from "../../../test/support/scripted-llm.ts";
import { openTestWorker, type TestWorker } from "../../../test/support/worker.ts";
import { createTranscriptPort } from "./transcript-reading.ts";

let folder = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "continuity-remarks-"));
  path = join(folder, "s-1.jsonl");
  writeFileSync(path, "");
  hooked = null;
  submitted = new Set();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The program that hooks tell of each call that is written to the transcript; null: no hook does. */
let hooked: TestWorker | null = null;
let submitted = new Set<string>();

function open(options: Parameters<typeof openTestWorker>[0] = {}): TestWorker {
  hooked = openTestWorker({
    transcripts: createTranscriptPort(homePaths(join(folder, "home"))),
    ...options,
  });
  return hooked;
}

/** Lines as the client writes them. */
const base = { isSidechain: false, sessionId: "s-1", cwd: "/home/dev/deskly", version: "2.1.332" };
const user = (id: string, content: unknown) => ({
  ...base,
  type: "user",
  promptId: id,
  timestamp: "2026-03-02T09:00:01.000Z",
  message: { role: "user", content },
});
const agent = (id: string, block: object) => ({
  ...base,
  type: "assistant",
  timestamp: "2026-03-02T09:00:02.000Z",
  message: { id, role: "assistant", model: "claude", content: [block] },
});
const say = (text: string) => agent(`m-${text}`, { type: "text", text });
let calls = 0;
const work = (id: string) => {
  const call = `t-${(calls += 1)}`;
  return [
    agent(call, { type: "tool_use", id: call, name: "Bash", input: { command: "pnpm test" } }),
    user(id, [{ type: "tool_result", tool_use_id: call, content: "ok" }]),
  ];
};
interface Line {
  readonly [field: string]: unknown;
  readonly promptId?: string | undefined;
  readonly message?: { readonly content?: unknown };
}

/** Writes to the transcript; hooks tell of the calls of turns that they told of, if they tell of any. */
function write(...lines: readonly Line[]): void {
  appendFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  for (const { promptId, message, forkedFrom } of lines) {
    const [block] = Array.isArray(message?.content) ? message.content : [];
    const isOurs = promptId === undefined || submitted.has(promptId);
    if (block?.tool_use_id === undefined || forkedFrom !== undefined || !isOurs) continue;
    tell(promptId, block.tool_use_id);
  }
}

const tell = (promptId: string | undefined, toolUseId: string): void =>
  void hooked?.send("tool", "PostToolUse", {
    ...at(),
    ...(promptId === undefined ? {} : { prompt_id: promptId }),
    tool_use_id: toolUseId,
    tool_name: "Bash",
    tool_input: { command: "pnpm test" },
    tool_response: { stdout: "ok" },
  });

const at = () => ({ transcript_path: path });
function submit(app: TestWorker, prompt: string, id: string, more: object = {}): void {
  submitted.add(id);
  app.send("submit", "UserPromptSubmit", { ...at(), prompt, prompt_id: id, ...more });
}
const tool = (app: TestWorker, id: string): void =>
  void app.send("tool", "PostToolUse", {
    ...at(),
    prompt_id: id,
    tool_use_id: `h-${(calls += 1)}`,
    tool_name: "Bash",
    tool_input: { command: "pnpm test" },
    tool_response: { stdout: "ok" },
  });
const stop = (app: TestWorker, id: string): void => {
  tool(app, id);
  app.stop("Done.", id);
};
const end = async (app: TestWorker): Promise<void> => {
  app.send("end", "SessionEnd", { ...at(), reason: "other" });
  await app.settle();
};

/** Remarks that are kept, each with its turn. */
const remarksOf = (app: TestWorker): readonly (readonly [number, string | null])[] =>
  app.store.sessions
    .toolUses("s-1", null)
    .flatMap((use) => (use.tool === "Remark" ? [[use.turn, use.text] as const] : []));

const finding = "The test fails because the fixture uses UTC and the report local time.";

test("what the agent found out on the way is kept with its turn, and a model is told", async () => {
  const llm = scriptedLlm({ answer: () => ({}) });
  using app = open({ llm });
  submit(app, "make the report test pass", "p-1");
  write(user("p-1", "make the report test pass"), say(finding), ...work("p-1"));
  write(say("Now let me run the tests:"), ...work("p-1"), say("Done."));
  stop(app, "p-1");
  await end(app);
  expect(remarksOf(app)).toEqual([
    [1, finding],
    [1, "Now let me run the tests:"],
  ]);
  expect(llm.asked[0]?.prompt).toContain(`  AGENT, working: ${finding}\n  AGENT: Done.`);
});

test("a session that falls silent is read to its end before a model is asked", async () => {
  const llm = scriptedLlm({ answer: () => ({}) });
  using app = open({ llm });
  submit(app, "make the report test pass", "p-1");
  write(user("p-1", "make the report test pass"), say(finding), ...work("p-1"), say("Done."));
  stop(app, "p-1");
  await app.settle();
  expect(llm.asked).toEqual([]);
  app.clock.advance(31 * 60_000);
  await app.settle();
  expect(llm.asked[0]?.prompt).toContain(finding);
});

test("a turn of hours is read in pieces, each once; a half-written line waits", async () => {
  using app = open();
  submit(app, "rewrite the importer", "p-1");
  const later = "The importer reads the file twice: src/import.ts:40.";
  const half = JSON.stringify(say(later));
  write(user("p-1", "rewrite the importer"), say(finding), ...work("p-1"));
  appendFileSync(path, half.slice(0, 200));
  app.clock.advance(3 * 60_000); // Silent for a while: the transcript is looked at.
  await app.settle();
  expect(remarksOf(app)).toEqual([[1, finding]]);
  appendFileSync(path, `${half.slice(200)}\n`);
  write(...work("p-1"), say("Done."));
  stop(app, "p-1");
  await end(app);
  await end(app);
  expect(remarksOf(app)).toEqual([
    [1, finding],
    [1, later],
  ]);
});

test.each([
  { what: "private in part", prompt: "look at <private>Hooli</private> again", more: {} },
  { what: "private as a whole", prompt: "<private>Hooli</private>", more: {} },
  { what: "off the record", prompt: "don't remember this: Hooli", more: { off_the_record: true } },
])("of a turn that is $what no remark is kept, wherever it is read from", async (of) => {
  const { prompt, more } = of;
  using app = open();
  submit(app, "make the report test pass", "p-1");
  write(user("p-1", "make the report test pass"), say(finding), ...work("p-1"), say("Done."));
  stop(app, "p-1");
  submit(app, prompt, "p-2", more);
  write(user("p-2", prompt), say("The contract of the client is in drawer 4."), ...work("p-2"));
  await app.settle();
  write(say("The client pays in June, says drawer 5."), ...work("p-2"), say("Read."));
  stop(app, "p-2");
  await end(app);
  expect(remarksOf(app)).toEqual([[1, finding]]);
  expect(JSON.stringify(app.store.sessions.turns("s-1"))).not.toMatch(/drawer/u);
});

test("an order not to remember takes along the remarks that were read before it", async () => {
  using app = open();
  submit(app, "look for the contract", "p-1");
  write(user("p-1", "look for the contract"), say("It is in drawer 4, room 7."), ...work("p-1"));
  app.clock.advance(3 * 60_000);
  await app.settle();
  expect(remarksOf(app)).toHaveLength(1);
  submit(app, "no, do not remember any of this", "p-1", { off_the_record: true });
  hooked = null; // Hooks tell nothing more of such a turn.
  write(say("The client is Hooli, in drawer 5."), ...work("p-1"), say("Right."));
  await end(app);
  expect(app.store.sessions.toolUses("s-1", null)).toEqual([]);
});

test("a turn whose user refuses a call and wants nothing remembered leaves no record", async () => {
  using app = open();
  submit(app, "look for the contract", "p-1");
  const refusal = {
    type: "tool_result",
    tool_use_id: "t-no",
    is_error: true,
    content:
      "The user doesn't want to proceed with this tool use. The tool use was rejected. " +
      "To tell you how to proceed, the user said:\nno. Do not remember this: the client is Hooli",
  };
  hooked = null; // No hook tells of a call that was refused.
  write(
    user("p-1", "look for the contract"),
    agent("t-no", { type: "tool_use", id: "t-no", name: "Bash", input: { command: "ls" } }),
    user("p-1", [refusal]),
    say("Hooli, then."),
  );
  stop(app, "p-1");
  await end(app);
  expect(JSON.stringify(app.store.sessions.turns("s-1"))).not.toContain("Hooli");
  expect(app.store.sessions.toolUses("s-1", null)).toEqual([]);
});

test("secrets are hidden, those of the prompt wherever they are repeated", async () => {
  const secret = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuv-AAAAAAAA";
  const prompt = "the password of staging is Mandacaru#2231-rds, try the login";
  const earlier = join(folder, "earlier");
  {
    using app = open({ folder: earlier });
    submit(app, prompt, "p-1");
  }
  // Another process, which never saw the prompt.
  using app = open({ folder: earlier });
  write(user("p-1", prompt), say(`Login with Mandacaru#2231-rds works on port 5433.`));
  write(...work("p-1"), say(`The key ${secret} is in .env, line 3.`), ...work("p-1"), say("Done."));
  stop(app, "p-1");
  await end(app);
  const kept = JSON.stringify(remarksOf(app));
  expect(kept).toContain("works on port 5433");
  expect(kept).toContain("line 3");
  expect(kept).not.toMatch(/Mandacaru|sk-ant-api03-abc/u);
});

test.each([
  ["a private block", "look: <private>client Hooli pays nothing before June</private>"],
  ["a secret", "the password of staging is Mandacaru#2231-rds, try the login"],
])(
  "after %s, what a new process reads of later turns is kept only where it knows what to hide",
  async (_, hidden) => {
    const home = join(folder, "earlier");
    const words =
      "client Hooli pays nothing before June, and Mandacaru#2231-rds is in .env, line 3.";
    {
      using app = open({ folder: home });
      submit(app, hidden, "p-1");
      write(user("p-1", hidden), say("Read."));
      app.stop("Read.", "p-1");
      submit(app, "make the report test pass", "p-2");
      write(user("p-2", "make the report test pass"), say(`${finding} ${words}`), ...work("p-2"));
      stop(app, "p-2");
      await app.settle();
      expect(remarksOf(app)).toHaveLength(1);
      submit(app, "and the next one", "p-3");
      await app.settle();
    }
    using app = open({ folder: home });
    write(user("p-3", "and the next one"), say(words), ...work("p-3"), say("Done."));
    stop(app, "p-3");
    await end(app);
    expect(remarksOf(app).map(([turn]) => turn)).toEqual([2]);
    expect(JSON.stringify(remarksOf(app))).toContain("fixture uses UTC");
    expect(JSON.stringify(remarksOf(app))).not.toContain(
      hidden.includes("Hooli") ? "Hooli" : "Mandacaru",
    );
  },
);

test("what was forgotten goes, and does not come back with what is read later", async () => {
  using app = open();
  const said = "The door code is quokka nineteen.";
  submit(app, "look for the door code", "p-1");
  write(user("p-1", "look for the door code"), say(said), ...work("p-1"), say("Found."));
  stop(app, "p-1");
  submit(app, "and again", "p-2");
  await app.settle();
  expect(remarksOf(app)).toEqual([[1, said]]);
  const [, second] = app.store.sessions.turns("s-1");
  const forgottenAtMs = (second?.startedAt ?? 0) + 500;
  app.store.nodes.forget([], ["The door code is quokka nineteen"], forgottenAtMs);
  expect(remarksOf(app)).toEqual([]);
  write(user("p-2", "and again"), say(`${said} As before, on floor 2.`), ...work("p-2"));
  write(say("Floor 2 has no door."), ...work("p-2"), say("Found."));
  stop(app, "p-2");
  await end(app);
  // Said in the turn in which it was forgotten: it may be the same in other words.
  expect(remarksOf(app)).toEqual([]);
  submit(app, "thanks, and the window?", "p-3");
  write(user("p-3", "thanks, and the window?"), say(`${said} As I said.`), ...work("p-3"));
  write(say("Floor 2 has no window."), ...work("p-3"), say("None."));
  stop(app, "p-3");
  await end(app);
  expect(remarksOf(app)).toEqual([[3, "Floor 2 has no window."]]);
});

test("what no hook told of, in a pause or in an excluded folder, is not kept", async () => {
  using app = open();
  submit(app, "make the report test pass", "p-1");
  write(user("p-1", "make the report test pass"), say(finding), ...work("p-1"));
  hooked = null;
  write(say("The client is Hooli, in drawer 5."), ...work("p-1"));
  hooked = app;
  write(say("Line 40 rounds twice in src/report.ts."), ...work("p-1"), say("Done."));
  submit(app, "and now?", "p-2");
  await end(app);
  expect(remarksOf(app)).toEqual([
    [1, finding],
    [1, "Line 40 rounds twice in src/report.ts."],
  ]);
});

test.each([
  "by the way <private>Hooli pays in June</private>",
  "don't remember any of this: Hooli",
])("a message that no row of the queue told of hides its turn: %s", async (message) => {
  using app = open();
  submit(app, "make the report test pass", "p-1");
  write(user("p-1", "make the report test pass"), say(finding), ...work("p-1"));
  write(user("p-1", message), say("Hooli is in drawer 5."), ...work("p-1"), say("Done."));
  await end(app);
  // The words kept before the message came are gone.
  expect(remarksOf(app).flatMap(([, text]) => text ?? [])).toEqual([]);
});

test("subagents, the parent of a fork and turns that are not ours bring none", async () => {
  using app = open();
  const copied = { forkedFrom: { sessionId: "s-0" } };
  write(
    { ...user("p-0", "look for the contract"), ...copied },
    { ...say("It is in drawer 4, room 7."), ...copied },
    ...work("p-0").map((line) => ({ ...line, ...copied })),
  );
  // While recording was paused no hook told of this turn.
  write(user("p-8", "a private matter"), say("The client is Hooli, room 9."), ...work("p-8"));
  submit(app, "make the report test pass", "p-1");
  write(user("p-1", "make the report test pass"), say(finding));
  write({ ...say("Subagents read 14 files in src/."), isSidechain: true, agentId: "a-1" });
  write(...work("p-1"), say("Done."));
  stop(app, "p-1");
  await end(app);
  expect(remarksOf(app)).toEqual([[1, finding]]);
});

test("a transcript of an old client: a turn that is known by its words alone, and only then", async () => {
  using app = open();
  const old = (line: object) => ({ ...line, promptId: undefined });
  const send = (prompt: string): void =>
    void app.send("submit", "UserPromptSubmit", { ...at(), prompt });
  send("make the report test pass");
  write(...[user("", "make the report test pass"), say(finding), ...work("")].map(old));
  app.send("tool", "PostToolUse", {
    ...at(),
    tool_use_id: "h-old",
    tool_name: "Bash",
    tool_input: { command: "pnpm test" },
    tool_response: { stdout: "ok" },
  });
  app.clock.advance(3 * 60_000);
  await app.settle();
  // From its middle nothing says whose turn it is.
  write(...[say("The client is Hooli, room 9."), ...work(""), say("Done.")].map(old));
  await end(app);
  expect(remarksOf(app)).toEqual([[1, finding]]);
});

test("a transcript that is gone, of another agent or replaced by a shorter one brings nothing", async () => {
  using app = open();
  submit(app, "make the report test pass", "p-1");
  write({
    timestamp: "2026-03-02T09:00:01.000Z",
    type: "response_item",
    payload: { text: finding },
  });
  await app.settle();
  writeFileSync(path, "");
  await app.settle();
  rmSync(path);
  stop(app, "p-1");
  await end(app);
  expect(remarksOf(app)).toEqual([]);
  expect(app.store.sessions.turns("s-1")).toMatchObject([{ status: "closed", answer: "Done." }]);
});

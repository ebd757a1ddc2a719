/** Tests archived transcripts that are damaged, and files that cannot be written whole. */
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { envelopesOfRequest, markOffTheRecord, startPause } from "#hooks";
import { defaultSettings, homePaths } from "#domain";
import { msPerDay, silentLog, stoppedClock, systemRandom } from "#kit";
import { openStore } from "#store";
import { archiveEnded, linesOf, writeTranscript } from "./archive.ts";
import { scrubArchive } from "./background.ts";

function archiveOf(files: Readonly<Record<string, Uint8Array>>) {
  const folder = mkdtempSync(join(tmpdir(), "continuity-archive-"));
  const archive = join(folder, "archive");
  mkdirSync(archive);
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(archive, name), bytes);
  return {
    folder,
    paths: homePaths(folder),
    file: (name: string) => join(archive, name),
    names: () => readdirSync(archive).toSorted(),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

const prompt = (text: string): string =>
  `${JSON.stringify({ type: "user", message: { role: "user", content: text }, uuid: text })}\n`;

const whole = gzipSync(prompt("the heron flies") + prompt("the owl sleeps"));
const long = gzipSync(
  Array.from({ length: 5_000 }, (_, n) => prompt(`the heron flies, number ${n}`)).join(""),
);
const cut = long.subarray(0, long.length / 2);

const textOf = async (path: string): Promise<string> => {
  const lines: string[] = [];
  for await (const line of linesOf(path)) lines.push(line);
  return lines.join("\n");
};

test("a damaged transcript does not keep the others from being forgotten, nor hides what it says", async () => {
  using archive = archiveOf({
    "a.jsonl.gz": Buffer.from("no gzip at all"),
    "b.jsonl.gz": cut,
    "c.jsonl.gz": whole,
  });
  expect(await scrubArchive(archive.paths, ["the heron flies"])).toBe(3);
  expect(await textOf(archive.file("a.jsonl.gz"))).toBe("");
  expect(await textOf(archive.file("b.jsonl.gz"))).not.toContain("heron");
  const rest = await textOf(archive.file("c.jsonl.gz"));
  expect(rest).toContain("owl");
  expect(rest).not.toContain("heron");
  expect(archive.names()).toEqual(["a.jsonl.gz", "b.jsonl.gz", "c.jsonl.gz"]);
});

test("a transcript comes back whole", async () => {
  using archive = archiveOf({ "c.jsonl.gz": whole });
  const target = join(archive.folder, "back", "c.jsonl");
  expect(await writeTranscript(archive.file("c.jsonl.gz"), target)).toEqual({
    ok: true,
    value: target,
  });
  expect(readdirSync(join(archive.folder, "back"))).toEqual(["c.jsonl"]);
});

test.each([
  ["one that is cut off", cut],
  ["one that is no gzip", Buffer.from("no gzip at all")],
])("%s leaves no file behind", async (_, bytes) => {
  using archive = archiveOf({ "a.jsonl.gz": bytes });
  const target = join(archive.folder, "back", "a.jsonl");
  const failure: unknown = await writeTranscript(archive.file("a.jsonl.gz"), target).catch(
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(Error);
  expect(readdirSync(join(archive.folder, "back"))).toEqual([]);
});

test("a file that is there stays, and a folder that cannot be made is named", async () => {
  using archive = archiveOf({ "c.jsonl.gz": whole });
  const there = join(archive.folder, "there");
  writeFileSync(there, "mine");
  expect(await writeTranscript(archive.file("c.jsonl.gz"), there)).toMatchObject({
    ok: false,
    error: { type: "archive.occupied" },
  });
  expect(await Bun.file(there).text()).toBe("mine");
  expect(
    await writeTranscript(archive.file("c.jsonl.gz"), join(there, "in-it", "c.jsonl")),
  ).toMatchObject({ ok: false, error: { type: "archive.unwritable" } });
});

/** Resolves to the archived text of a session that ended with these lines. */
async function archived(
  archive: ReturnType<typeof archiveOf>,
  lines: readonly object[],
  endedMs: number,
  prompts: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { paths } = archive;
  const transcriptPath = join(archive.folder, "s-1.jsonl");
  writeFileSync(transcriptPath, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const clock = stoppedClock(endedMs + msPerDay);
  const deps = { paths, env: {}, clock, log: silentLog, random: systemRandom, version: "1.0.0" };
  const opened = openStore(paths.database, { ...deps, mode: "readwrite" });
  if (!opened.ok) throw new Error(opened.error.type);
  const { sessions } = opened.value;
  const session = { sessionId: "s-1", project: null, transcriptPath, status: "completed" } as const;
  sessions.upsert({ ...session, atMs: endedMs });
  for (const [id, prompt] of Object.entries(prompts))
    sessions.openTurn({ sessionId: "s-1", promptId: id, prompt, atMs: endedMs });
  opened.value[Symbol.dispose]();
  const settings = { current: () => defaultSettings, warnings: () => [], isKnown: () => true };
  await archiveEnded({ ...deps, settings, standingIn: () => () => "plain" });
  return textOf(archive.file("s-1.jsonl.gz"));
}

test("of a turn that its agent took off the record nothing is archived, nor a summary after it", async () => {
  using archive = archiveOf({});
  const say = (text: string) => ({
    type: "assistant",
    message: { role: "assistant", content: [{ type: "text", text }] },
  });
  const user = (promptId: string, uuid: string) => ({
    type: "user",
    promptId,
    uuid,
    message: { role: "user", content: uuid },
  });
  const payload = { session_id: "s-1", prompt_id: "p-2", prompt: "the owl stays in this room" };
  const [event] =
    envelopesOfRequest({
      body: payload,
      event: "UserPromptSubmit",
      nowMs: 0,
      invocation: "1",
    }) ?? [];
  if (event === undefined) throw new Error("no event");
  markOffTheRecord(archive.paths, event, 0);
  const lines = [
    user("p-1", "build the nest"),
    say("The heron has a nest."),
    user("p-2", "the owl stays in this room"),
    say("There was an owl."),
    { ...user("p-2", "Summary: the owl"), isCompactSummary: true },
    user("p-3", "feed the heron"),
    say("Fed."),
  ];
  const kept = await archived(archive, lines, Date.parse("2026-09-15T11:40:00Z"), {
    "p-1": "build the nest",
    "p-2": "the owl stays in this room",
    "p-3": "feed the heron",
  });
  expect(kept).toContain("The heron has a nest.");
  expect(kept).toContain("Fed.");
  expect(kept).not.toContain("owl");
});

test("a secret of a prompt or of a tool is not archived where it is repeated", async () => {
  using archive = archiveOf({});
  const message = (type: "user" | "assistant", content: unknown) => ({
    type,
    promptId: "p-1",
    message: { role: type, content },
  });
  const text = (said: string) => ({ type: "text", text: said });
  const lines = [
    message("user", "the wifi password is Plum.Harbor.7"),
    message("assistant", [text("Plum.Harbor.7 works.")]),
    message("user", [
      { type: "tool_result", tool_use_id: "u-1", content: "DB_PASSWORD=Kestrel9wing" },
    ]),
    message("assistant", [text("And Kestrel9wing too.")]),
  ];
  const kept = await archived(archive, lines, Date.parse("2026-09-15T11:40:00Z"), {
    "p-1": "the wifi password is [redacted:password]",
  });
  expect(kept).toContain("[redacted:secret] works.");
  expect(kept).toContain("And [redacted:secret] too.");
  expect(kept).not.toMatch(/Plum|Kestrel/);
});

test.each([
  ["", false],
  [", but where the call was refused", true],
])("nor is it of the copy in a fork%s", async (_, isRefused) => {
  using archive = archiveOf({});
  const blocks = (type: "user" | "assistant", ...content: readonly object[]) => ({
    type,
    message: { role: type, content },
  });
  const text = (said: string) => ({ type: "text", text: said });
  // The client writes the id of the fork's own prompt into all that it copies.
  const user = (uuid: string) => ({
    type: "user",
    promptId: "p-9",
    uuid,
    message: { role: "user", content: uuid },
  });
  const name = "mcp__continuity__memory_forget";
  const input = { turn: true, quote: "the owl stays in this room" };
  const lines = [
    user("build the nest"),
    blocks("assistant", text("The heron has a nest.")),
    user("the owl stays in this room"),
    blocks("assistant", { type: "tool_use", id: "u-1", name, input }),
    blocks("user", {
      type: "tool_result",
      tool_use_id: "u-1",
      is_error: isRefused,
      content: "Done.",
    }),
    blocks("assistant", text("There was an owl.")),
    user("feed the heron"),
    blocks("assistant", text("Fed.")),
  ];
  const endedMs = Date.parse("2026-09-15T11:40:00Z");
  const kept = await archived(archive, lines, endedMs, { "p-9": "feed the heron" });
  expect(kept).toContain("The heron has a nest.");
  expect(kept).toContain("Fed.");
  expect(kept.includes("owl")).toBe(isRefused);
});

test("a turn is not archived when a line or the prompt of it was written while capture was paused", async () => {
  using archive = archiveOf({});
  const { paths } = archive;
  const timeOf = (time: string): number => Date.parse(`2026-09-15T${time}:00Z`);
  startPause(paths, timeOf("10:00"), timeOf("11:00"));
  const said = (time: string, type: "user" | "assistant", content: unknown, more = {}) => ({
    type,
    timestamp: `2026-09-15T${time}:00.000Z`,
    message: { id: time, role: type, content },
    ...more,
  });
  const text = (words: string) => [{ type: "text", text: words }];
  const lines = [
    said("09:00", "user", "build the nest"),
    said("09:01", "assistant", text("The heron has a nest.")),
    said("09:50", "user", "look into it"),
    said("10:05", "user", [
      { type: "tool_result", tool_use_id: "t1", content: "an owl sits in it" },
    ]),
    {
      type: "queue-operation",
      operation: "enqueue",
      timestamp: "2026-09-15T10:10:00.000Z",
      content: "feed the owl",
    },
    said("11:05", "assistant", text("There was an owl.")),
    said("11:30", "user", "paint it"),
    said("11:31", "assistant", text("Painted.")),
    { type: "queue-operation", operation: "dequeue", timestamp: "2026-09-15T11:32:00.000Z" },
    said("11:32", "user", "feed the owl\nand the heron"),
    said("11:33", "assistant", text("The owl has eaten.")),
    said("11:35", "user", "feed the heron"),
    said("11:36", "assistant", text("Fed.")),
    said("11:40", "user", "Summary: the owl", { isCompactSummary: true }),
  ];
  const kept = await archived(archive, lines, timeOf("11:40"));
  expect(kept).toContain("The heron has a nest.");
  expect(kept).toContain("Painted.");
  expect(kept).toContain("Fed.");
  expect(kept).not.toContain("owl");
});

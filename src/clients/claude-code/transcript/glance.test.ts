import { expect, test } from "bun:test";
import { maySpeak } from "./read.ts";
import { parseTranscriptLine } from "./parse.ts";

const long = "x".repeat(400);
const line = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const base = { parentUuid: null, isSidechain: false, cwd: "/home/dev/atlas", sessionId: "s1" };
const speech = { ...base, type: "user", message: { role: "user", content: `why? ${long}` } };

test("passes over the client's own bookkeeping without reading it", () => {
  const inner = { message: { type: "user", message: { role: "user", content: long } } };
  expect(maySpeak(line({ ...base, type: "progress", data: inner }))).toBe(false);
  expect(maySpeak(line({ type: "file-history-snapshot", snapshot: { long } }))).toBe(false);
});

test("reads every line that may say something, however it is written", () => {
  const lines = [
    line(speech),
    line({ ...base, type: "assistant", message: { content: [{ type: "text", text: long }] } }),
    line({ ...base, type: "attachment", attachment: { type: "queued_command", prompt: long } }),
    line({ ...base, type: "queue-operation", operation: "enqueue", content: long }),
    // The type behind something that nests, with blanks, and after an odd folder's name.
    line({ data: { type: "progress", long }, ...speech }),
    Buffer.from(JSON.stringify(speech, null, 1).replaceAll("\n", " ")),
    line({ ...speech, cwd: '/home/dev/{"type":"progress"}' }),
  ];
  for (const one of lines) expect(maySpeak(one)).toBe(true);
});

test("what it passes over gives no entries", () => {
  const types = ["progress", "summary", "hologram", ""];
  for (const type of types) {
    const one = line({ ...base, type, message: { role: "user", content: long } });
    expect(maySpeak(one)).toBe(false);
    expect(parseTranscriptLine(one.toString(), 1)).toEqual([]);
  }
});

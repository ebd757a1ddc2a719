import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readTranscript, type TranscriptOffset, type TranscriptRead } from "./read.ts";

const start: TranscriptOffset = { bytes: 0, lines: 0 };
const limits = { lineBytesMax: 4_096, readBytesMax: 1_000_000, chunkBytes: 64 };
let folder = "";
let path = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "continuity-transcript-"));
  path = join(folder, "session.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const prompt = (text: string): string =>
  `${JSON.stringify({ type: "user", message: { role: "user", content: text } })}\n`;
const read = async (from = start, some: Partial<typeof limits> = {}): Promise<TranscriptRead> => {
  const result = await readTranscript(path, from, { ...limits, ...some });
  if (result === null) throw new Error("cannot be read");
  return result;
};
const texts = ({ entries }: TranscriptRead): readonly string[] =>
  entries.map((entry) => (entry.type === "prompt" ? `${entry.line} ${entry.text}` : entry.type));

test("reads all complete lines, across chunks of any size", async () => {
  const body = [prompt("one – ünï 😀"), "\n", '{"type":"mode"}\n', prompt("x".repeat(500))].join(
    "",
  );
  writeFileSync(path, body);
  for (const chunkBytes of [1, 7, 64, 4_096]) {
    const whole = await read(start, { chunkBytes });
    expect(texts(whole)).toEqual(["1 one – ünï 😀", `4 ${"x".repeat(500)}`]);
    expect(whole.offset).toEqual({ bytes: Buffer.byteLength(body), lines: 4 });
    expect(whole).toMatchObject({ restarted: false, more: false });
  }
});

test("a half-written last line waits, and is read once it is whole", async () => {
  const second = prompt("two");
  writeFileSync(path, prompt("one") + second.slice(0, 20));
  const first = await read();
  expect(texts(first)).toEqual(["1 one"]);
  expect(first.offset.lines).toBe(1);
  appendFileSync(path, second.slice(20));
  const next = await read(first.offset);
  expect(texts(next)).toEqual(["2 two"]);
  expect(texts(await read(next.offset))).toEqual([]);
});

test("a line that is too long is counted and skipped, and its bytes are not held", async () => {
  writeFileSync(path, prompt("before") + prompt("x".repeat(10_000)) + prompt("after"));
  const result = await read();
  expect(texts(result)).toEqual(["1 before", "3 after"]);
  expect(result).toMatchObject({ offset: { lines: 3 } });
});

test("one read is bounded; the next goes on where it stopped", async () => {
  writeFileSync(path, Array.from({ length: 50 }, (_, n) => prompt(`p${n}`)).join(""));
  const seen: string[] = [];
  let offset = start;
  let reads = 0;
  for (let more = true; more; reads += 1) {
    const part = await read(offset, { readBytesMax: 300 });
    seen.push(...texts(part));
    ({ more, offset } = part);
  }
  expect(seen).toEqual(Array.from({ length: 50 }, (_, n) => `${n + 1} p${n}`));
  expect(reads).toBeGreaterThan(5);
});

test("a line longer than one read still gets past", async () => {
  writeFileSync(path, prompt("x".repeat(3_000)) + prompt("after"));
  const first = await read(start, { readBytesMax: 100 });
  expect(first.entries).toHaveLength(1);
  expect(texts(await read(first.offset))).toEqual(["2 after"]);
});

test("a file that shrank is read again from its start", async () => {
  writeFileSync(path, prompt("one") + prompt("two"));
  const { offset } = await read();
  truncateSync(path, prompt("one").length);
  const again = await read(offset);
  expect(again).toMatchObject({ restarted: true, offset: { lines: 1 } });
  expect(texts(again)).toEqual(["1 one"]);
});

test("another file in its place is read from its start", async () => {
  writeFileSync(path, prompt("one"));
  const { offset } = await read();
  writeFileSync(path, prompt("something much longer than before"));
  expect(await read(offset)).toMatchObject({ restarted: true, offset: { lines: 1 } });
});

test("an empty file is no error", async () => {
  writeFileSync(path, "");
  expect(await read()).toEqual({
    entries: [],
    offset: start,
    restarted: false,
    more: false,
  });
});

test("bytes that are no text are skipped", async () => {
  writeFileSync(path, Buffer.concat([Buffer.from([0xff, 0xfe, 0, 10]), Buffer.from(prompt("ok"))]));
  expect(texts(await read())).toEqual(["2 ok"]);
});

test("a missing file and a folder cannot be read", async () => {
  expect(await readTranscript(path, start)).toBeNull();
  mkdirSync(path);
  expect(await readTranscript(path, start)).toBeNull();
});

import { expect, test } from "bun:test";
import { createEventParser, type ServerEvent } from "./events.ts";

const parsed = (...pieces: readonly string[]): readonly ServerEvent[] => {
  const events: ServerEvent[] = [];
  const parse = createEventParser((event) => events.push(event));
  for (const piece of pieces) parse(piece);
  return events;
};

const stream = 'retry: 2000\n\n: beat\n\nid: 7\nevent: memory\ndata: {"a":1}\n\n';

test("heartbeats and the reconnection time are no events", () => {
  expect(parsed("retry: 2000\n\n: beat\n\n:\n\n")).toEqual([]);
});

test("an event has its id and its kind, wherever the pieces are cut", () => {
  const expected = [{ id: "7", event: "memory" }];
  for (let at = 0; at <= stream.length; at += 1)
    expect(parsed(stream.slice(0, at), stream.slice(at))).toEqual(expected);
});

test("an event that is not complete yet waits", () => {
  expect(parsed("data: half\n")).toEqual([]);
});

test("several lines of data are one event, and line ends of two characters are one", () => {
  expect(parsed("data: a\r\ndata: b\r\n\r\n")).toEqual([{ id: "", event: "message" }]);
});

test("a line that never ends is not kept without end", () => {
  const piece = "x".repeat(600_000);
  expect(parsed(piece, piece, piece, "\n\nevent: on\ndata: x\n\n").at(-1)?.event).toBe("on");
});

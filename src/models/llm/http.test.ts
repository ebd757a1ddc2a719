import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { eventsOf } from "./http.ts";

async function read(chunks: readonly Uint8Array[]): Promise<readonly string[]> {
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const events: string[] = [];
  for await (const data of eventsOf(new Response(stream))) events.push(data);
  return events;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test.each([
  ["data: a\n\n", ["a"]],
  ["event: x\ndata: a\n\ndata:b\n\n", ["a", "b"]],
  ["data: a\r\ndata: b\r\n\r\n: comment\r\n\r\ndata: c\r\n\r\n", ["a\nb", "c"]],
  ["data: a\r\rdata: b\r\r", ["a", "b"]],
  ["data:  two\nid: 7\nretry: 1\n\n", [" two"]],
  [": keep-alive\n\n\n\n", []],
  ["data: whole\n\ndata: cut o", ["whole"]],
  ["data: whole\n\ndata: cut\n", ["whole"]],
  ["", []],
])("%j", async (text, events) => expect(await read([bytes(text)])).toEqual(events));

test("wherever the network cuts, even within a character or a line end, the events are the same", async () => {
  const line = fc.string({ unit: fc.constantFrom("a", "é", "🦜", " ", ":") });
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 5 }),
      fc.constantFrom("\n", "\r\n", "\r"),
      fc.array(fc.nat(60), { maxLength: 12 }),
      async (lines, end, cuts) => {
        const whole = bytes(lines.map((text) => `data: ${text}${end}${end}`).join(""));
        const places = [0, ...cuts.filter((at) => at < whole.length), whole.length];
        places.sort((one, two) => one - two);
        const chunks = places.slice(1).map((at, index) => whole.slice(places[index], at));
        expect(await read(chunks)).toEqual(lines);
      },
    ),
    { numRuns: 200 },
  );
});

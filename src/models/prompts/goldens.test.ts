/**
 * The prompt, word for word. A change of its template shows here and is to be read; write the file anew with
 * `WRITE_GOLDENS=1 bun test src/models/prompts/goldens.test.ts`.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import * as replies from "../../../test/support/models/replies.ts";
import { sessionPrompt } from "./session.ts";
import { inventedRecord, sessionInput } from "../../../test/support/models/session.ts";

const known = replies.known.slice(0, 2);

const asked = {
  session: {
    known,
    previous: { title: "Rows without weight", outcome: "The cause is known.", open: "a test" },
  },
  "session-beside": { known: known.map((one) => ({ ...one, savedAt: 2 })), agentSaves: true },
};

test.each(Object.entries(asked))(
  "the question %s asks what its golden says",
  async (name, input) => {
    const { system, prompt } = sessionPrompt.render(
      sessionInput({ record: inventedRecord(6), ...input }),
    );
    const file = join(import.meta.dir, "goldens", `${name}.txt`);
    const text = `${system}\n\n=== prompt ===\n\n${prompt}\n`;
    if (process.env["WRITE_GOLDENS"] === "1") await Bun.write(file, text);
    expect(text).toBe(await Bun.file(file).text());
  },
);

test("the same input gives the same bytes, and another a prompt of its own", () => {
  const first = sessionPrompt.render(sessionInput({ record: inventedRecord(6) }));
  expect(sessionPrompt.render(sessionInput({ record: inventedRecord(6) }))).toEqual(first);
  const other = sessionPrompt.render(sessionInput({ record: inventedRecord(7) }));
  expect(other.prompt).not.toBe(first.prompt);
  expect(other.system).toBe(first.system);
});

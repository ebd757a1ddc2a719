/**
 * What each prompt looks like, word for word. A change of a template shows here and is to be read; write the files anew
 * with `WRITE_GOLDENS=1 bun test src/prompts/goldens.test.ts`.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { evaluatePrompt } from "./evaluate.ts";
import { narratePrompt } from "./narrate.ts";
import { observePrompt } from "./observe.ts";
import type { RenderedPrompt } from "./prompt.ts";
import { relationalPrompt } from "./relational.ts";
import * as replies from "./replies.fixtures.ts";
import { searchPrompt } from "./search.ts";
import { sessionPrompt } from "./session.ts";
import { inventedRecord, inventedSession, sessionInput } from "./session.fixtures.ts";
import { summaryPrompt } from "./summary.ts";

const turns = inventedSession(6);
const flat = turns.map(({ n, prompt, answers, tools }) => ({
  n,
  prompt,
  tools,
  answer: answers.at(-1) ?? null,
  before: ["what does the importer do", "where are its tests", "ok"],
}));
const project = "depot";
const date = "2026-03-02";

const rendered: Readonly<Record<string, RenderedPrompt>> = {
  evaluate: evaluatePrompt.render({ turns: flat }),
  observe: observePrompt.render({ turns: flat }),
  session: sessionPrompt.render(
    sessionInput({
      record: inventedRecord(6),
      known: replies.known.slice(0, 2),
      previous: { title: "Rows without weight", outcome: "The cause is known.", open: "a test" },
    }),
  ),
  summary: summaryPrompt.render({
    project,
    date,
    turns,
    previous: replies.previousCheckpoint,
    filesRead: [],
    filesEdited: [],
  }),
  narrate: narratePrompt.render({ project, date, turns }),
  relational: relationalPrompt.render({
    previous: replies.profile.slice(0, 2),
    turns,
    sessionId: "s-1",
    date,
  }),
  search: searchPrompt.render({ query: "which port does staging use and who owns the importer?" }),
};

test.each(Object.entries(rendered))("%s asks what its golden says", async (name, prompt) => {
  const file = join(import.meta.dir, "goldens", `${name}.txt`);
  const text = `${prompt.system}\n\n=== prompt ===\n\n${prompt.prompt}\n`;
  if (process.env["WRITE_GOLDENS"] === "1") await Bun.write(file, text);
  expect(text).toBe(await Bun.file(file).text());
});

test("the same input gives the same bytes, and another a prompt of its own", () => {
  const first = sessionPrompt.render(sessionInput({ record: inventedRecord(6) }));
  expect(sessionPrompt.render(sessionInput({ record: inventedRecord(6) }))).toEqual(first);
  const other = sessionPrompt.render(sessionInput({ record: inventedRecord(7) }));
  expect(other.prompt).not.toBe(first.prompt);
  expect(other.system).toBe(first.system);
});

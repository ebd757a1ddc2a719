/** Tests what is kept of a turn: the words that may matter later, whose they are, and in what order. */
import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { tokensOf } from "#kit";
import { limits } from "../limits.ts";
import { turnOf } from "../../../test/support/memory/turns.ts";
import { exchangeOf, spokenOf } from "./exchange.ts";

const asked =
  "Two ways are open. A keeps Redis. B moves the queue to Postgres. Which one shall I take?";
const done = "Done: the queue lives in Postgres now, on port 6432. The worker was restarted.";

describe("an exchange", () => {
  test("carries the question that its words answer, and the answer", () => {
    const exchange = exchangeOf(
      turnOf("B, but with the port 6432", { previousAnswer: asked, answer: done }),
    );
    expect(exchange?.l0).toBe(
      `(asked: Which one shall I take?) B, but with the port 6432 → ${done}`,
    );
    expect(exchange?.l1.split("\n")).toEqual([
      "? Which one shall I take?",
      "> B, but with the port 6432",
      "< Done: the queue lives in Postgres now, on port 6432.",
      "< The worker was restarted.",
    ]);
  });

  test("is read back as it was said", () => {
    const exchange = exchangeOf(
      turnOf("B, but with the port 6432", { previousAnswer: asked, answer: done }),
    );
    expect(spokenOf(exchange?.l1 ?? "").map(({ by }) => by)).toEqual([
      "asked",
      "user",
      "agent",
      "agent",
    ]);
    expect(spokenOf("edited by hand")).toEqual([{ by: "user", text: "edited by hand" }]);
  });

  test("leaves a question out that a long prompt does not lean on, and one too long to show", () => {
    const long = `use Postgres for the queue because the operations team knows it, and put it on port 6432 of the shared host`;
    const question = `Shall I ${"really ".repeat(60)}do it?`;
    for (const [prompt, previousAnswer] of [
      [long, asked],
      ["use port 6432 on the staging host there", question],
    ] as const)
      expect(exchangeOf(turnOf(prompt, { previousAnswer }))?.l0).not.toContain("asked");
  });

  test("keeps what says most, in the order in which it was said", () => {
    const filler = "Let me look at that for a moment.";
    const answer = `${Array.from({ length: 30 }, () => filler).join(" ")} The ledger database listens on port 6432. ${filler} Its backups go to s3://ledger-cold every night.`;
    const { l0 } = exchangeOf(turnOf("where does the ledger database live?", { answer })) ?? {
      l0: "",
    };
    expect(l0).toContain("port 6432");
    expect(l0.indexOf("port 6432")).toBeLessThan(l0.indexOf("ledger-cold"));
  });

  test("holds nothing that was pasted", () => {
    const prompt =
      "why does the importer fail on port 6432?\n```\nERROR: relation ledger_old is gone\n```";
    const exchange = exchangeOf(turnOf(prompt, { answer: "The table was renamed to ledger." }));
    expect(exchange?.l1).toContain("why does the importer fail");
    expect(exchange?.l1).not.toContain("ledger_old");
  });

  test.each([
    ["forget that the fossa job runs on machine 7", "Ok."],
    [
      "Forget what I told you about the fossa job.",
      "Ok, the fossa job and machine 7 are forgotten.",
    ],
    ["Vergiss, dass der Fossa-Job auf Maschine 7 läuft.", "Ok."],
    ["忘记演示账号叫苍鹭", "好的。"],
  ])("is none of an order to forget: %s", (prompt, answer) => {
    expect(exchangeOf(turnOf(prompt, { answer }))).toBeNull();
  });

  test("leaves an order to forget out, and what says the same, beside another task", () => {
    const answer =
      "The fossa job runs on machine 7: forgotten. The parser reads tabs and spaces alike now.";
    const prompt =
      "forget that the fossa job runs on machine 7. Now fix how the parser reads tabs.";
    const { l1 } = exchangeOf(turnOf(prompt, { answer })) ?? { l1: "" };
    expect(l1).toBe(
      "> Now fix how the parser reads tabs.\n< The parser reads tabs and spaces alike now.",
    );
  });

  test.each(["forget the staging port, do prod first", "don't forget that staging has port 5432"])(
    "%s: is told",
    (prompt) => expect(exchangeOf(turnOf(prompt, { answer: "Done." }))).not.toBeNull(),
  );

  test.each([
    ["nothing was said", turnOf(null)],
    ["only a program spoke", turnOf("<task-notification>done</task-notification>")],
    ["hardly a word was said", turnOf("yes")],
  ])("is none when %s", (_, turn) => {
    expect(exchangeOf(turn)).toBeNull();
  });

  test("is bounded, whatever is said, and the same each time", () => {
    const text = fc.string({ unit: "binary", maxLength: 3_000 });
    fc.assert(
      fc.property(text, text, fc.option(text), (prompt, answer, previousAnswer) => {
        const turn = turnOf(`the port is 6432. ${prompt}`, {
          answer: `数据库在6432端口。${answer}`,
          previousAnswer,
        });
        const exchange = exchangeOf(turn);
        expect(exchangeOf(turn)).toEqual(exchange);
        if (exchange === null) return;
        expect(exchange.l0.length).toBeLessThanOrEqual(400);
        expect(tokensOf(exchange.l0)).toBeLessThanOrEqual(limits.l0TokensMax + 20);
        expect(exchange.l1.length).toBeLessThanOrEqual(1_300);
      }),
      { numRuns: 40 },
    );
  });
});

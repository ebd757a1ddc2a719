/** Tests when a quote that says less than its line takes what the agent had offered. */
import { describe, expect, test } from "bun:test";
import { takesOffer } from "./offer.ts";

const list = `Two ways:

**A)** Retry each batch at half of its size until the target takes it.
**B)** Estimate checkpoints from the commit count, never probe with fetches.

Which one?`;
const asks = `The proxy drops idle connections. I would open a new connection for each step.

Want me to apply it? It costs one handshake.`;
const options = `Options:

1. **Ask once** with a prompt, save what they say.
2. **Inform, don't ask:** a notice at the first run, no prompt.

Which?`;
const asked = [
  {
    question: "Where does the skill live?",
    options: ["Just me (global, ~/.skills)", "The team (in the repo)"],
    answer: "Just me",
  },
];

const taken = (
  quote: string,
  line: string,
  answerBefore: string | null = null,
  questions: typeof asked = [],
): boolean =>
  takesOffer(quote, { line, value: null, answerBefore, asked: questions, isDecision: true });

describe("takes it", () => {
  test.each([
    ["let's do B", "Estimate checkpoints from the commit count, never probe with fetches", list],
    ["b", "checkpoints: estimate from the commit count", list],
    ["yes, b please", "checkpoints are estimated from the commit count", list],
    ["let's implement option 2", "a notice at the first run, and no prompt", options],
    ["yes", "each step opens a new connection", asks],
    ["ja, gern", "a new connection is opened for each step", asks],
    ["oui, d'accord", "a new connection for each step", asks],
    ["да, давай", "a new connection for each step", asks],
    ["yes, a new connection for each step", "idle connections: a new one for each step", asks],
  ])("%s | %s", (quote, line, answer) => {
    expect(taken(quote, line, answer)).toBe(true);
  });

  test("an option with its meaning", () => {
    expect(taken("Just me", "the skill is just for me, global, in ~/.skills", null, asked)).toBe(
      true,
    );
    expect(taken("Just me", "the skill is for the team, in the repo", null, asked)).toBe(false);
  });

  test("an option, and the denial of those that were not taken", () => {
    const cask = {
      question: "Which Homebrew channel?",
      options: [
        "Keep cask (Install by brew on macOS alone)",
        "Switch to formula (Works on Linux too)",
        "Drop homebrew entirely",
      ],
      answer: "Keep cask",
    };
    const line = "the Homebrew channel is a cask on macOS";
    expect(taken("Keep cask", `${line}, not a formula`, null, [cask])).toBe(true);
    expect(taken("Keep cask", `${line}, and homebrew is not dropped`, null, [cask])).toBe(true);
    expect(taken("Keep cask", `${line}, not signed`, null, [cask])).toBe(false);
    expect(taken("Keep cask", "homebrew is a formula", null, [cask])).toBe(false);
  });

  test("an option by its number", () => {
    const numbered = asked.map((one) => ({ ...one, answer: "2" }));
    expect(taken("2", "the skill is for the team, in the repo", null, numbered)).toBe(true);
    expect(taken("2", "the skill is just for me, in ~/.skills", null, numbered)).toBe(false);
  });

  test.each([
    "1. Kafka, on port 9092\n2. Redpanda, on port 9093",
    "- **Option 1** — Kafka, on port 9092\n- **Option 2** — Redpanda, on port 9093",
    "### Option 1: Kafka\n\nIt runs on port 9092.\n\n### Option 2: Redpanda\n\nIt runs on port 9093.",
    "| # | queue |\n|---|---|\n| 1 | Kafka, port 9092 |\n| 2 | Redpanda, port 9093 |",
  ])("a number chooses below its question: %s", (list) => {
    const answer = `${list}\n\nWhich queue do we use?`;
    for (const quote of ["2", "2 please", "option 2"]) {
      expect(taken(quote, "The queue is Redpanda on port 9093", answer)).toBe(true);
      expect(taken(quote, "The queue is Kafka on port 9092", answer)).toBe(false);
    }
  });
});

describe("takes nothing", () => {
  test.each([
    ["a denial", "no, not that", "a new connection for each step", asks],
    ["another item of the list", "let's do B", "batches are retried at half of their size", list],
    ["a name that was not offered", "yes", "a new connection for each step, by undici 7", asks],
    ["an order of another thing", "fix the build", "a new connection for each step", asks],
    ["an order with own words", "Please summarise this page", "a new connection each step", asks],
    [
      "an answer that asks nothing",
      "yes",
      "a new connection for each step",
      "A new connection for each step.",
    ],
    ["thanks alone", "Thanks a lot!", "a new connection for each step", asks],
    ["a greeting", "good morning", "a new connection for each step", asks],
    ["a question", "why a new connection?", "a new connection for each step", asks],
    ["an order to the agent", "yes", "run a new connection for each step", asks],
    ["a standing order", "yes", "always open a new connection for each step", asks],
    ["a denial of its own", "yes", "no new connection for each step", asks],
    ["an errand with a number", "fix the 2 tests", "a notice at the first run", options],
    ["a number of one thing", "2 tests", "a notice at the first run", options],
    ["a number of something", "2 tests fail", "a notice at the first run", options],
    [
      "the article of an errand",
      "do a check of the logs",
      "batches are retried at half size",
      list,
    ],
  ])("%s", (_, quote, line, answer) => {
    expect(taken(quote, line, answer)).toBe(false);
  });
});

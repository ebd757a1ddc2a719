/** An invented session of any length, for measuring and for goldens. The same numbers give the same words. */
import { condense, type Condensed } from "../../../src/models/prompts/condense.ts";
import type { SessionInput } from "../../../src/models/prompts/session-input.ts";

/** A turn as fixtures tell it. */
export interface WindowTurn {
  readonly n: number;
  readonly prompt: string;
  /** The assistant's texts; the last one is the conclusion. */
  readonly answers: readonly string[];
  /** One line a call: name, target, outcome. */
  readonly tools: readonly string[];
}

const asks: readonly string[] = [
  "ok go on",
  "the importer drops rows when the supplier sends an empty weight column, can you find out where that happens " +
    "and add a test for it first",
  "yes",
  "from now on put fixtures next to the test, not in a shared folder. and the retry limit for the supplier client " +
    "should be 4, their gateway bans us after 5 failures in a minute",
  "that still fails on the second run, look:\n```\nAssertionError: expected 12 rows, got 11\n    at " +
    "importer.test.ts:48\n```",
  "we decided to drop the nightly full import and go with change feeds instead, Imke from purchasing says the " +
    "full file is often half a day late. keep the old code until March behind the flag, then delete it. also write " +
    "down somewhere why we did this, people will ask",
  "hm, what does the weight parser do with a comma?",
  "no, grams not kilograms",
  "great, it clicked now: the parser was right all along and the header row was shifted. commit that",
  "run the whole suite once more and then open the pull request with a short description, three bullets at most",
];

const plans: readonly string[] = [
  "I'll start by reading the importer and its tests to see where rows are filtered, then write a failing test " +
    "before changing anything.",
  "Let me check how the supplier client counts its attempts and whether the back-off is shared between workers.",
  "I'll look at the header handling first, since the column offset is the only thing that differs between the two " +
    "runs.",
];

const conclusions: readonly string[] = [
  'Done. The rows were dropped in `parseRow`: an empty weight became NaN and the validator filtered it out without a word. I added a test with an empty column (`importer.test.ts`, "keeps rows without a weight"), made the weight nullable, and the validator now reports what it drops. All 212 tests pass. Two callers still assume a number, `shipping/quote.ts` and `labels/print.ts`; both fall back to zero today, which undercharges parcels. I would make them ask for a manual weight instead, but left them alone since that changes what the warehouse sees.',
  "The retry limit is 4 now, in `supplier/client.ts`, with the reason beside it: the gateway bans an address for " +
    "an hour after 5 failures within a minute. The back-off was per worker, so three workers could reach 5 " +
    "together; it is shared through the store now. Fixtures moved next to their tests.",
  "The comma is read as a decimal separator only if the supplier's locale says so, and the locale came from the " +
    "file name, which the new export no longer has. Falling back to the header row fixed it.",
  'Committed as "Read weights by the header\'s locale".',
];

const calls: readonly string[] = [
  "Read: src/import/importer.ts → ok",
  "Grep: parseRow src → ok",
  "Bash: npm test -- importer → error: exit 1: expected 12 rows, got 11",
  "Edit: src/import/parse-row.ts → ok",
  "Edit: src/import/importer.test.ts → ok",
  "Bash: npm test → ok",
  "Bash: git commit -am 'Read weights by the header locale' → ok",
];

/** Turns 1 to `count`: short and long prompts, plans, conclusions and two to twelve calls each. */
const inventedSession = (count: number): readonly WindowTurn[] =>
  Array.from({ length: count }, (_, at) => ({
    n: at + 1,
    prompt: pick(asks, at),
    answers: at % 3 === 0 ? [pick(conclusions, at)] : [pick(plans, at), pick(conclusions, at)],
    tools: Array.from({ length: 2 + ((at * 5) % 11) }, (_, call) => pick(calls, at + call)),
  }));

const pick = (from: readonly string[], at: number): string => from[at % from.length] ?? "";

/** `Bash: npm test → error: exit 1` as it was recorded. */
const toolOf = (
  line: string,
): { tool: string; target: string; outcome: "ok" | "error"; text: string } => {
  const [, tool = "", target = "", outcome = ""] = /^(\w+): (.*) → (.*)$/.exec(line) ?? [];
  return { tool, target, outcome: outcome === "ok" ? "ok" : "error", text: outcome };
};

/** The same session as its condensed record. */
export const inventedRecord = (count: number, tokensMax?: number): Condensed =>
  recordOf(inventedSession(count), tokensMax);

export const recordOf = (turns: readonly WindowTurn[], tokensMax?: number): Condensed =>
  condense(
    turns.map(({ n, prompt, answers, tools }) => ({
      n,
      prompt,
      answer: answers.at(-1) ?? null,
      interrupted: false,
      files: tools.flatMap((line) => (line.startsWith("Edit: ") ? [toolOf(line).target] : [])),
      tools: tools.map(toolOf),
    })),
    null,
    tokensMax,
  );

export const sessionInput = (
  over: Partial<SessionInput> & Pick<SessionInput, "record">,
): SessionInput => ({
  project: "depot",
  branch: "main",
  from: "2026-03-02",
  to: "2026-03-02",
  previous: null,
  known: [],
  agentSaves: false,
  typedBefore: [],
  memoriesMax: 5,
  hasSecret: () => false,
  ...over,
});

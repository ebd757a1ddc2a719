import { describe, expect, test } from "bun:test";
import {
  correctedByUser,
  profileOf,
  profileToText,
  renderProfile,
  statementId,
  type RelationalStatement,
} from "./profile.ts";
import { relationalPrompt, type RelationalInput } from "./relational.ts";

const statement = (more: Partial<RelationalStatement> = {}): RelationalStatement => ({
  id: "s00001",
  section: "feedback",
  text: "Likes detailed explanations.",
  date: "2026-01-10",
  confirmed: "2026-01-10",
  sessionId: "s-1",
  quote: "explain the why, I like detail",
  fixed: false,
  before: [],
  ...more,
});

const inputOf = (
  prompts: readonly string[],
  previous: readonly RelationalStatement[] = [],
): RelationalInput => ({
  previous,
  turns: prompts.map((prompt, at) => ({ n: at + 1, prompt, answers: ["Done."], tools: [] })),
  sessionId: "s-9",
  date: "2026-03-02",
});

const after = (input: RelationalInput, reply: unknown): readonly RelationalStatement[] => {
  const result = relationalPrompt.parse(reply, input);
  return result.ok ? result.value : [];
};

describe("a profile over sessions", () => {
  test("what the reply leaves out stays as it was", () => {
    const previous = [statement(), statement({ id: "s00002", section: "dynamic" })];
    expect(
      after(inputOf(["hello there"], previous), { keeps: [], changed: [], added: [] }),
    ).toEqual(previous);
  });

  test("what is confirmed is dated and otherwise untouched", () => {
    const previous = [statement()];
    expect(after(inputOf(["more detail please"], previous), { keeps: ["s00001"] })).toEqual([
      statement({ confirmed: "2026-03-02" }),
    ]);
  });

  test("what changed keeps its id and what it said before", () => {
    const changed = [
      {
        id: "s00001",
        text: "Wants short answers: at most five bullets.",
        quote: "keep them short, max five bullets",
      },
    ];
    const input = inputOf(["from now on keep them short, max five bullets"], [statement()]);
    expect(after(input, { keeps: [], changed, added: [] })).toEqual([
      statement({
        text: "Wants short answers: at most five bullets.",
        date: "2026-03-02",
        confirmed: "2026-03-02",
        sessionId: "s-9",
        quote: "keep them short, max five bullets",
        before: [{ text: "Likes detailed explanations.", date: "2026-01-10" }],
      }),
    ]);
  });

  test("what is new is dated, named and stands on the user's words", () => {
    const added = [{ section: "corrections", text: "Corrects units at once.", quote: "no, grams" }];
    const [first] = after(inputOf(["no, grams not kilograms"]), { keeps: [], changed: [], added });
    expect(first).toEqual(
      statement({
        id: statementId("corrections", "Corrects units at once."),
        section: "corrections",
        text: "Corrects units at once.",
        date: "2026-03-02",
        confirmed: "2026-03-02",
        sessionId: "s-9",
        quote: "no, grams",
      }),
    );
  });

  test("a statement of the user is changed by no session", () => {
    const fixed = correctedByUser(statement(), {
      text: "Likes detail in reviews only.",
      date: "2026-02-01",
    });
    expect(fixed.before).toEqual([{ text: "Likes detailed explanations.", date: "2026-01-10" }]);
    const changed = [{ id: fixed.id, text: "Likes detail everywhere.", quote: "I like detail" }];
    expect(after(inputOf(["I like detail"], [fixed]), { changed, added: [] })).toEqual([fixed]);
  });

  test.each([
    { name: "a quote of the assistant", text: "Is always content.", quote: "Done." },
    { name: "no quote", text: "Is content.", quote: "" },
    { name: "an invented quote", text: "Is content.", quote: "I am so happy" },
    {
      name: "a rule the user did not give",
      text: "Never wants to be asked again.",
      quote: "thanks, great",
    },
    { name: "a name the user did not say", text: "Trusts setup-9000.sh.", quote: "thanks, great" },
  ])("$name adds nothing", ({ text, quote }) => {
    const added = [{ section: "signals", text, quote }];
    expect(after(inputOf(["thanks, great work"]), { added })).toEqual([]);
  });

  test("the same statement is added once, and never more than four a session", () => {
    const added = Array.from({ length: 20 }, (_, at) => ({
      section: "signals",
      text: `Praises kind ${"x".repeat(at % 10)}`,
      quote: "great work",
    }));
    expect(after(inputOf(["great work"]), { added })).toHaveLength(4);
    const again = after(inputOf(["great work"]), { added: added.slice(0, 1) });
    expect(after(inputOf(["great work"], again), { added: added.slice(0, 1) })).toEqual(again);
  });

  test("a full profile takes no more and loses nothing", () => {
    const previous = Array.from({ length: 40 }, (_, at) =>
      statement({ id: `s${at}`, text: `Likes ${at}.` }),
    );
    const added = [{ section: "signals", text: "Praises.", quote: "great work" }];
    expect(after(inputOf(["great work"], previous), { added })).toEqual(previous);
  });
});

describe("the profile as text", () => {
  test("is read back as it was written", () => {
    const all = [
      statement(),
      statement({ id: "s2", fixed: true, before: [{ text: "x", date: "2026-01-01" }] }),
    ];
    expect(profileOf(profileToText(all))).toEqual(all);
    expect(profileOf(null)).toEqual([]);
  });

  test("lines that are no statements are left out", () => {
    const text = `hello\n{"section":"none"}\n[]\nnull\n{"__proto__":1}\n${profileToText([statement()])}`;
    expect(profileOf(text)).toEqual([statement()]);
  });

  test("reads by section, with dates and what stood there before", () => {
    const all = [
      statement({ id: "s3", section: "signals", text: "Lets small fixes pass.", fixed: true }),
      statement({
        confirmed: "2026-03-02",
        before: [{ text: "Likes brevity.", date: "2025-12-01" }],
      }),
    ];
    expect(renderProfile(all)).toBe(
      [
        "Feedback calibration:",
        "- Likes detailed explanations. (since 2026-01-10; seen again 2026-03-02; before: Likes brevity. (2025-12-01))",
        "Earned signals:",
        "- Lets small fixes pass. (since 2026-01-10; set by the user)",
      ].join("\n"),
    );
  });
});

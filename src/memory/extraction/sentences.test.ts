/** What of a text was typed for this conversation, sentence by sentence. */
import { describe, expect, test } from "bun:test";
import { resolveDates } from "./dates.ts";
import { sentencesOf } from "./sentences.ts";

const textsOf = (text: string): readonly string[] => sentencesOf(text).map((s) => s.text);

describe("sentences", () => {
  test.each([
    ["a is b. c is d! e?", ["a is b.", "c is d!", "e?"]],
    ["use e.g. src/a.ts v1.2.3 here. ok", ["use e.g. src/a.ts v1.2.3 here.", "ok"]],
    ["fix it, also the pool is 5", ["fix it", "also the pool is 5"]],
    ["really? -- no. we stay", ["really?", "-- no.", "we stay"]],
    ["fix it oh and we dropped ios 15", ["fix it", "oh and we dropped ios 15"]],
    ["no deploys, Ann (our SRE) hates them", ["no deploys", "Ann (our SRE) hates them"]],
    ["ask Ann (she leads ops. and more) first", ["ask Ann (she leads ops. and more) first"]],
    ["- first point\n- second point", ["first point", "second point"]],
  ])("%s", (text, expected) => {
    expect(textsOf(text)).toEqual(expected);
  });

  test("every sentence is a verbatim span of a typed line", () => {
    const text = "right, db. remember that staging uses 5433; prod is 6432 btw";
    for (const sentence of textsOf(text)) expect(text).toContain(sentence);
  });

  test("an unclosed fence hides the rest", () => {
    expect(textsOf("why?\n```\nalways use x")).toEqual(["why?"]);
  });

  test("of a very long text only the ends were typed", () => {
    const text = `start here\n${"some words that fill\n".repeat(2_000)}end here`;
    expect(textsOf(text)).toContain("start here");
    expect(textsOf(text)).toContain("end here");
  });
});

describe("relative dates", () => {
  const atMs = 1_762_423_200_000; // Thursday, 2025-11-06
  test.each([
    ["it broke yesterday", "it broke on 2025-11-05"],
    ["it broke last night", "it broke in the night of 2025-11-05"],
    ["since yesterday", "since 2025-11-05"],
    ["today's date", "2025-11-06's date"],
    ["as today", "as today"],
    ["we tried it last year", "we tried it in 2024"],
    ["last friday", "on 2025-10-31"],
    ["two weeks ago", "on 2025-10-23"],
    ["next month", "in 2025-12"],
  ])("%s", (text, expected) => {
    expect(resolveDates(text, atMs)).toBe(expected);
  });
});

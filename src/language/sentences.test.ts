/** Tests which sentences of a text were typed for this conversation. */
import { describe, expect, test } from "bun:test";
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
    ["wir nehmen Nr. 5 bzw. 6. fertig", ["wir nehmen Nr. 5 bzw. 6.", "fertig"]],
    ["- first point\n- second point", ["first point", "second point"]],
    ["über 2,1 Mio. Zeilen lt. Vertrag. Fertig", ["über 2,1 Mio. Zeilen lt. Vertrag.", "Fertig"]],
    ["z. B. Kunden u. a. Daten. Gut", ["z. B. Kunden u. a. Daten.", "Gut"]],
    [
      "La Sra. Ortiz lo aprueba, p. ej. Hoy. Bien",
      ["La Sra. Ortiz lo aprueba, p. ej. Hoy.", "Bien"],
    ],
    ["около 2 млн. Строк и т. д. всегда", ["около 2 млн. Строк и т. д. всегда"]],
    ["see no. 4 there. no. not that", ["see no. 4 there.", "no.", "not that"]],
    ["deploy to prod. Fix it in 5 min. Go.", ["deploy to prod.", "Fix it in 5 min.", "Go."]],
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

test("a date in numbers ends no sentence", () => {
  expect(
    sentencesOf("Bis 5.7. ist der Scanner aus. Danach nicht.").map(({ text }) => text),
  ).toEqual(["Bis 5.7. ist der Scanner aus.", "Danach nicht."]);
});

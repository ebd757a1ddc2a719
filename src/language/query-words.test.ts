import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { readWords, roughStem } from "./query-words.ts";
import { cpuMs } from "../../test/support/cpu-ms.ts";

test.each([
  { text: "which port does the staging database use?", content: ["port", "staging", "database"] },
  { text: "What's in my team's repo", content: ["team", "repo"] },
  { text: "don't, won’t, I'm", content: [] },
  { text: "naïve Größe", content: ["naïve", "größe"] },
  { text: "日本語 の x", content: ["日本語", "の"] },
])("content words of: $text", ({ text, content }) => {
  expect(readWords(text).content).toEqual(content);
});

test.each([
  { text: "renderRowCount", parts: ["render", "row", "count"] },
  { text: "cache_hit_ratio", parts: ["cache", "hit", "ratio"] },
  { text: "src/lib/Parser.ts", parts: ["src", "lib", "parser", "ts"] },
  { text: "--no-verify", parts: ["verify"] },
  { text: "BIL-204", parts: ["bil", "204"] },
  { text: "E4012", parts: ["e4012"] },
  { text: "#team-billing", parts: ["team", "billing"] },
  { text: "@acme/ui-kit", parts: ["acme", "ui", "kit"] },
])("$text is an identifier, kept whole and split", ({ text, parts }) => {
  const words = readWords(`look at ${text}, please`);
  expect(words.identifiers).toEqual([text.toLowerCase()]);
  expect(words.content).toEqual(expect.arrayContaining([text.toLowerCase(), ...parts]));
});

test.each([
  "and/or",
  "e.g. this",
  "one-liner",
  "3x faster",
  "10am",
  "1.5",
  "it's",
  "...",
  "--",
  "C",
])("%s is no identifier", (text) => {
  expect(readWords(text).identifiers).toEqual([]);
});

test("marks at the end of a sentence do not stick to a word", () => {
  expect(readWords("in db/schema.sql.").identifiers).toEqual(["db/schema.sql"]);
});

test("plain words keep their order and the small words", () => {
  expect(readWords("How do WE retry?").plain).toEqual(["how", "do", "we", "retry"]);
});

test.each([
  ["deploys", "deployed"],
  ["deploying", "deploy"],
  ["migrations", "migration"],
  ["caches", "cache"],
  ["retries", "retry"],
  ["releases", "release"],
  ["parsing", "parses"],
  ["processes", "process"],
  ["uses", "use"],
])("%s and %s share a stem", (a, b) => {
  expect(roughStem(a)).toBe(roughStem(b));
});

test("any text gives bounded, lower-case words without stop words", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      const { content, plain } = readWords(text);
      expect(new Set(content).size).toBe(content.length);
      for (const word of [...content, ...plain]) expect(word).toBe(word.toLowerCase());
    }),
  );
});

test("a hundred kilobytes of anything is read in no time", () => {
  const startMs = cpuMs();
  for (const text of ["a_".repeat(50_000), "aB".repeat(50_000), "word ".repeat(20_000)])
    expect(readWords(text).content.length).toBeLessThanOrEqual(300);
  expect(cpuMs() - startMs).toBeLessThan(200);
});

test("a text in ASCII is read as it is beside a word with an accent", () => {
  const letters = fc.constantFrom(...Array.from("abcXYZ019_-.:/@#$' \n[]"));
  const texts = fc.oneof(fc.string({ unit: letters, maxLength: 60 }), fc.string({ maxLength: 60 }));
  fc.assert(
    fc.property(texts, (text) => {
      const alone = readWords(text);
      const beside = readWords(`${text} é`);
      expect(beside.plain).toEqual([...alone.plain, "é"]);
      expect(beside.content).toEqual([...new Set([...alone.content, "é"])]);
      expect(beside.identifiers).toEqual(alone.identifiers);
    }),
  );
});

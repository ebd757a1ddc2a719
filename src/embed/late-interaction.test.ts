import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { interactionNames } from "./late-interaction.ts";
import { modelFile } from "../../test/support/models/embed.ts";
import { openStaticEmbedder } from "./embedded-model.ts";

const rows: Readonly<Record<string, readonly number[]>> = {
  crash: [7, 0, 1, 0],
  sentry: [5, 5, 0, 0],
  errors: [7, 1, 0, 0],
  monday: [0, 0, 0, 7],
  deploy: [0, 0, 6, 3],
  // The lowest level is one further from nothing than the highest.
  never: [-8, 0, 0, 2],
};
const words = Object.keys(rows);

function open() {
  const opened = openStaticEmbedder(modelFile(rows));
  if (!opened.ok) throw new Error(opened.error.type);
  const { interactions } = opened.value;
  if (interactions === undefined) throw new Error("a static model has words");
  return interactions;
}

const named = (features: readonly number[] | null | undefined): Record<string, number> =>
  Object.fromEntries(interactionNames.map((name, at) => [name, features?.[at] ?? Number.NaN]));

test("each word of the question meets the nearest word of the text", () => {
  const [near, far] = open()("crash", ["sentry errors", "monday deploy"]);
  expect(named(near)["found"]).toBeCloseTo(cosine("crash", "errors"), 2);
  expect(named(far)["found"]).toBeCloseTo(cosine("crash", "deploy"), 2);
  expect(named(near)["near 0.7"]).toBeGreaterThan(named(far)["near 0.7"] ?? 0);
});

test("the numbers are those of plain arithmetic, whatever the words", () => {
  const interactions = open();
  const some = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(some, fc.array(some, { minLength: 1, maxLength: 5 }), (question, texts) => {
      const all = interactions(
        question.join(" "),
        texts.map((text) => text.join(" ")),
      );
      for (const [at, text] of texts.entries())
        for (const [k, value] of plainly([...new Set(question)], text).entries())
          expect(plain(all[at]?.[k] ?? 0, k)).toBeCloseTo(plain(value, k), 1);
    }),
    { numRuns: 60 },
  );
});

test("a text without known words has no interactions, nor has a question", () => {
  expect(open()("crash", ["xyzzy", "errors"])[0]).toBeNull();
  expect(open()("crash", ["xyzzy", "errors"])[1]).not.toBeNull();
  expect(open()("xyzzy", ["errors"])).toEqual([null]);
  expect(open()("crash", [])).toEqual([]);
});

test("of a long question and a long text some words are looked at, and the memory grows as needed", () => {
  const interactions = open();
  const long = Array.from({ length: 5_000 }, (_, at) => words[at % words.length]).join(" ");
  expect(interactions(long, [long, "errors"]).every((one) => one !== null)).toBe(true);
});

/** Logarithms of what is nearly nothing differ widely, and say the same. */
function plain(value: number, at: number): number {
  return interactionNames[at]?.startsWith("near") === true ? Math.exp(value) : value;
}

function cosine(a: string, b: string): number {
  return dot(rows[a] ?? [], rows[b] ?? []) / (norm(a) * norm(b));
}

/** Rows have a scale of a half. */
function norm(word: string): number {
  return Math.hypot(...(rows[word] ?? []));
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}

/** The same as the program's, word by word and without a kernel. */
function plainly(question: readonly string[], text: readonly string[]): readonly number[] {
  const asked = question.reduce((sum, word) => sum + norm(word), 0);
  const told = text.reduce((sum, word) => sum + norm(word), 0);
  const best = (word: string, among: readonly string[]): number =>
    Math.max(...among.map((other) => cosine(word, other)));
  const over = (some: readonly string[], whole: number, of: (word: string) => number): number =>
    some.reduce((sum, word) => sum + (norm(word) / whole) * of(word), 0);
  const sum = text.reduce(
    (vector, word) => vector.map((value, at) => value + (rows[word]?.[at] ?? 0)),
    [0, 0, 0, 0],
  );
  return [
    over(question, asked, (word) => best(word, text)),
    over(question, asked, (word) => Math.max(0, best(word, text)) ** 2),
    over(text, told, (word) => best(word, question)),
    ...[0.7, 0.5, 0.35, 0.2].map((center) =>
      Math.log(
        over(text, told, (word) =>
          over(question, asked, (other) =>
            Math.exp(-((cosine(word, other) - center) ** 2) / 0.015),
          ),
        ) + 1e-4,
      ),
    ),
    Math.hypot(...sum) / told,
    Math.log(text.length + 1),
  ];
}

import { describe, expect, test } from "bun:test";
import { setA } from "./scorer-labelled-a.ts";
import { setB } from "./scorer-labelled-b.ts";
import { contextOf } from "./scorer-labelled.ts";
import type { LabelledTurn } from "./scorer-labelled.ts";
import { scoreTurn } from "./scorer.ts";

const judged = (set: readonly LabelledTurn[]) =>
  set.map((labelled) => {
    const { significance, type } = scoreTurn(contextOf(labelled), labelled.before ?? []);
    const [lo, hi] = labelled.band;
    return {
      labelled,
      significance,
      type,
      inBand: significance >= lo && significance <= hi,
      isType: labelled.types.includes(type),
    };
  });
const share = (rows: readonly boolean[]): number => rows.filter(Boolean).length / rows.length;

describe.each([
  { name: "A, which the word classes were tuned on", set: setA },
  { name: "B, which they were not", set: setB },
])("on set $name", ({ set }) => {
  const rows = judged(set);

  test("at least forty turns are labelled", () => {
    expect(set.length).toBeGreaterThanOrEqual(40);
  });
  test("four of five scores lie in their band", () => {
    expect(share(rows.map((row) => row.inBand))).toBeGreaterThanOrEqual(0.8);
  });
  test("four of five types are what a reader would say", () => {
    expect(share(rows.map((row) => row.isType))).toBeGreaterThanOrEqual(0.8);
  });
});

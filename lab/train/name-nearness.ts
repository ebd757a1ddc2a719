/**
 * Measures from which nearness to its name a memory is told in the middle of a session, for
 * src/memory/injection/name-nearness.ts.
 *
 *   bun lab/train/name-nearness.ts [--real ROWS.jsonl]
 *
 * A row is a memory that was found for a prompt of a real developer, in figures, with the label of a reader who saw the
 * talk, the text that would be given and what the agent did without it: `useful`, `fits` (the same matter, but no help)
 * or `noise`. Of each prompt the nearest memory counts. Prints what is told at several bars, as if every developer were
 * known, and what is told to each developer at the bars that are best for the others.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { option } from "../options.ts";
import { nameBars } from "../../src/memory/injection/name-nearness.ts";
import { bias, weights } from "../../src/memory/injection/gate.ts";

interface Row {
  readonly developer: string;
  readonly prompt: number;
  readonly label: "useful" | "fits" | "noise";
  /** How the prompt sounds, -3 to 3. */
  readonly asks: number;
  readonly near: number;
  readonly nameNearness: number;
  /** The memory has an identifier of the prompt. */
  readonly isIdentified: boolean;
}

interface Bars {
  readonly mentioned: number;
  readonly named: number;
}

/** Bar of the gate in the middle of a session, at normal eagerness. */
const bar = 0.9;

const file = option("real", join(import.meta.dir, "name-nearness.jsonl"));
const rows = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Row);
const nearest = [...Map.groupBy(rows, ({ prompt }) => prompt).values()].flatMap((some) =>
  some.toSorted((a, b) => b.near - a.near).slice(0, 1),
);

function isTold(
  { asks, near, nameNearness, isIdentified }: Row,
  { mentioned, named }: Bars,
): boolean {
  const sound = isIdentified || nameNearness >= named ? Math.max(0, asks) : asks;
  const odds = bias + weights.asks * sound + weights.near * near;
  return nameNearness >= mentioned && 1 / (1 + Math.exp(-odds)) >= bar;
}

const told = (some: readonly Row[], bars: Bars): readonly Row[] =>
  some.filter((row) => isTold(row, bars));
const count = (some: readonly Row[], label: Row["label"]): number =>
  some.filter((row) => row.label === label).length;
const worth = (some: readonly Row[]): number =>
  count(some, "useful") - 0.4 * count(some, "fits") - 1.5 * count(some, "noise");

function report(title: string, some: readonly Row[]): void {
  const shares = (["useful", "fits", "noise"] as const).map(
    (label) => `${label} ${count(some, label)}`,
  );
  console.log(`${title}: ${some.length} told, ${shares.join(", ")}`);
}

/** More than any nearness: that bar is not used. */
const never = 2;
const grid = [0, 0.35, 0.4, 0.45, 0.5, 0.55].flatMap((mentioned) =>
  [0.65, 0.7, 0.75, never].map((named) => ({ mentioned, named })),
);

console.log(`${rows.length} rows, ${nearest.length} prompts`);
report("as shipped", told(nearest, nameBars));
for (const bars of grid)
  report(
    `mentioned from ${bars.mentioned}, named from ${bars.named === never ? "never" : bars.named}`,
    told(nearest, bars),
  );
const developers = [...new Set(rows.map(({ developer }) => developer))];
report(
  "left out",
  developers.flatMap((name) => {
    const others = nearest.filter(({ developer }) => developer !== name);
    const [best = nameBars] = grid.toSorted(
      (a, b) => worth(told(others, b)) - worth(told(others, a)),
    );
    return told(
      nearest.filter(({ developer }) => developer === name),
      best,
    );
  }),
);

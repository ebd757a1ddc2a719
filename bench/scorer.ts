/**
 * Does the scorer say what a reader would? Asks it about the labelled turns of bench/data/scorer.
 *
 *   bun bench/scorer.ts [--save] [--misses]
 *
 * Prints the share of turns whose significance lies in its band and the share whose type is one that a reader would give,
 * for each set; `--misses` prints the other turns. Compares with bench/baselines.json (`--save` replaces it), and ends
 * with status 1 when a share is below.
 */
import { judge, labelledTurns } from "../src/memory/extraction/scorer-fixtures.ts";
import {
  changesSince,
  type Figures,
  flag,
  mean,
  printTable,
  readBaselines,
  round,
  saveBaselines,
} from "./report/table.ts";

const digits = 4;
const figures: Record<string, number> = {};
for (const [name, set] of [
  ["A", "a"],
  ["B", "b"],
] as const) {
  const judged = labelledTurns(set).map(judge);
  const share = (isRight: readonly boolean[]): number => round(mean(isRight.map(Number)), digits);
  figures[`${name} | in band`] = share(judged.map(({ inBand }) => inBand));
  figures[`${name} | of type`] = share(judged.map(({ ofType }) => ofType));
  if (!flag("misses")) continue;
  for (const { prompt, inBand, ofType } of judged)
    if (!inBand || !ofType)
      console.log(
        `${name}, ${inBand ? "" : "not in band "}${ofType ? "" : "not of type "}: ${prompt}`,
      );
}

printTable(["share of turns", ""], Object.entries(figures));
const baselines: Figures = readBaselines("scorer");
const changes = changesSince(baselines, figures, 10 ** -digits);
if (changes.length > 0) printTable(["since the baseline", "before", "now", ""], changes);
if (flag("save")) saveBaselines("scorer", figures);
else if (Object.entries(figures).some(([name, value]) => value < (baselines[name] ?? 0))) {
  console.error(
    "A share is below bench/baselines.json. Mend the scorer, or accept the figures with --save.",
  );
  process.exit(1);
}

/** Derives the numbers of one embedder, step by step: each step uses what the ones before it have found. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Calibration, Embedder } from "#domain";
import { type Labelled, readLabelled } from "./labelled.ts";
import { withStrangers } from "./memory.ts";
import { mean, percentile, round } from "../report/table.ts";
import { cosineOf, planOf } from "../retrieval/dedup.ts";
import { rowsOf } from "../retrieval/pairs.ts";
import { halvesOf } from "../retrieval/question-set.ts";

export interface Calibrated {
  readonly calibration: Calibration;
  /** Labelled prompts. */
  readonly samples: number;
  /** The same numbers from one half of the projects each: how far they can be trusted. */
  readonly halves: readonly Readonly<Record<string, number>>[];
}

/** Share of rewordings below the cosine from which they are looked for. */
const rewordingsMissed = 0.05;
/** Weights tried; those that do as well as the best but for chance are averaged. */
const weights = [0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7];
const chance = 0.01;
const duplicateFloors = Array.from({ length: 25 }, (_, i) => round(0.74 + i * 0.01, 2));
/** A floor stands this far above the nearest false pair: other people's pairs are not these. */
const margin = 0.02;

export function calibrate(embedder: Embedder): Calibrated {
  const labelled = readLabelled();
  const byHash = halvesOf(labelled.projects);
  const half = (wanted: 0 | 1): Labelled => ({
    ...labelled,
    prompts: labelled.prompts.filter(({ project }) => byHash.get(project) === wanted),
  });
  return {
    samples: labelled.prompts.length,
    calibration: numbersOf(embedder, labelled),
    halves: [half(0), half(1)].map((some) =>
      Object.fromEntries(Object.entries(numbersOf(embedder, some))),
    ),
  };
}

const withNumbers = (embedder: Embedder, numbers: Calibration): Embedder => ({
  ...embedder,
  identity: { ...embedder.identity, ...numbers },
});

function numbersOf(embedder: Embedder, labelled: Labelled): Calibration {
  const lexicalWeight = fusionWeight(embedder, labelled);
  const draft = withNumbers(embedder, { ...embedder.identity, lexicalWeight });
  return {
    duplicateFloor: duplicateFloor(embedder),
    similarityFloor: dividing(
      wantedOf(draft, labelled).flatMap(({ similarity }) => similarity ?? []),
      unwantedOf(draft, labelled),
    ),
    lexicalWeight,
  };
}

/** The value that tells the two apart best: the largest distance between the shares that lie above it (Youden's J). */
function dividing(wanted: readonly number[], unwanted: readonly number[]): number {
  const above = (values: readonly number[], floor: number): number =>
    values.filter((value) => value >= floor).length / Math.max(1, values.length);
  const tried = Array.from({ length: 100 }, (_, i) => i / 100).map((floor) => ({
    floor,
    distance: above(wanted, floor) - above(unwanted, floor),
  }));
  return tried.toSorted((a, b) => b.distance - a.distance)[0]?.floor ?? 0;
}

/** The best cosine of each prompt that wants nothing. */
const unwantedOf = (embedder: Embedder, labelled: Labelled): readonly number[] =>
  labelled.projects.flatMap((project) => {
    using workspace = withStrangers(embedder, labelled, project);
    return labelled.prompts
      .filter((one) => one.project === project && one.wants.length === 0)
      .flatMap(({ prompt }) => {
        const found = workspace.found(project, prompt);
        const cosines = found.flatMap(({ explanation }) => explanation.similarity ?? []);
        return cosines.length === 0 ? [] : [Math.max(...cosines)];
      });
  });

interface Wanted {
  readonly similarity: number | null;
  /** From 1; 0 = not found. */
  readonly rank: number;
}

/** For every prompt that wants memory, the best of the wanted ones as the finder sees it. */
function wantedOf(embedder: Embedder, labelled: Labelled): readonly Wanted[] {
  return labelled.projects.flatMap((project) => {
    const prompts = labelled.prompts.filter(
      (one) => one.project === project && one.wants.length > 0,
    );
    if (prompts.length === 0) return [];
    using workspace = withStrangers(embedder, labelled, project);
    return prompts.flatMap(({ prompt, wants }): readonly Wanted[] => {
      const found = workspace.found(project, prompt);
      const ids = new Set(wants.map(workspace.nodeIdOf));
      const at = found.findIndex(({ node }) => node !== null && ids.has(node.id));
      const hit = found[at];
      if (hit === undefined) return [];
      return [{ similarity: hit.explanation.similarity, rank: at + 1 }];
    });
  });
}

/** The share of words that ranks the wanted memories highest. The curve is flat: neighbours of the best are averaged. */
function fusionWeight(embedder: Embedder, labelled: Labelled): number {
  const tried = weights.map((lexicalWeight) => {
    const wanted = wantedOf(
      withNumbers(embedder, { ...embedder.identity, lexicalWeight }),
      labelled,
    );
    return { lexicalWeight, rank: mean(wanted.map(({ rank }) => 1 / rank)) };
  });
  const best = Math.max(...tried.map(({ rank }) => rank));
  const asGood = tried.filter(({ rank }) => rank >= best - chance);
  return round(mean(asGood.map(({ lexicalWeight }) => lexicalWeight)), 2);
}

/** The lowest cosine from which no two different statements are merged, and which most rewordings reach. */
function duplicateFloor(embedder: Embedder): number {
  const pairs = rowsOf(readFileSync(join(import.meta.dir, "pairs.tsv"), "utf8"));
  const lowest = duplicateFloors.find((floor) => {
    const one = withNumbers(embedder, { ...embedder.identity, duplicateFloor: floor });
    return pairs.every(
      ([label, a = "", b = ""]) => label === "S" || planOf(one, { a, b }) !== "skip",
    );
  });
  const rewordings = pairs
    .filter(([label]) => label === "S")
    .map(([, a = "", b = ""]) => cosineOf(embedder, { a, b }));
  const reached = percentile(rewordings, rewordingsMissed);
  return round(Math.min(0.98, Math.max((lowest ?? 1) + margin, reached)), 2);
}

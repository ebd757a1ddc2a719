/** Derives the numbers of one embedder, step by step: each step uses what the ones before it have found. */
import { type Calibration, categoryRules, type Embedder, type FoundDocument } from "#domain";
import { msPerDay } from "#kit";
import { type Labelled, type LabelledMemory, readLabelled } from "./labelled.ts";
import { mean, round } from "../report/table.ts";
import { halvesOf } from "../retrieval/question-set.ts";
import { openWorkspace, type Workspace } from "../retrieval/workspace.ts";

export interface Calibrated {
  readonly calibration: Calibration;
  /** Labelled prompts. */
  readonly samples: number;
  /** The same numbers from one half of the projects each: how far they can be trusted. */
  readonly halves: readonly Readonly<Record<string, number>>[];
}

/** Weights tried; those that do as well as the best but for chance are averaged. */
const weights = [0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7];
const chance = 0.01;

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
        const found = foundBy(workspace, project, prompt);
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
      const found = foundBy(workspace, project, prompt);
      const uris = new Set(labelled.memories.filter(({ id }) => wants.includes(id)).map(uriOf));
      const at = found.findIndex(({ uri }) => uris.has(uri));
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

/** Documents looked at for each prompt. */
const foundMax = 24;
const nowMs = 20_000 * msPerDay;

/** Projects per store beside the prompt's own. */
const strangers = 2;

const uriOf = ({ category, id }: LabelledMemory): string =>
  `${categoryRules[category].root}/${id.replace(".", "-")}`;

/** Holds a project with what was typed in it before, two strangers and all global memories. */
function withStrangers(embedder: Embedder, labelled: Labelled, project: string): Workspace {
  const { projects } = labelled;
  const at = projects.indexOf(project);
  const held = new Set(
    Array.from({ length: strangers + 1 }, (_, k) => projects[(at + k) % projects.length]),
  );
  const memories = labelled.memories.filter(
    (memory) => memory.project === null || held.has(memory.project),
  );
  const workspace = openWorkspace(
    embedder,
    memories.map((memory) => ({
      ...memory,
      uri: uriOf(memory),
      atMs: nowMs - 10 * msPerDay,
    })),
  );
  const { sessions } = workspace.store;
  for (const own of held) {
    if (own === undefined) continue;
    const sessionId = `history-${own}`;
    sessions.upsert({ sessionId, project: own, projectName: own, atMs: 1 });
    const typed = labelled.history.filter((entry) => entry.project === own);
    typed.forEach(({ prompt }, index) =>
      sessions.openTurn({ sessionId, promptId: `${index}`, prompt, atMs: index + 1 }),
    );
  }
  return workspace;
}

const foundBy = ({ finder }: Workspace, project: string, text: string): readonly FoundDocument[] =>
  finder.find({
    text,
    kinds: ["memory"],
    projects: [project],
    homeProject: project,
    statuses: ["active"],
    limit: foundMax,
    sort: "relevance",
    nowMs,
  });

/** A picture of memories by what they mean: places, names for the regions, and what replaced what. */
import type { MapJson } from "#api";
import type { MemoryNode, StoreDep } from "#domain";
import { ok, type Result } from "#kit";
import { contentWords } from "#memory";
import type { ModelDep } from "./deps.ts";
import type { ServiceError } from "./errors.ts";
import { layoutOf, type Spot } from "./map-layout.ts";
import { projectKeyOf } from "./scope.ts";

export interface MapApi {
  /** Memories of one project (null = of all), the latest; computed in slices. */
  readonly map: (project: string | null) => Promise<Result<MapJson, ServiceError>>;
}

type Deps = ModelDep & StoreDep;

/** More dots than this cannot be told apart. */
const nodesMax = 1_000;
/** How long the layout may hold the event loop at a time. */
const sliceMs = 8;
/** Regions of a side: each of the squares gets a name where enough stands in it. */
const regionsPerSide = 4;
const namedFrom = 4;
const wordsPerName = 2;

export const createMapApi = (deps: Deps): MapApi => ({
  map: async (given) => {
    const key = given === null ? ok(null) : projectKeyOf(deps, given);
    if (!key.ok) return key;
    const nodes = nodesOf(deps, key.value);
    const { store, models } = deps;
    const vectors = store.vectors.of(
      models.embedder.id,
      nodes.map(({ id }) => id),
    );
    const shown = nodes.filter(({ id }) => (vectors.get(id)?.length ?? 0) > 0);
    const spots = await inSlices(layoutOf(shown.map(({ id }) => vectors.get(id) ?? none)));
    const known = new Set(shown.map(({ id }) => id));
    return ok({
      project: key.value,
      total: nodes.length,
      items: shown.map(({ uri, l0, category, status, updatedAt, importance }, at) => ({
        uri,
        l0,
        category,
        status,
        at: updatedAt,
        importance,
        x: spots[at]?.x ?? 0.5,
        y: spots[at]?.y ?? 0.5,
      })),
      regions: regionsOf(shown, spots),
      trails: [...store.nodes.successors(replaced(shown))].flatMap(([from, to]) => {
        const old = shown.find(({ id }) => id === from);
        return old !== undefined && known.has(to.id) ? [{ from: old.uri, to: to.uri }] : [];
      }),
    });
  },
});

const none = new Float32Array();

const replaced = (nodes: readonly MemoryNode[]): readonly number[] =>
  nodes.filter(({ status }) => status === "superseded").map(({ id }) => id);

/** A project's own: what holds everywhere would be the same in every picture. */
function nodesOf({ store }: StoreDep, project: string | null): readonly MemoryNode[] {
  const page = { limit: nodesMax, offset: 0 };
  if (project === null) return store.nodes.list({ projects: null }, "recent", page);
  const found = store.nodes.list({ projects: [project] }, "recent", {
    ...page,
    limit: nodesMax * 2,
  });
  return found.filter((node) => node.project === project).slice(0, nodesMax);
}

/** Runs it to its end, and lets hooks go first between its steps. */
async function inSlices<Value>(steps: Generator<void, Value>): Promise<Value> {
  for (let sinceMs = performance.now(); ;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - sinceMs < sliceMs) continue;
    await new Promise((resolve) => setImmediate(resolve));
    sinceMs = performance.now();
  }
}

/** The words that tell a part of the picture from the rest of it. */
function regionsOf(nodes: readonly MemoryNode[], spots: readonly Spot[]): MapJson["regions"] {
  const forms = new Map<string, string>();
  const words = nodes.map(({ l0 }) => new Set(stemsIn(l0, forms)));
  const all = counted(words);
  const squares = Map.groupBy(nodes.keys(), (at) => {
    const { x, y } = spots[at] ?? { x: 0, y: 0 };
    return squareOf(x) * regionsPerSide + squareOf(y);
  });
  const largestFirst = [...squares.values()].toSorted((a, b) => b.length - a.length);
  return largestFirst.flatMap((members) => {
    if (members.length < namedFrom) return [];
    const here = counted(members.map((at) => words[at] ?? new Set<string>()));
    const telling = [...here]
      .filter(([word, count]) => count > 1 && word.length > 2)
      .map(([word, count]) => ({ word, weight: (count * count) / (all.get(word) ?? 1) }))
      .toSorted((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1))
      .slice(0, wordsPerName);
    const mean = (of: (spot: Spot) => number): number =>
      members.reduce((sum, at) => sum + of(spots[at] ?? { x: 0, y: 0 }), 0) / members.length;
    return telling.length === 0
      ? []
      : [
          {
            name: telling.map(({ word }) => forms.get(word) ?? word).join(" · "),
            x: mean(({ x }) => x),
            y: mean(({ y }) => y),
          },
        ];
  });
}

/** Notes for each stem the shortest word that it was met as: a stem alone is no word. */
function stemsIn(text: string, forms: Map<string, string>): readonly string[] {
  return (text.match(/[\p{L}\p{N}_-]{3,30}/gu) ?? []).flatMap((word) => {
    const stems = contentWords(word);
    const [stem] = stems;
    if (stem === undefined || stems.length !== 1) return stems;
    const known = forms.get(stem);
    if (known === undefined || word.length < known.length) forms.set(stem, word.toLowerCase());
    return stems;
  });
}

const squareOf = (value: number): number =>
  Math.min(regionsPerSide - 1, Math.floor(value * regionsPerSide));

function counted(sets: readonly ReadonlySet<string>[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const words of sets) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

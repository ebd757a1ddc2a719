/**
 * Looks outside the projects of a question: what other projects hold follows the own results only when it replaced one
 * of them, is exact, or is clearly better than the best of them (docs/adr/0062).
 */
import type { FindQuery, FoundDocument, NodeStore } from "#domain";
import { passesFilters } from "./candidates.ts";
import { documentOf } from "./ranking.ts";
import { exactFrom, heldIn, type Exactness } from "./exact.ts";

/** Most results of other projects. */
const elsewhereMax = 2;
/** Factor by which such a result is better than the best own one. */
const betterFrom = 1.2;
/** A score below this is near nothing, however far the own results are off. */
const scoreMin = 0.3;
/** The second one is at least this near to the first. */
const besideFrom = 0.5;

/** False for a project whose memories are shown in no other one. Asked of near results alone: it may read files. */
export type MayShow = (project: string) => boolean;

export interface ElsewhereAsk {
  readonly query: FindQuery;
  /** Results of the question's own projects, best first. */
  readonly own: readonly FoundDocument[];
  /** Results of all projects, best first: scores are compared within one list alone. */
  readonly all: readonly FoundDocument[];
  /** Names of the question; null = none. */
  readonly exact: Exactness | null;
  readonly mayShow: MayShow;
  readonly nodes: NodeStore;
}

/** Results of other projects that shall follow the own ones: what replaced one of these, then the best. */
export function worthElsewhere(ask: ElsewhereAsk): readonly FoundDocument[] {
  const heirs = heirsElsewhere(ask);
  const known = new Set(heirs.map(({ uri }) => uri));
  const near = nearElsewhere(ask).filter(({ uri }) => !known.has(uri));
  return [...heirs, ...near].slice(0, elsewhereMax);
}

/** Successors of own results that lie in another project. They inherit score and reasons. */
const heirsElsewhere = ({ query, own, mayShow, nodes }: ElsewhereAsk): readonly FoundDocument[] => {
  const heirs = new Map<string, FoundDocument>();
  for (const { score, explanation, supersededBy } of own) {
    const node = supersededBy === null ? null : nodes.byUri(supersededBy);
    if (node === null || node.project === null || query.projects?.includes(node.project)) continue;
    const holds = node.status === "active" && passesFilters(node, { ...query, projects: null });
    if (!holds || heirs.has(node.uri) || !mayShow(node.project)) continue;
    heirs.set(node.uri, documentOf(node, { score, explanation, supersededBy: null }));
  }
  return [...heirs.values()];
};

function nearElsewhere({
  query: { projects },
  own,
  all,
  exact,
  mayShow,
}: ElsewhereAsk): readonly FoundDocument[] {
  if (projects === null) return [];
  const isOwn = ({ project }: FoundDocument): boolean =>
    project === null || projects.includes(project);
  const bestOwn = (all.find(isOwn) ?? all.at(-1))?.score ?? 0;
  const namesOwn = mostNames(exact, own);
  const worth = all.filter(
    (document) =>
      !isOwn(document) &&
      (document.kind === "memory" || document.kind === "exchange") &&
      (document.score >= Math.max(scoreMin, betterFrom * bestOwn) ||
        mostNames(exact, [document]) > namesOwn) &&
      (document.project === null || mayShow(document.project)),
  );
  const best = worth[0]?.score ?? 0;
  return worth.filter(({ score }) => score >= besideFrom * best);
}

/** Strong names of the question that one of these texts has exactly, at most. */
function mostNames(exact: Exactness | null, documents: readonly FoundDocument[]): number {
  if (exact === null) return 0;
  const counts = documents.map(
    ({ l0, node }) =>
      heldIn(exact, `${l0} ${node?.l1 ?? ""}`).levels.filter(
        (level, at) => exact.names[at]?.name.isStrong === true && level >= exactFrom,
      ).length,
  );
  return Math.max(0, ...counts);
}

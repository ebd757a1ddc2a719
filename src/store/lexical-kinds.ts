/**
 * The kinds of documents that can be searched: where each is indexed, how its fields weigh, what the filters mean for
 * it.
 */
import type { DocumentKind, FindFilters } from "#domain";
import { isIn, nodeConditions, touches, type Condition } from "./node-rows.ts";

/** The index of a kind of document, and the table of its rows. */
export interface Indexed {
  readonly index: string;
  /** Joined to the index, with the alias its conditions use. */
  readonly join: string;
  /** One weight per column of the index, in order. Around 1, so that scores stay comparable with plain BM25. */
  readonly weights: string;
  readonly where: (filters: FindFilters) => readonly Condition[];
  /** The same rows without the index, for counting documents of some projects. */
  readonly rows: string;
  readonly project: string;
  /** Do rows without a project belong to every project? */
  readonly isGlobalShared: boolean;
}

/** l0, l1, l2, aliases, tags, files, idents. */
const nodeWeights = "2.0, 1.0, 0.5, 1.5, 1.2, 1.0, 0.3";

const node = (index: string, rows: string): Indexed => ({
  index,
  join: `mem_nodes n ON n.id = ${index}.rowid`,
  weights: nodeWeights,
  where: (filters) => [
    ...nodeConditions(filters),
    ...(filters.categories === undefined ? [] : [isIn("n.category", filters.categories)]),
  ],
  rows: `mem_nodes n WHERE n.node_type = 'leaf' AND n.status <> 'retracted' AND ${rows}`,
  project: "n.project",
  isGlobalShared: true,
});

/** As `isExchange` tells them. */
const exchangeRows = "n.uri LIKE '%/exchanges/%'";

export const indexedByKind: Readonly<Record<DocumentKind, Indexed>> = {
  memory: node("mem_fts", "n.category <> 'sessions'"),
  moment: node("archive_fts", `n.category = 'sessions' AND NOT ${exchangeRows}`),
  exchange: node("exchange_fts", `n.category = 'sessions' AND ${exchangeRows}`),
  prompt: {
    index: "prompt_fts",
    join: "turns t ON t.id = prompt_fts.rowid CROSS JOIN sessions s ON s.session_id = t.session_id",
    // prompt, idents
    weights: "1.0, 0.3",
    where: (filters) => [
      ...recordConditions(filters, {
        project: "s.project",
        session: "t.session_id",
        at: "t.started_at",
      }),
      ...(filters.tags === undefined ? [] : [never]),
      ...byFile(filters.file, ["t.files_read", "t.files_edited"]),
      ...fromOrigin(filters, "user"),
    ],
    rows: "turns t JOIN sessions s ON s.session_id = t.session_id WHERE t.prompt <> ''",
    project: "s.project",
    isGlobalShared: false,
  },
  checkpoint: {
    index: "checkpoint_fts",
    join: "checkpoints c ON c.id = checkpoint_fts.rowid",
    // l0, body, files, idents
    weights: "2.0, 1.0, 1.0, 0.3",
    where: (filters) => [
      ...recordConditions(filters, {
        project: "c.project",
        session: "c.session_id",
        at: "c.at_ms",
      }),
      ...(filters.tags === undefined ? [] : [never]),
      ...byFile(filters.file, [
        "json_extract(c.fields, '$.filesRead')",
        "json_extract(c.fields, '$.filesEdited')",
      ]),
      ...fromOrigin(filters, "agent"),
    ],
    rows: "checkpoints c WHERE c.is_current = 1",
    project: "c.project",
    isGlobalShared: false,
  },
};

/** A kind without such a property has nothing to offer when it is asked for. */
const never: Condition = ["FALSE"];

/** Filters that every record knows. Records belong to the archive and are neither pending nor superseded. */
function recordConditions(
  filters: FindFilters,
  columns: { readonly project: string; readonly session: string; readonly at: string },
): readonly Condition[] {
  const { projects, session, sinceMs, untilMs, categories, statuses } = filters;
  return [
    ...(categories !== undefined && !categories.includes("sessions") ? [never] : []),
    ...(statuses !== undefined && !statuses.includes("active") ? [never] : []),
    ...(projects === null ? [] : [isIn(columns.project, projects)]),
    ...(session === undefined ? [] : [[`${columns.session} = ?`, session] as const]),
    ...(sinceMs === undefined ? [] : [[`${columns.at} >= ?`, sinceMs] as const]),
    ...(untilMs === undefined ? [] : [[`${columns.at} <= ?`, untilMs] as const]),
  ];
}

/** Prompts are the user's, checkpoints come from the agent. No record has a maker. */
const fromOrigin = (
  { origin, maker }: FindFilters,
  own: FindFilters["origin"],
): readonly Condition[] =>
  maker !== undefined || (origin !== undefined && origin !== own) ? [never] : [];

function byFile(file: string | undefined, columns: readonly string[]): readonly Condition[] {
  if (file === undefined) return [];
  const each = columns.map((column) => touches(column, file));
  const text = each.map(([condition]) => condition).join(" OR ");
  return [[`(${text})`, ...each.flatMap(([, ...params]) => params)]];
}

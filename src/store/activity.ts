/**
 * Lists recent events, read from the records themselves: a feed that needs no buffer of its own
 * cannot remember what was forgotten. Every kind is a table whose ids count up and are never used
 * again.
 */
import {
  activityKinds,
  isCategory,
  type Activity,
  type ActivityKind,
  type ActivityLog,
  type ActivityMarks,
  type ActivityPlace,
} from "#domain";
import { metaOf, saveMeta } from "./meta.ts";
import type { Sql } from "./sql.ts";
import { orderOf } from "./timeline.ts";

interface Source {
  readonly table: string;
  /** The column that says when it happened; it has an index. */
  readonly at: string;
  /** SELECT … FROM … WHERE TRUE, to which conditions on `x.id` are added. */
  readonly select: string;
}

/** A line is one line: longer texts are cut in the database, before they are copied. */
const titleChars = 300;

const sources: Readonly<Record<ActivityKind, Source>> = {
  memory: {
    table: "mem_revisions",
    at: "x.at_ms",
    select: `SELECT x.id, x.at_ms AS atMs, n.source_session AS sessionId, n.project, n.uri,
                    substr(x.l0_abstract, 1, ${titleChars}) AS title, x.reason AS detail,
                    NULL AS tokens, x.action, n.category
               FROM mem_revisions x JOIN mem_nodes n ON n.id = x.node_id WHERE TRUE`,
  },
  prompt: {
    table: "turns",
    at: "x.started_at",
    select: `SELECT x.id, x.started_at AS atMs, x.session_id AS sessionId, s.project, NULL AS uri,
                    substr(x.prompt, 1, ${titleChars}) AS title, NULL AS detail, NULL AS tokens, NULL AS action,
                    NULL AS category
               FROM turns x JOIN sessions s ON s.session_id = x.session_id WHERE TRUE`,
  },
  injection: {
    table: "injections",
    at: "x.at_ms",
    select: `SELECT x.id, x.at_ms AS atMs, x.session_id AS sessionId, s.project, NULL AS uri, x.channel AS title,
                    x.cause AS detail, x.tokens,
                    NULL AS action, NULL AS category
               FROM injections x LEFT JOIN sessions s ON s.session_id = x.session_id WHERE x.tokens > 0`,
  },
  checkpoint: {
    table: "checkpoints",
    at: "x.at_ms",
    select: `SELECT x.id, x.at_ms AS atMs, x.session_id AS sessionId, x.project, NULL AS uri,
                    substr(x.l0, 1, ${titleChars}) AS title, x.made_at AS detail, NULL AS tokens,
                    NULL AS action, NULL AS category
               FROM checkpoints x WHERE TRUE`,
  },
  call: {
    table: "llm_calls",
    at: "x.at_ms",
    select: `SELECT x.id, x.at_ms AS atMs, x.session_id AS sessionId, NULL AS project, NULL AS uri, x.purpose AS title,
                    x.model || ': ' || x.outcome AS detail, x.tokens_in + x.tokens_out AS tokens, NULL AS action,
                    NULL AS category
               FROM llm_calls x WHERE TRUE`,
  },
};

const forgetsName = "forgets";

/** One more forget: every view of memories must be read again. */
export const noteForget = (sql: Sql): void =>
  saveMeta(sql, forgetsName, `${Number(metaOf(sql, forgetsName) ?? 0) + 1}`);

/** The ActivityLog port. */
export const createActivityLog = (sql: Sql): ActivityLog => ({
  marks: () =>
    Object.fromEntries(
      activityKinds.map((kind) => [kind, lastId(sql, sources[kind].table)]),
    ) as ActivityMarks,
  since: (marks, limit) =>
    activityKinds.map((kind) =>
      read(sql, kind, "AND x.id > ? ORDER BY x.id LIMIT ?", [marks[kind], limit]),
    ),
  before: (place, limit, kinds = activityKinds) =>
    kinds
      .flatMap((kind) => earlier(sql, kind, place, limit))
      .toSorted((a, b) => compare(b, a))
      .slice(0, limit),
  forgets: () => Number(metaOf(sql, forgetsName) ?? 0),
});

/** By time. An import writes what happened long before, so ids say nothing of that. */
function earlier(
  sql: Sql,
  kind: ActivityKind,
  place: ActivityPlace | null,
  limit: number,
): readonly Activity[] {
  const { at } = sources[kind];
  const { atMs, id } = place === null ? theEnd : { atMs: place.atMs, id: idBound(kind, place) };
  const rest = `AND (${at}, x.id) < (?, ?) ORDER BY ${at} DESC, x.id DESC LIMIT ?`;
  return read(sql, kind, rest, [atMs, id, limit]);
}

const theEnd = { atMs: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER } as const;

const { idBound, compare } = orderOf(activityKinds);

const lastId = (sql: Sql, table: string): number =>
  sql.value<number>(`SELECT max(id) FROM ${table}`) ?? 0;

const read = (
  sql: Sql,
  kind: ActivityKind,
  rest: string,
  params: readonly number[],
): readonly Activity[] =>
  sql.all<Omit<Activity, "kind">>(`${sources[kind].select} ${rest}`, ...params).map((row) =>
    Object.assign(row, {
      kind,
      title: (row.title as string | null) ?? "",
      category: row.category !== null && isCategory(row.category) ? row.category : null,
    }),
  );

/**
 * Lists what happened around a moment: prompts, answers, memories, archive and injections in order
 * of time, kind and id.
 */
import {
  momentKinds,
  type MomentKind,
  type Timeline,
  type TimelineEntry,
  type TimelineFilter,
  type TimelinePlace,
} from "#domain";
import { isIn, joinWhere, type Condition } from "./node-rows.ts";
import type { Sql } from "./sql.ts";

interface Source {
  readonly columns: string;
  readonly from: string;
  readonly at: string;
  readonly session: string;
  readonly project: string;
  readonly only: readonly Condition[];
}

/** The shown length of a text; the whole of it is in its session. */
const textChars = 2_000;
const titleChars = 300;

const turns = "turns x JOIN sessions s ON s.session_id = x.session_id";
const node = (only: Condition): Source => ({
  columns: `x.source_session AS sessionId, NULL AS turn, x.project, x.uri, x.status,
            x.l0_abstract AS title,
            substr(x.l1_overview, 1, ${textChars}) AS text`,
  from: "mem_nodes x",
  at: "x.created_at",
  session: "x.source_session",
  project: "x.project",
  only: [["x.node_type = 'leaf'"], only, ["x.status IN ('active', 'superseded')"]],
});

const sources: Readonly<Record<MomentKind, Source>> = {
  prompt: {
    columns: `x.session_id AS sessionId, x.n AS turn, s.project, NULL AS uri, NULL AS status,
              substr(x.prompt, 1, ${titleChars}) AS title, substr(x.prompt, 1, ${textChars}) AS text`,
    from: turns,
    at: "x.started_at",
    session: "x.session_id",
    project: "s.project",
    only: [],
  },
  answer: {
    columns: `x.session_id AS sessionId, x.n AS turn, s.project, NULL AS uri, NULL AS status,
              substr(x.answer, 1, ${titleChars}) AS title, substr(x.answer, 1, ${textChars}) AS text`,
    from: turns,
    at: "x.ended_at",
    session: "x.session_id",
    project: "s.project",
    only: [["x.answer IS NOT NULL"]],
  },
  memory: node(["x.category <> 'sessions'"]),
  // The sign keeps SQLite from the index of categories, whose rows it would have to sort by time.
  moment: node(["+x.category = 'sessions'"]),
  checkpoint: {
    columns:
      "x.session_id AS sessionId, NULL AS turn, x.project, NULL AS uri, NULL AS status, x.l0 AS title, NULL AS text",
    from: "checkpoints x",
    at: "x.at_ms",
    session: "x.session_id",
    project: "x.project",
    only: [],
  },
  injection: {
    columns: `x.session_id AS sessionId, NULL AS turn, s.project, NULL AS uri, NULL AS status, x.channel AS title,
              substr(x.text, 1, ${textChars}) AS text`,
    from: "injections x LEFT JOIN sessions s ON s.session_id = x.session_id",
    at: "x.at_ms",
    session: "x.session_id",
    project: "s.project",
    only: [["x.tokens > 0"]],
  },
};

export const createTimeline = (sql: Sql): Timeline => ({
  beside: (place, side, filter, limit) =>
    filter.kinds
      .flatMap((kind) => beside(sql, kind, { place, side, filter, limit }))
      .toSorted((a, b) => (side === "earlier" ? compare(b, a) : compare(a, b)))
      .slice(0, limit),
});

function beside(
  sql: Sql,
  kind: MomentKind,
  ask: {
    readonly place: TimelinePlace;
    readonly side: "earlier" | "later";
    readonly filter: TimelineFilter;
    readonly limit: number;
  },
): readonly TimelineEntry[] {
  const { columns, from, at, session, project, only } = sources[kind];
  const { place, side, filter, limit } = ask;
  const isEarlier = side === "earlier";
  const where = joinWhere([
    ...only,
    [`(${at}, x.id) ${isEarlier ? "<" : ">"} (?, ?)`, place.atMs, idBound(kind, place)],
    ...(filter.sessionId === null ? [] : [[`${session} = ?`, filter.sessionId] as const]),
    ...(filter.projects === null ? [] : [isIn(project, filter.projects)]),
  ]);
  const order = isEarlier ? "DESC" : "ASC";
  return sql
    .all<Omit<TimelineEntry, "kind">>(
      `SELECT x.id, ${at} AS atMs, ${columns} FROM ${from} WHERE ${where.text}
        ORDER BY ${at} ${order}, x.id ${order} LIMIT ?`,
      ...where.params,
      limit,
    )
    .map((row) => Object.assign(row, { kind, title: (row.title as string | null) ?? "" }));
}

const compare = (a: TimelinePlace, b: TimelinePlace): number =>
  a.atMs - b.atMs || rank(a.kind) - rank(b.kind) || a.id - b.id;

/** At the very time of the place, kinds before its own lie before it, and those behind lie behind it. */
function idBound(kind: MomentKind, place: TimelinePlace): number {
  const distance = rank(kind) - rank(place.kind);
  if (distance === 0) return place.id;
  return distance < 0 ? Number.MAX_SAFE_INTEGER : -1;
}

const rank = (kind: MomentKind): number => momentKinds.indexOf(kind);

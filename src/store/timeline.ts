/** What happened around a moment: prompts, answers, memories, archive and injections in order of time, kind and id. */
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

interface EntryRow {
  readonly id: number;
  readonly at_ms: number;
  readonly session_id: string | null;
  readonly turn: number | null;
  readonly project: string | null;
  readonly uri: string | null;
  readonly title: string | null;
  readonly text: string | null;
}

interface Source {
  readonly columns: string;
  readonly from: string;
  readonly at: string;
  readonly session: string;
  readonly project: string;
  readonly only: readonly Condition[];
}

/** Of a text so much is shown; the whole of it is in its session. */
const textChars = 2_000;
const titleChars = 300;

const turns = "turns x JOIN sessions s ON s.session_id = x.session_id";
const node = (only: Condition): Source => ({
  columns: `x.source_session AS session_id, NULL AS turn, x.project, x.uri, x.l0_abstract AS title,
            substr(x.l1_overview, 1, ${textChars}) AS text`,
  from: "mem_nodes x",
  at: "x.created_at",
  session: "x.source_session",
  project: "x.project",
  only: [["x.node_type = 'leaf'"], only, ["x.status IN ('active', 'superseded')"]],
});

const sources: Readonly<Record<MomentKind, Source>> = {
  prompt: {
    columns: `x.session_id, x.n AS turn, s.project, NULL AS uri, substr(x.prompt, 1, ${titleChars}) AS title,
              substr(x.prompt, 1, ${textChars}) AS text`,
    from: turns,
    at: "x.started_at",
    session: "x.session_id",
    project: "s.project",
    only: [],
  },
  answer: {
    columns: `x.session_id, x.n AS turn, s.project, NULL AS uri, substr(x.answer, 1, ${titleChars}) AS title,
              substr(x.answer, 1, ${textChars}) AS text`,
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
    columns: "x.session_id, NULL AS turn, x.project, NULL AS uri, x.l0 AS title, NULL AS text",
    from: "checkpoints x",
    at: "x.at_ms",
    session: "x.session_id",
    project: "x.project",
    only: [],
  },
  injection: {
    columns: `x.session_id, NULL AS turn, s.project, NULL AS uri, x.channel AS title,
              substr(x.text, 1, ${textChars}) AS text`,
    from: "injections x LEFT JOIN sessions s ON s.session_id = x.session_id",
    at: "x.at_ms",
    session: "x.session_id",
    project: "s.project",
    only: [["x.tokens > 0"]],
  },
};

/** The Timeline port. */
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
    .all<EntryRow>(
      `SELECT x.id, ${at} AS at_ms, ${columns} FROM ${from} WHERE ${where.text}
        ORDER BY ${at} ${order}, x.id ${order} LIMIT ?`,
      ...where.params,
      limit,
    )
    .map((row) => entryFromRow(kind, row));
}

const orderOf = (kind: MomentKind): number => momentKinds.indexOf(kind);

/** At the very time of the place, kinds before its own lie before it, and those behind lie behind it. */
function idBound(kind: MomentKind, place: TimelinePlace): number {
  const distance = orderOf(kind) - orderOf(place.kind);
  if (distance === 0) return place.id;
  return distance < 0 ? Number.MAX_SAFE_INTEGER : -1;
}

const compare = (a: TimelinePlace, b: TimelinePlace): number =>
  a.atMs - b.atMs || orderOf(a.kind) - orderOf(b.kind) || a.id - b.id;

const entryFromRow = (kind: MomentKind, row: EntryRow): TimelineEntry => ({
  kind,
  id: row.id,
  atMs: row.at_ms,
  sessionId: row.session_id,
  turn: row.turn,
  project: row.project,
  uri: row.uri,
  title: row.title ?? "",
  text: row.text,
});

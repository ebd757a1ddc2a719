/** Tells how far the records go: every kind is a table whose ids count up and are never used again. */
import { activityKinds, type ActivityKind, type ActivityLog, type ActivityMarks } from "#domain";
import { metaOf, saveMeta } from "./meta.ts";
import type { Sql } from "./sql.ts";

const tables: Readonly<Record<ActivityKind, string>> = {
  memory: "mem_revisions",
  prompt: "turns",
  injection: "injections",
  checkpoint: "checkpoints",
  call: "llm_calls",
};

/** One more forget: every view of memories must be read again. */
export const noteForget = (sql: Sql): void =>
  saveMeta(sql, "forgets", `${Number(metaOf(sql, "forgets") ?? 0) + 1}`);

export const createActivityLog = (sql: Sql): ActivityLog => ({
  marks: () =>
    Object.fromEntries(
      activityKinds.map((kind) => [kind, sql.count(`SELECT max(id) FROM ${tables[kind]}`)]),
    ) as ActivityMarks,
  forgets: () => Number(metaOf(sql, "forgets") ?? 0),
});

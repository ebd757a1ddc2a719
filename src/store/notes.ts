/**
 * The NotesStore port: what instruction files were found to say of memories, by folder. It is only found out once more
 * where it is gone, so forgetting drops all of it.
 */
import type { NoteLine, NotesStore } from "#domain";
import { metaOf, saveMeta } from "./meta.ts";
import type { Sql } from "./sql.ts";

const prefix = "notes:";
/** With more than these it begins anew. */
const foldersMax = 64;

export const createNotes = (sql: Sql): NotesStore => ({
  of: (folder) => read(metaOf(sql, `${prefix}${folder}`)),
  put: (folder, findings) => {
    const name = `${prefix}${folder}`;
    const value = findings.size === 0 ? null : JSON.stringify([...findings]);
    if (metaOf(sql, name) === value) return;
    const isFull = value !== null && rowsOf(sql).length >= foldersMax;
    if (isFull) dropNotes(sql);
    saveMeta(sql, name, value);
  },
});

const rowsOf = (sql: Sql): readonly { readonly value: string }[] =>
  sql.all("SELECT value FROM meta WHERE name GLOB ? ORDER BY name", `${prefix}*`);

/** Lines of such files may repeat what was forgotten. */
export const dropNotes = (sql: Sql): void =>
  void sql.run("DELETE FROM meta WHERE name GLOB ?", `${prefix}*`);

function read(value: string | null): ReadonlyMap<number, NoteLine> {
  if (value === null) return new Map();
  // Written above, and by nobody else.
  return new Map(JSON.parse(value) as readonly [number, NoteLine][]);
}

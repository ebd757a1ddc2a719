/** Index rows of what an import wrote as it was. */
import type { IndexWriter } from "./indexes.ts";
import { checkpointColumns, checkpointFromRow, type CheckpointRow } from "./checkpoints.ts";
import { nodeColumns, nodeFromRow, type NodeRow } from "./node-rows.ts";
import type { Sql } from "./sql.ts";

/** Brings the indexes in step with one row that was just inserted. */
export function indexPut(
  sql: Sql,
  indexes: IndexWriter,
  { what, id }: { readonly what: "node" | "turn" | "checkpoint"; readonly id: number },
): void {
  switch (what) {
    case "node": {
      const row = sql.get<NodeRow>(`SELECT ${nodeColumns} FROM mem_nodes n WHERE n.id = ?`, id);
      if (row?.node_type === "leaf") indexes.node(nodeFromRow(row));
      return;
    }
    case "turn": {
      const row = sql.get<{ readonly prompt: string | null }>(
        "SELECT prompt FROM turns WHERE id = ?",
        id,
      );
      indexes.prompt(id, row?.prompt ?? null);
      return;
    }
    case "checkpoint": {
      const row = sql.get<CheckpointRow>(
        `SELECT ${checkpointColumns} FROM checkpoints c WHERE c.id = ?`,
        id,
      );
      if (row?.is_current === 1) indexes.checkpoint(checkpointFromRow(row));
      return;
    }
  }
}

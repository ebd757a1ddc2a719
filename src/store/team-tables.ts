/** The TeamTables port: what came from members, what is shared with them, and what is trusted and muted. */
import type {
  TeamMute,
  TeamRow,
  TeamRule,
  TeamShare,
  TeamSource,
  TeamTables,
  TeamTrust,
} from "#domain";
import type { Sql } from "./sql.ts";

interface ItemRow extends Omit<TeamRow, "nodeId"> {
  readonly node_id: number | null;
}

interface ShareRow extends Omit<TeamShare, "isWanted" | "nodeId"> {
  readonly node_id: number;
  readonly is_wanted: number;
}

const itemColumns = "t.project, t.member, t.item, t.clock, t.hash, t.node_id, t.stood";
const shareColumns = "project, item, node_id, seq, clock, hash, is_wanted";

const rowOf = ({ node_id: nodeId, ...row }: ItemRow): TeamRow => ({ ...row, nodeId });
const shareOf = ({ node_id: nodeId, is_wanted: wanted, ...row }: ShareRow): TeamShare => ({
  ...row,
  nodeId,
  isWanted: wanted === 1,
});

/** The half that receives. */
const receiving = (sql: Sql) =>
  ({
    item: ({ project, member, item }) => {
      const row = sql.get<ItemRow>(
        `SELECT ${itemColumns} FROM team_items t WHERE t.project = ? AND t.member = ? AND t.item = ?`,
        project,
        member,
        item,
      );
      return row === null ? null : rowOf(row);
    },
    putItem: ({ project, member, item, clock, hash, nodeId, stood }) =>
      void sql.run(
        `INSERT OR REPLACE INTO team_items (project, member, item, clock, hash, node_id, stood)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
        project,
        member,
        item,
        clock,
        hash,
        nodeId,
        stood,
      ),
    items: (project) =>
      sql
        .all<ItemRow>(
          `SELECT ${itemColumns} FROM team_items t WHERE ? IS NULL OR t.project = ? ORDER BY 1, 2, 3`,
          project,
          project,
        )
        .map(rowOf),
    sender: (nodeId) =>
      sql.get<TeamSource>("SELECT member, project FROM team_items WHERE node_id = ?", nodeId),
    inSlot: (project, slot) =>
      sql
        .all<ItemRow>(
          `SELECT ${itemColumns} FROM team_items t JOIN mem_nodes n ON n.id = t.node_id
          WHERE n.scope = 'team' AND n.slot = ? AND (t.project = ? OR ? IS NULL)`,
          slot,
          project,
          project,
        )
        .map(rowOf),
    nameAuthor: (nodeId, author) =>
      void sql.run(
        "UPDATE mem_nodes SET author = ? WHERE id = ? AND scope = 'team'",
        author,
        nodeId,
      ),
  }) satisfies Partial<TeamTables>;

const muting = (sql: Sql) =>
  ({
    muted: () => sql.all<TeamMute>("SELECT what, value FROM team_muted ORDER BY 1, 2"),
    mute: ({ what, value }, isMuted) =>
      void sql.run(
        isMuted
          ? "INSERT OR IGNORE INTO team_muted (what, value) VALUES (?, ?)"
          : "DELETE FROM team_muted WHERE what = ? AND value = ?",
        what,
        value,
      ),
  }) satisfies Partial<TeamTables>;

const trusting = (sql: Sql) =>
  ({
    trusted: (project) =>
      sql.all<TeamTrust>("SELECT name, hash, author FROM team_trusted WHERE project = ?", project),
    trust: (project, files) =>
      sql.atomically(() => {
        for (const { name, hash, author } of files)
          sql.run(
            "INSERT OR REPLACE INTO team_trusted (project, name, hash, author) VALUES (?, ?, ?, ?)",
            project,
            name,
            hash,
            author,
          );
      }),
    distrust: (project) => void sql.run("DELETE FROM team_trusted WHERE project = ?", project),
    trusting: () =>
      sql
        .all<{ readonly project: string }>("SELECT DISTINCT project FROM team_trusted")
        .map(({ project }) => project),
  }) satisfies Partial<TeamTables>;

/** The half that gives. */
const giving = (sql: Sql) =>
  ({
    shares: (project) =>
      sql
        .all<ShareRow>(
          `SELECT ${shareColumns} FROM team_shares WHERE project = ? ORDER BY seq`,
          project,
        )
        .map(shareOf),
    sharesAfter: (project, seq, limit) =>
      sql
        .all<ShareRow>(
          `SELECT ${shareColumns} FROM team_shares WHERE project = ? AND seq > ? ORDER BY seq LIMIT ?`,
          project,
          seq,
          limit,
        )
        .map(shareOf),
    sharesOf: (nodeId) =>
      sql
        .all<ShareRow>(`SELECT ${shareColumns} FROM team_shares WHERE node_id = ?`, nodeId)
        .map(shareOf),
    putShares: (shares) => sql.atomically(() => putShares(sql, shares)),
    sharing: () =>
      sql
        .all<{ readonly project: string }>(
          "SELECT project FROM team_shares UNION SELECT project FROM team_rules WHERE share = 'auto'",
        )
        .map(({ project }) => project),
    rule: (project) => {
      const row = sql.get<Omit<TeamRule, "categories"> & { readonly categories: string }>(
        "SELECT categories, share, arrive FROM team_rules WHERE project = ?",
        project,
      );
      if (row === null) return null;
      return { ...row, categories: JSON.parse(row.categories) as TeamRule["categories"] };
    },
    putRule: (project, rule) =>
      void (rule === null
        ? sql.run("DELETE FROM team_rules WHERE project = ?", project)
        : sql.run(
            "INSERT OR REPLACE INTO team_rules (project, categories, share, arrive) VALUES (?, ?, ?, ?)",
            project,
            JSON.stringify(rule.categories),
            rule.share,
            rule.arrive,
          )),
  }) satisfies Partial<TeamTables>;

function putShares(sql: Sql, shares: Parameters<TeamTables["putShares"]>[0]): void {
  if (shares.length === 0) return;
  const last = sql.get<{ readonly seq: number | null }>("SELECT max(seq) AS seq FROM team_shares");
  let seq = last?.seq ?? 0;
  for (const { project, item, nodeId, clock, hash, isWanted } of shares)
    sql.run(
      `INSERT OR REPLACE INTO team_shares (project, item, node_id, seq, clock, hash, is_wanted)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      project,
      item,
      nodeId,
      (seq += 1),
      clock,
      hash,
      isWanted ? 1 : 0,
    );
}

/** The TeamTables port. */
export const createTeamTables = (sql: Sql): TeamTables => ({
  ...receiving(sql),
  ...muting(sql),
  ...trusting(sql),
  ...giving(sql),
});

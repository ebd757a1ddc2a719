/** The TeamTables port: what came from members, what is shared with them, and what is trusted and muted. */
import type { TeamMute, TeamRow, TeamRule, TeamShare, TeamTables, TeamTrust } from "#domain";
import type { Sql } from "./sql.ts";
import { replace, tableOf } from "./tables.ts";

const items = tableOf<TeamRow>()("team_items t", "project member item clock hash nodeId stood");
const shares = tableOf<TeamShare>()(
  "team_shares s",
  "project item nodeId seq clock hash isWanted:bool",
);
const rules = tableOf<TeamRule>()("team_rules r", "categories:json share arrive");
const trusts = tableOf<TeamTrust>()("team_trusted t", "name hash author");

export const createTeamTables = (sql: Sql): TeamTables => ({
  item: ({ project, member, item }) =>
    items.get(sql, "WHERE t.project = ? AND t.member = ? AND t.item = ?", project, member, item),
  putItem: (row) => replace(sql, "team_items", items.values(row)),
  items: (project) =>
    items.all(sql, "WHERE ?1 IS NULL OR t.project = ?1 ORDER BY 1, 2, 3", project),
  inSlot: (project, slot) =>
    items.all(
      sql,
      `JOIN mem_nodes n ON n.id = t.node_id
        WHERE n.scope = 'team' AND n.slot = ?1 AND (t.project = ?2 OR ?2 IS NULL)`,
      slot,
      project,
    ),
  nameAuthor: (nodeId, author) =>
    void sql.run("UPDATE mem_nodes SET author = ? WHERE id = ? AND scope = 'team'", author, nodeId),
  muted: () => sql.all<TeamMute>("SELECT what, value FROM team_muted ORDER BY 1, 2"),
  mute: ({ what, value }, isMuted) =>
    void sql.run(
      isMuted
        ? "INSERT OR IGNORE INTO team_muted (what, value) VALUES (?, ?)"
        : "DELETE FROM team_muted WHERE what = ? AND value = ?",
      what,
      value,
    ),
  trusted: (project) => trusts.all(sql, "WHERE t.project = ?", project),
  trust: (project, files) =>
    sql.atomically(() => {
      for (const file of files) replace(sql, "team_trusted", { project, ...trusts.values(file) });
    }),
  distrust: (project) => void sql.run("DELETE FROM team_trusted WHERE project = ?", project),
  trusting: () => sql.column<string>("SELECT DISTINCT project FROM team_trusted"),
  shares: (project) => shares.all(sql, "WHERE s.project = ? ORDER BY s.seq", project),
  sharesAfter: (project, seq, limit) =>
    shares.all(
      sql,
      "WHERE s.project = ? AND s.seq > ? ORDER BY s.seq LIMIT ?",
      project,
      seq,
      limit,
    ),
  sharesOf: (nodeId) => shares.all(sql, "WHERE s.node_id = ?", nodeId),
  putShares: (given) =>
    sql.atomically(() => {
      let seq = sql.count("SELECT max(seq) FROM team_shares");
      for (const share of given)
        replace(sql, "team_shares", shares.values({ ...share, seq: (seq += 1) }));
    }),
  rule: (project) => rules.get(sql, "WHERE r.project = ?", project),
  putRule: (project, rule) =>
    rule === null
      ? void sql.run("DELETE FROM team_rules WHERE project = ?", project)
      : replace(sql, "team_rules", { project, ...rules.values(rule) }),
});

/** Checks what must be true after each step of a simulated run, read from the files themselves. */
import type { Database } from "bun:sqlite";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readSpooled, spooledNames } from "#hooks";
import { disk } from "./disk.ts";
import type { World } from "./world.ts";

const rows = (db: Database, text: string): readonly Readonly<Record<string, unknown>>[] =>
  db.query<Readonly<Record<string, unknown>>, []>(text).all();

/** The first row of a query that should have none, in words. */
const none = (db: Database, what: string, text: string): string | null => {
  const [row] = rows(db, text);
  return row === undefined ? null : `${what}: ${JSON.stringify(row)}`;
};

type Judge = (world: World, db: Database) => string | null;

const first =
  (judges: readonly Judge[]): Judge =>
  (world, db) => {
    for (const judge of judges) {
      const fault = judge(world, db);
      if (fault !== null) return fault;
    }
    return null;
  };

/**
 * Whole events that have no name of an event yet: a power cut took it back. The daemon gives them one after some
 * seconds (`adoptLeftovers`).
 */
export const halfWay = (paths: World["paths"]): readonly string[] =>
  !existsSync(paths.spool)
    ? []
    : readdirSync(paths.spool).filter(
        (name) => name.endsWith(".tmp") && readSpooled(paths, name) !== null,
      );

/** Keys are kept for 90 days; a clock that jumps ten years takes them before. */
const accepted: Judge = ({ sent, paths, jumped }, db) => {
  if (jumped) return null;
  const known = new Set(rows(db, "SELECT key FROM events").map(({ key }) => key));
  const waiting = [...spooledNames(paths), ...halfWay(paths)].join("\n");
  const lost = sent.find(
    ({ accepted, envelope }) =>
      accepted && !known.has(envelope.key) && !waiting.includes(envelope.key),
  );
  return lost === undefined ? null : `accepted and gone: ${lost.envelope.hook} ${lost.mark}`;
};

const once: Judge = (_, db) =>
  none(
    db,
    "processed twice",
    "SELECT prompt_id, count(*) AS times FROM turns WHERE prompt_id IS NOT NULL GROUP BY session_id, prompt_id HAVING times > 1",
  ) ??
  none(
    db,
    "processed twice",
    "SELECT prompt, count(*) AS times FROM turns WHERE prompt LIKE '%see %' GROUP BY session_id, prompt HAVING times > 1",
  ) ??
  none(
    db,
    "turns are not numbered in a row",
    "SELECT session_id, max(n) AS highest, count(*) AS times FROM turns GROUP BY session_id HAVING highest <> times",
  );

const indexes: Judge = (_, db) => {
  const table = (name: string, isIts: string): string | null =>
    none(
      db,
      `${name} differs from the nodes`,
      `SELECT id FROM mem_nodes WHERE node_type = 'leaf' AND status <> 'retracted' AND ${isIts}
         AND id NOT IN (SELECT rowid FROM ${name})
       UNION ALL SELECT rowid FROM ${name}
        WHERE rowid NOT IN (SELECT id FROM mem_nodes WHERE node_type = 'leaf' AND status <> 'retracted')`,
    );
  return (
    table("mem_fts", "category <> 'sessions'") ??
    none(
      db,
      "mem_fts says something else",
      "SELECT n.id FROM mem_nodes n JOIN mem_fts f ON f.rowid = n.id WHERE f.l0 <> n.l0_abstract",
    ) ??
    none(
      db,
      "prompt_fts differs from the turns",
      "SELECT id FROM turns WHERE coalesce(prompt, '') <> '' AND id NOT IN (SELECT rowid FROM prompt_fts)",
    ) ??
    none(
      db,
      "vectors without a node",
      "SELECT node_id FROM mem_vectors WHERE node_id NOT IN (SELECT id FROM mem_nodes)",
    ) ??
    none(
      db,
      "no vector",
      `SELECT id FROM mem_nodes WHERE node_type = 'leaf' AND status = 'active' AND category <> 'sessions'
         AND id NOT IN (SELECT node_id FROM mem_vectors)`,
    )
  );
};

const slots: Judge = (_, db) =>
  none(
    db,
    "a slot with two current values",
    `SELECT slot, count(*) AS n FROM mem_nodes WHERE slot IS NOT NULL AND status = 'active' AND node_type = 'leaf'
      GROUP BY project, slot HAVING n > 1`,
  );

const journal: Judge = ({ begun }, db) =>
  none(
    db,
    "a node without its first revision",
    `SELECT id FROM mem_nodes WHERE node_type = 'leaf'
       AND NOT EXISTS (SELECT 1 FROM mem_revisions r WHERE r.node_id = mem_nodes.id AND r.action = 'create')`,
  ) ??
  none(
    db,
    "the last revision says something else",
    `SELECT n.id, n.status, r.status AS told FROM mem_nodes n
       JOIN mem_revisions r ON r.id = (SELECT max(id) FROM mem_revisions WHERE node_id = n.id)
      WHERE n.node_type = 'leaf' AND (r.status <> n.status OR r.l0_abstract <> n.l0_abstract)`,
  ) ??
  // Forgetting takes the links along, and brings nothing back.
  (begun.length > 0
    ? null
    : none(
        db,
        "superseded by nothing",
        `SELECT id FROM mem_nodes WHERE status = 'superseded'
           AND id NOT IN (SELECT to_id FROM mem_links WHERE relation = 'supersedes')`,
      )) ??
  none(
    db,
    "superseded and still current",
    `SELECT n.id FROM mem_nodes n JOIN mem_links l ON l.to_id = n.id AND l.relation = 'supersedes'
      WHERE n.status = 'active'`,
  );

const budget: Judge = ({ settings, model, crashes }, db) => {
  const [day] = rows(
    db,
    "SELECT at_ms / 86400000 AS day, sum(tokens_in + tokens_out) AS n FROM llm_calls GROUP BY day ORDER BY n DESC LIMIT 1",
  );
  const [session] = rows(
    db,
    "SELECT session_id, sum(tokens_in + tokens_out) AS n FROM llm_calls GROUP BY session_id ORDER BY n DESC LIMIT 1",
  );
  if (Number(day?.["n"] ?? 0) > settings.llm.tokensPerDay)
    return `budget of the day exceeded: ${JSON.stringify(day)}`;
  if (Number(session?.["n"] ?? 0) > settings.llm.tokensPerSession)
    return `budget of a session exceeded: ${JSON.stringify(session)}`;
  const [calls] = rows(db, "SELECT count(*) AS n FROM llm_calls");
  // A process that dies with calls under way takes their lines with it.
  const lines = Number(calls?.["n"] ?? 0) + 8 * (crashes + disk.struck);
  return lines < model.answered ? `the ledger misses calls: ${lines} of ${model.answered}` : null;
};

const forgotten: Judge = ({ forgotten, paths, daemon }) => {
  if (forgotten.length === 0) return null;
  const folders = [paths.root, paths.spool, `${paths.spool}/keys`, `${paths.spool}/bad`].filter(
    (path) => existsSync(path),
  );
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith("-shm") && entry.name !== "reserve")
      .map(({ name }) => `${folder}/${name}`),
  );
  for (const path of files) {
    const bytes = readFileSync(path);
    const text = forgotten.find((one) => bytes.includes(one));
    if (text !== undefined) return `forgotten and still in ${path.split("/").at(-1)}: ${text}`;
  }
  const lifted = forgotten.find((text) => daemon?.store.nodes.isForgotten(text) === false);
  return lifted === undefined ? null : `may be learnt again: ${lifted}`;
};

/** After each step. */
export const check = first([accepted, once, indexes, slots, journal, budget, forgotten]);

const effects: Judge = ({ sent, begun, jumped }, db) => {
  const prompts = rows(db, "SELECT prompt_id FROM turns").map(({ prompt_id }) => prompt_id);
  const tools = rows(db, "SELECT tool_use_id FROM tool_uses").map(({ tool_use_id }) => tool_use_id);
  for (const { accepted, envelope, mark } of sent) {
    const found = envelope.hook === "submit" ? prompts : tools;
    if (!accepted || (envelope.hook !== "submit" && (envelope.hook !== "tool" || jumped))) continue;
    const times = found.filter((id) => id === mark).length;
    // With a forgotten prompt goes what was done in its turn.
    if (times === 0 && begun.some((text) => envelope.hook === "tool" || text.includes(mark)))
      continue;
    if (times !== 1) return `accepted and processed ${times} times: ${envelope.hook} ${mark}`;
  }
  return null;
};

const order: Judge = ({ sent, outOfOrder, jumped }, db) => {
  if (outOfOrder || jumped) return null;
  const seqOf = new Map(sent.map(({ mark, seq }) => [mark, seq]));
  const last = new Map<unknown, number>();
  for (const { session_id, prompt_id } of rows(
    db,
    "SELECT session_id, prompt_id FROM turns ORDER BY session_id, n",
  )) {
    const seq = seqOf.get(String(prompt_id));
    if (seq === undefined) continue;
    if (seq < (last.get(session_id) ?? -1)) return `out of order: ${String(prompt_id)}`;
    last.set(session_id, seq);
  }
  return null;
};

const leftovers: Judge = ({ paths }, db) => {
  const bad = existsSync(`${paths.spool}/bad`) ? readdirSync(`${paths.spool}/bad`) : [];
  const [integrity] = rows(db, "PRAGMA integrity_check");
  if (integrity?.["integrity_check"] !== "ok") return `integrity: ${JSON.stringify(integrity)}`;
  if (bad.length > 0) return `set aside: ${bad[0]}`;
  if (disk.struck >= 3) return null;
  return none(
    db,
    "a job was parked",
    "SELECT kind, reason FROM jobs WHERE state = 'skipped' AND kind IN ('turn', 'checkpoint', 'quiet')",
  );
};

/** Checks the state when everything has come to rest. */
export const checkEnd = first([effects, order, leftovers]);

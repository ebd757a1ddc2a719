import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { migrations, newestOf } from "./preflight.ts";
import { openStore } from "./open.ts";
import { schemaVersion } from "./sql.ts";
import { cause, draft, openOk, optionsFor, tempFolder } from "../../test/support/store.ts";

const next = "ALTER TABLE mem_nodes ADD COLUMN colour TEXT";
const after = (sql: string) => [...migrations, { version: schemaVersion + 1, sql }];
const withNext = after(next);

const columnsOf = (path: string): readonly string[] => {
  using db = new Database(path, { readonly: true });
  return db
    .query<{ name: string }, []>("SELECT name FROM pragma_table_info('mem_nodes')")
    .all()
    .map(({ name }) => name);
};

test("an older database is brought up to date and keeps what it held", () => {
  using folder = tempFolder();
  {
    using store = openOk(folder.database);
    store.nodes.insert(draft(), cause());
  }
  using store = openOk(folder.database, { migrations: withNext });
  expect(store.admin.schemaVersion()).toBe(schemaVersion + 1);
  expect(store.nodes.count({})).toBe(1);
  expect(columnsOf(folder.database)).toContain("colour");
});

test("a snapshot of the older database is kept before it changes", () => {
  using folder = tempFolder();
  {
    using store = openOk(folder.database);
    store.nodes.insert(draft(), cause());
  }
  openOk(folder.database, { migrations: withNext })[Symbol.dispose]();
  const backups = join(folder.path, "backups");
  const names = readdirSync(backups);
  expect(names).toHaveLength(1);
  const snapshot = join(backups, names[0]!);
  expect(columnsOf(snapshot)).not.toContain("colour");
  expect(statSync(snapshot).mode & 0o777).toBe(0o600);
});

test("neither a fresh database nor one that is up to date leaves a snapshot", () => {
  using folder = tempFolder();
  openOk(folder.database)[Symbol.dispose]();
  openOk(folder.database)[Symbol.dispose]();
  expect(readdirSync(folder.path)).toEqual(["continuity.db"]);
});

test("a migration that fails in the middle leaves nothing of itself", () => {
  using folder = tempFolder();
  openOk(folder.database)[Symbol.dispose]();
  const failing = after(`${next}; CREATE TABLE mem_nodes (id INTEGER)`);
  const opened = openStore(folder.database, optionsFor({ migrations: failing }));
  expect(opened.ok ? "" : opened.error.type).toBe("store.unavailable");
  expect(columnsOf(folder.database)).not.toContain("colour");
  using store = openOk(folder.database);
  expect(store.admin.schemaVersion()).toBe(schemaVersion);
});

test("a new database is made at once: nobody finds it half way and takes it for an old one", () => {
  using folder = tempFolder();
  const options = optionsFor({ migrations: after("not SQL") });
  expect(openStore(folder.database, options).ok).toBe(false);
  using db = new Database(folder.database, { readonly: true });
  expect(db.query("PRAGMA user_version").get()).toEqual({ user_version: 0 });
  expect(columnsOf(folder.database)).toEqual([]);
});

test("a reader does not upgrade: it waits for the daemon", () => {
  using folder = tempFolder();
  openOk(folder.database)[Symbol.dispose]();
  const opened = openStore(folder.database, optionsFor({ mode: "readonly", migrations: withNext }));
  expect(opened.ok ? "" : opened.error.type).toBe("store.outdated");
  expect(columnsOf(folder.database)).not.toContain("colour");
});

test("the columns of a node are those of the specification", () => {
  using folder = tempFolder();
  openOk(folder.database)[Symbol.dispose]();
  const specified =
    `id uri parent_uri node_type category project branch scope l0_abstract l1_overview l2_content aliases mergeable
     merged_from relevance last_access access_count importance evidence_count tags files anchors pinned origin author
     maker status valid_from valid_to expires_at source_session evidence slot created_at updated_at`.split(
      /\s+/,
    );
  expect([...columnsOf(folder.database)].sort()).toEqual(specified.sort());
});

test.each(["idx_nodes_parent", "idx_nodes_category", "idx_nodes_relevance"])(
  "the index %s exists",
  (name) => {
    using folder = tempFolder();
    openOk(folder.database)[Symbol.dispose]();
    using db = new Database(folder.database, { readonly: true });
    expect(db.query("SELECT name FROM sqlite_schema WHERE name = ?").get(name)).toEqual({ name });
  },
);

test("the schema's version is that of the last migration", () => {
  expect(schemaVersion).toBe(newestOf(migrations));
});

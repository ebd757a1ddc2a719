/** Files that mean ill, or have been through a lot: one clear line each, no crash, nothing changed. */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { Database } from "bun:sqlite";
import * as fc from "fast-check";
import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ImportSource } from "#domain";
import { buildClaudeMem, closeClaudeMem } from "../../test/support/import/claude-mem.ts";
import { homeDigest } from "../../test/support/import/digest.ts";
import { openTestImport, type TestImport } from "../../test/support/import/open.ts";
import { SourceFailure } from "./source.ts";

// Real stores on a disk that may be busy.
setDefaultTimeout(20_000);

afterAll(closeClaudeMem);

const digest = (t: TestImport): string => {
  using database = new Database(join(t.folder, "continuity.db"), { readonly: true });
  return homeDigest(database);
};

/** Makes the thing at a path. */
type Make = (path: string, t: TestImport) => void;

const anywhere: readonly (readonly [string, Make, RegExp])[] = [
  ["nothing", () => undefined, /there is no /],
  ["zero bytes", (path) => writeFileSync(path, ""), /is empty/],
  ["a symbolic link", (path) => symlinkSync("/etc/passwd", path), /is a symbolic link/],
  ["an empty folder", (path) => mkdirSync(path), /./],
  [
    "a dangling link",
    (path) => symlinkSync("/nowhere/at/all", path),
    /is a symbolic link|there is no/,
  ],
  ["a pipe", (path) => void Bun.spawnSync(["mkfifo", path]), /no regular file/],
  ["a device", (path) => symlinkSync("/dev/zero", path), /is a symbolic link|no regular file/],
  [
    "text",
    (path) => writeFileSync(path, "hello, this is no memory\n".repeat(50)),
    /not a SQLite|no export|no knowledge graph|no transcript/,
  ],
  [
    "a picture",
    (path) =>
      writeFileSync(
        path,
        Buffer.concat([Buffer.from("\u0089PNG\r\n\u001a\n", "latin1"), Buffer.alloc(5_000, 0xfe)]),
      ),
    /not a SQLite|not UTF-8|no transcript/,
  ],
  [
    "UTF-16",
    (path) => writeFileSync(path, Buffer.from('\uFEFF{"type":"entity","name":"x"}\n', "utf16le")),
    /not a SQLite|not UTF-8|no transcript/,
  ],
  [
    "a sparse file of 200 GB",
    (path) => {
      writeFileSync(path, "");
      truncateSync(path, 200 * 2 ** 30);
    },
    /not a SQLite|more than 64 MB|no transcript/,
  ],
  [
    "half a database's header",
    (path) => writeFileSync(path, "SQLite for"),
    /not a SQLite|no export|no knowledge graph|no transcript/,
  ],
  [
    "a JSON list",
    (path) => writeFileSync(path, "[1,2,3]\n"),
    /not a SQLite|no export|no knowledge graph|no transcript/,
  ],
];

const sources: readonly (readonly [ImportSource, string])[] = [
  ["claude-mem", "thing.db"],
  ["claude-code", "aaaaaaaa-0000-4000-8000-000000000001.jsonl"],
  ["mcp-memory", "memory.jsonl"],
  ["continuity", "export.jsonl"],
];

describe.each(sources)("%s", (source, name) => {
  test.each(anywhere)("is told of %s in one line, and nothing is taken", async (_, make, said) => {
    using t = openTestImport();
    const path = join(t.folder, name);
    make(path, t);
    const before = digest(t);
    const message = await t.failure(source, path);
    expect(message).toMatch(said);
    expect(message).not.toContain("\n");
    expect(digest(t)).toBe(before);
  });
});

/** A good database, and what is done to it. */
const mishaps: readonly (readonly [string, (path: string) => void, RegExp])[] = [
  [
    "its second half is missing",
    (path) => truncateSync(path, Math.floor(readFileSync(path).length / 2)),
    /damaged|cannot be read/,
  ],
  [
    "only its first page is there",
    (path) => truncateSync(path, 4_096),
    /damaged|cannot be read|not one of claude-mem/,
  ],
  ["a table's pages are noise", (path) => spoil(path, 2, 12), /damaged|cannot be read/],
  [
    "its schema is noise",
    (path) => spoil(path, 0, 1, 200),
    /damaged|cannot be read|not one of claude-mem|is not a SQLite/,
  ],
  [
    "observations is a view",
    (path) =>
      sql(
        path,
        "ALTER TABLE observations RENAME TO o",
        "CREATE VIEW observations AS SELECT * FROM o",
      ),
    /not an ordinary table/,
  ],
  [
    "observations is a view that never ends",
    (path) =>
      sql(
        path,
        "ALTER TABLE observations RENAME TO o",
        "CREATE VIEW observations AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r) SELECT n AS " +
          "id, 'x' AS title FROM r",
      ),
    /not an ordinary table/,
  ],
  [
    "user_prompts is a virtual table",
    (path) =>
      sql(
        path,
        "DROP TABLE user_prompts",
        "CREATE VIRTUAL TABLE user_prompts USING fts5 (prompt_text)",
      ),
    /not an ordinary table/,
  ],
  [
    "sdk_sessions is a trigger's name",
    (path) =>
      sql(
        path,
        "ALTER TABLE sdk_sessions RENAME TO s",
        "CREATE TRIGGER sdk_sessions AFTER INSERT ON observations BEGIN DELETE FROM observations; END",
      ),
    /not an ordinary table/,
  ],
  [
    "its tables are another program's",
    (path) => {
      for (const table of ["session_summaries", "user_prompts_fts", "user_prompts"])
        sql(path, "DROP TRIGGER IF EXISTS user_prompts_ai", `DROP TABLE ${table}`);
      sql(path, "DROP TABLE observations", "CREATE TABLE observations (star TEXT, magnitude REAL)");
    },
    /not one of claude-mem/,
  ],
  [
    "it is another program's",
    (path) =>
      sql(
        path,
        "DROP TABLE observations",
        "DROP TABLE session_summaries",
        "DROP TRIGGER user_prompts_ai",
        "DROP TABLE user_prompts_fts",
        "DROP TABLE user_prompts",
      ),
    /not one of claude-mem/,
  ],
];

function sql(path: string, ...statements: readonly string[]): void {
  const db = new Database(path);
  db.run("PRAGMA legacy_alter_table = ON");
  for (const statement of statements) db.run(statement);
  db.close();
}

/** Writes noise over pages `from` to `to`; of the first page from a byte on. */
function spoil(path: string, from: number, to: number, firstByte = 0): void {
  const bytes = readFileSync(path);
  const start = from * 4_096 + firstByte;
  for (let at = start; at < Math.min(to * 4_096, bytes.length); at += 1)
    bytes[at] = (at * 37 + 11) & 0xff;
  writeFileSync(path, bytes);
}

describe("a database of claude-mem", () => {
  test.each(mishaps)(
    "of which %s is told so in one line, and nothing is taken",
    async (_, spoilIt, said) => {
      using t = openTestImport();
      const { path } = buildClaudeMem(join(t.folder, "claude-mem.db"), 9);
      spoilIt(path);
      const bytes = readFileSync(path);
      const before = digest(t);
      const message = await t.failure("claude-mem", path);
      expect(message).toMatch(said);
      expect(message).not.toContain("\n");
      expect(digest(t)).toBe(before);
      expect(readFileSync(path).equals(bytes)).toBe(true);
    },
  );

  test("with columns of wrong types, huge cells and blobs is read as far as it makes sense", async () => {
    using t = openTestImport();
    const { path } = buildClaudeMem(join(t.folder, "claude-mem.db"), 9);
    sql(
      path,
      "INSERT INTO observations (memory_session_id, project, type, title, facts, concepts, created_at, " +
        "created_at_epoch) VALUES (x'00ff', 7, 9.5, x'deadbeef', 'not json', '{\"a\":1}', 3, 'never')",
      "INSERT INTO observations (memory_session_id, project, type, title, narrative, facts, files_read, " +
        "created_at, created_at_epoch) VALUES ('observer-0', 'harbour', 'change', 'A very long note about buoys', " +
        "replace(hex(zeroblob(2000000)), '0', 'ab '), '[null,1,{},\"fine\"]', '[\"../../etc/passwd\",\"\"]', '', " +
        "1768208400)",
      "INSERT INTO user_prompts (content_session_id, prompt_number, prompt_text, created_at, created_at_epoch) " +
        "VALUES ('11111111-1111-4111-8111-111111111111', -5, char(0) || 'a' || char(27) || '[31m', '', " +
        "1768208400000)",
    );
    const report = await t.run("claude-mem", path);
    expect(report.read).toBe(report.created + report.merged + report.skipped + report.refused);
    expect(
      t.store.nodes
        .list({ projects: null, archive: true }, "uri", { limit: 100 })
        .some(({ l0 }) => l0.includes("buoys")),
    ).toBe(true);
  });

  test("with any byte changed is imported, or refused in one line; nothing crashes", async () => {
    using t = openTestImport();
    const { path: original } = buildClaudeMem(join(t.folder, "claude-mem.db"), 5);
    const bytes = readFileSync(original);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 40 }),
        async (changes) => {
          const spoilt = Buffer.from(bytes);
          for (const [at, value] of changes) spoilt[at] = value;
          await survives(t, "claude-mem", { name: "spoilt.db", bytes: spoilt });
        },
      ),
      { numRuns: 25, seed: 7 },
    );
  });
});

/** Ends with a report that adds up, or one line; throws nothing else. */
async function survives(
  t: TestImport,
  source: ImportSource,
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
): Promise<void> {
  const path = join(t.folder, name);
  writeFileSync(path, bytes);
  try {
    const report = await t.run(source, path);
    expect(report.read).toBe(report.created + report.merged + report.skipped + report.refused);
  } catch (error) {
    if (!(error instanceof SourceFailure) && !isFromSqlite(error)) throw error;
    expect(error instanceof Error ? error.message : "").not.toContain("\n");
  }
}

/** Damage that shows only while rows are read. */
const isFromSqlite = (error: unknown): boolean =>
  error instanceof Error && error.constructor.name === "SQLiteError";

const json = fc.json({ maxDepth: 3 });
const jsonl = fc.array(
  fc.oneof(
    json,
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.constantFrom(
      '{"kind":"continuity","format":1}',
      '{"kind":"continuity","format":99}',
      '{"kind":"node"}',
      '{"kind":"node","uri":"mem://user/entities/../../x","l0":5}',
      '{"kind":"end","records":-1}',
      '{"type":"entity","name":"a","entityType":7,"observations":{"length":9}}',
      '{"type":"relation","from":"a","to":"a"}',
      '{"type":"user","message":{"content":[{"type":"tool_result"}]}}',
      '{"type":"user","timestamp":"2026-01-01T00:00:00Z","message":{"content":"hello there"}}',
      '{"type":"assistant","message":{"content":[{"type":"text","text":7}]}}',
      '{"__proto__":{"kind":"node"},"constructor":null}',
    ),
  ),
  { maxLength: 12 },
);

describe("lines of anything", () => {
  test.each([
    ["claude-code", "aaaaaaaa-0000-4000-8000-000000000001.jsonl"],
    ["mcp-memory", "memory.jsonl"],
    ["continuity", "export.jsonl"],
  ] as const)("given to %s end in a report or in one line", async (source, name) => {
    using t = openTestImport();
    await fc.assert(
      fc.asyncProperty(jsonl, fc.boolean(), async (lines, isExport) => {
        const text = [...(isExport ? ['{"kind":"continuity","format":1}'] : []), ...lines].join(
          "\n",
        );
        await survives(t, source, { name, bytes: Buffer.from(text) });
      }),
      { numRuns: 25, seed: 11 },
    );
  });

  test("in a memory folder end in a report", async () => {
    using t = openTestImport();
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: "binary", maxLength: 200 }), { minLength: 1, maxLength: 5 }),
        async (texts) => {
          const folder = join(t.folder, `projects-${(round += 1)}`, "-x", "memory");
          mkdirSync(folder, { recursive: true });
          for (const [index, text] of texts.entries())
            writeFileSync(
              join(folder, index === 0 ? "MEMORY.md" : `topic-${index}.md`),
              `---\n${text}\n---\n${text}`,
            );
          const report = await t.run("claude-code", join(t.folder, `projects-${round}`));
          expect(report.read).toBe(
            report.created + report.merged + report.skipped + report.refused,
          );
        },
      ),
      { numRuns: 20, seed: 13 },
    );
  });
});

/**
 * Bugs that are planted to see that the simulation catches them: each is one place of a module of the product, read
 * otherwise while it is loaded (loader.ts), for the simulation or for the test that is named. A place that does not read as it is said here any more stops the check.
 */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly put: string;
  /** The test that catches it, where the simulation does not reach: its file, and its name or a part of it. */
  readonly test?: readonly [file: string, name: string];
}

const spool = "src/hooks/spool.ts";
const sql = "src/store/sql.ts";

export const mutants: readonly Mutant[] = [
  {
    name: "spool-file-not-synced",
    file: spool,
    find: "    futimesSync(file, seconds, seconds);\n    fsyncSync(file);\n",
    put: "    futimesSync(file, seconds, seconds);\n",
  },
  { name: "spool-folder-not-synced", file: spool, find: "    syncFolder(paths.spool);\n", put: "" },
  {
    name: "half-a-write-is-enough",
    file: spool,
    find: "at += writeSync(file, bytes, at)",
    put: "at += (writeSync(file, bytes, at), bytes.length)",
  },
  {
    name: "failed-spool-called-spooled",
    file: spool,
    find: 'return { type: "unwritable", code: codeOf(error) };',
    put: 'return { type: "spooled" };',
  },
  {
    name: "claim-kept-after-failure",
    file: spool,
    find: "    discard(claimed);\n",
    put: "",
    test: ["src/hooks/spool.test.ts", "could not be given its name"],
  },
  {
    name: "spool-emptied-before-commit",
    file: "src/daemon/intake/drain.ts",
    find: "  try {\n    await deps.accept(",
    put: "  for (const { name, envelope } of batch) removeSpooled(deps.paths, name, envelope);\n  try {\n    await deps.accept(",
  },
  {
    name: "refused-hook-told-it-is-safe",
    file: "src/daemon/intake/intake.ts",
    find: "for (const { refuse } of requests) refuse(error);",
    put: "for (const { answer } of requests) answer([]);",
  },
  {
    name: "acknowledged-before-commit",
    file: "src/daemon/intake/intake.ts",
    find: "        queue.push({ envelopes, via, answer, refuse });",
    put: "        queue.push({ envelopes, via, answer, refuse });\n        answer([]);",
  },
  {
    name: "seen-list-dropped",
    file: "src/store/events.ts",
    find: 'return changes === 1 ? "fresh" : "duplicate";',
    put: 'return changes >= 0 ? "fresh" : "duplicate";',
    test: ["src/store/events.test.ts", "a key is accepted once"],
  },
  {
    name: "accept-without-transaction",
    file: "src/daemon/intake/accept.ts",
    find: "deps.store.transaction(() => {",
    put: "((work: () => readonly HookReply[]) => work())(() => {",
  },
  {
    name: "database-not-synced",
    file: "src/store/open.ts",
    find: '"synchronous = FULL"',
    put: '"synchronous = NORMAL"',
  },
  {
    name: "sync-not-switched-on-again",
    file: sql,
    find: 'db.run("PRAGMA synchronous = FULL");',
    put: 'db.run("PRAGMA synchronous = NORMAL");',
  },
  { name: "failed-work-committed", file: sql, find: 'undo: "ROLLBACK" }', put: 'undo: "COMMIT" }' },
  {
    name: "job-done-before-its-work",
    file: "src/daemon/jobs/jobs.ts",
    find: '  deps.onStep("leased", job.kind);',
    put: '  deps.store.jobs.complete(job.id);\n  deps.onStep("leased", job.kind);',
    test: ["src/daemon/model/crash.test.ts", "killed at step 3"],
  },
  {
    name: "job-parked-at-first-failure",
    file: "src/store/jobs.ts",
    find: "const failuresMax = 3;",
    put: "const failuresMax = 1;",
    test: ["src/store/jobs.test.ts", "the third parks the job"],
  },
  {
    name: "lease-never-ends",
    file: "src/store/jobs.ts",
    find: "UPDATE jobs SET state = 'queued', lease_ends_at_ms = NULL WHERE state = 'leased'",
    put: "UPDATE jobs SET lease_ends_at_ms = 9e15 WHERE state = 'leased'",
  },
  {
    name: "day-budget-off-by-a-call",
    file: "src/models/llm/create-llm.ts",
    find: "if (usedToday() + want.tokens > tokensPerDay)",
    put: "if (usedToday() > tokensPerDay)",
    test: ["src/models/llm/budget.test.ts", "what fits exactly is let in"],
  },
  {
    name: "session-budget-off-by-a-call",
    file: "src/models/llm/create-llm.ts",
    find: "usedBy(want.sessionId) + want.tokens > tokensPerSession",
    put: "usedBy(want.sessionId) > tokensPerSession",
    test: ["src/models/llm/budget.test.ts", "a session has a limit of its own"],
  },
  {
    name: "call-not-in-the-ledger",
    file: "src/models/llm/create-llm.ts",
    find: "    note(deps, { request, usage,",
    put: "    if (outcome.ok) note(deps, { request, usage,",
    test: ["src/models/llm/create-llm.test.ts", "the second try counts in the budget"],
  },
  {
    name: "index-row-left-behind",
    file: "src/store/indexes.ts",
    find: '    drop("mem_fts", id);\n',
    put: "",
  },
  {
    name: "superseded-not-indexed",
    file: "src/store/indexes.ts",
    find: 'if (node.status !== "retracted") put(',
    put: 'if (node.status === "active") put(',
  },
  {
    name: "vector-not-stored",
    file: "src/daemon/jobs/remember.ts",
    find: "  store.vectors.put(node.id,",
    put: "  if (node.id % 2 === 0) store.vectors.put(node.id,",
  },
  {
    name: "change-without-revision",
    file: "src/store/directories.ts",
    find: "    addRevision(sql, after, cause);\n",
    put: "",
  },
  {
    name: "creation-without-revision",
    file: "src/store/directories.ts",
    find: "        addRevision(sql, node, cause);\n",
    put: "",
  },
  {
    name: "old-value-stays-current",
    file: "src/daemon/jobs/remember.ts",
    find: '{ status: "superseded", validTo: cause.atMs }',
    put: "{ validTo: cause.atMs }",
    test: ["src/daemon/model/keep.test.ts", "another value of the slot supersedes"],
  },
  {
    name: "forgotten-without-fingerprint",
    file: "src/store/forgotten-texts.ts",
    find: "    if (mark === null) continue;",
    put: "    if (mark !== null) continue;",
  },
  {
    name: "forgotten-records-stay",
    file: "src/store/forget.ts",
    find: "const redacted = forgetRecords({ sql, indexes, forgotten }, { ids, uris: [...places] });",
    put: "const redacted = forgetRecords === null || places === null ? 1 : 0;",
  },
  {
    name: "log-not-emptied-after-forgetting",
    file: "src/store/admin.ts",
    find: '"PRAGMA wal_checkpoint(TRUNCATE)"',
    put: '"PRAGMA wal_checkpoint(PASSIVE)"',
  },
  {
    name: "lock-not-exclusive",
    file: "src/daemon/process/lock.ts",
    find: '"BEGIN EXCLUSIVE"',
    put: '"BEGIN"',
  },
  {
    name: "half-a-memory-committed",
    file: "src/daemon/intake/accept.ts",
    find: "return { context: deps.store.transaction(() => contextFor(deps, accepted)), kept };",
    put: "return { context: contextFor(deps, accepted), kept };",
    test: ["src/daemon/intake/worker.test.ts", "the disk takes only half of"],
  },
  {
    name: "undone-transaction-goes-on",
    file: sql,
    find: "      if (depth > 0) assertOpen(db);\n",
    put: "",
    test: ["src/store/sql.test.ts", "undone by SQLite"],
  },
];

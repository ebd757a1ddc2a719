/**
 * `continuity import` tied to the real thing: files on this machine, the daemon that writes, or for a dry run a private
 * copy of the database that is thrown away.
 */
import { errorMessage, memoised } from "#kit";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { sessionsPlace } from "#clients";
import { exclusionFor, isOffTheRecord, projectOf, readPauses } from "#hooks";
import { CliFailure, type ImportAsk, type ImportProgress, isCliFailure } from "#cli";
import type { DaemonClient } from "#daemon";
import {
  type ForeignDatabase,
  modelFolderName,
  otherAgents,
  type ImportReport,
  type ImportSource,
  type KnownSession,
  type OtherAgent,
  type Context,
} from "#domain";
import {
  claudeMemDatabase,
  planAgentFiles,
  planClaudeCode,
  planClaudeMem,
  planContinuity,
  planMcpMemory,
  planOpenCode,
  runImport,
  SourceFailure,
  type Importer,
  type ReadContext,
  type ReadPlan,
  type Taken,
} from "#exchange";
import { createGate } from "#privacy";
import { openForeign, openStore, takeSnapshot } from "#store";
import { trialImporter } from "./daemon.ts";
import { importRetelling } from "#daemon";
import { openReader } from "./reading.ts";
import { valueOf } from "./fault.ts";

type OnProgress = (progress: ImportProgress) => void;

export interface ImportDeps extends Context {
  /** Starts the daemon when none runs. */
  readonly daemon: () => Promise<DaemonClient>;
  readonly cwd: string;
}

/** The receiver of imported items: the daemon, or a copy of the database. */
interface Target extends Disposable {
  readonly apply: (items: readonly string[]) => Promise<Taken>;
  readonly known: (sessionIds: readonly string[]) => Promise<readonly KnownSession[]>;
}

export async function importFrom(
  deps: ImportDeps,
  ask: ImportAsk,
  onProgress: OnProgress,
): Promise<ImportReport> {
  try {
    return await importing(deps, ask, onProgress);
  } catch (error) {
    if (isCliFailure(error)) throw error;
    if (error instanceof SourceFailure) throw new CliFailure(error.message, error.next);
    const reason = errorMessage(error);
    deps.log.write("error", "import.failed", { reason: reason.slice(0, 300) });
    throw new CliFailure(
      `the import was interrupted: ${reason}`,
      "imported records are kept; run it again to resume",
    );
  }
}

async function importing(
  deps: ImportDeps,
  ask: ImportAsk,
  onProgress: OnProgress,
): Promise<ImportReport> {
  const startedMs = performance.now();
  // The first Ctrl-C ends the import behind the batch under way and clears away what it made; a second ends at once.
  let isInterrupted = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void (isInterrupted = true));
  const elapsedMs = (): number => performance.now() - startedMs;
  // The source is looked at first: where there is nothing to import, nothing is started and no home is made.
  const box: { target: Target | null } = { target: null };
  const target = async (): Promise<Target> =>
    (box.target ??= ask.dryRun ? openTrial(deps, ask.source) : await openDaemon(deps, ask.source));
  const plan = planOf(deps, ask, async (ids) => (await target()).known(ids));
  try {
    const report = await runImport(
      {
        source: ask.source,
        dryRun: ask.dryRun,
        elapsedMs,
        send: async (items) => (await target()).apply(items),
        onProgress: (progress) => onProgress({ ...progress, isLast: false }),
        isInterrupted: () => isInterrupted,
      },
      plan,
    );
    if (isInterrupted)
      throw new CliFailure(
        `the import was interrupted after ${report.read} records`,
        "imported records are kept; run it again to resume",
      );
    return report;
  } finally {
    onProgress({ done: 0, total: null, unit: plan.unit, elapsedMs: elapsedMs(), isLast: true });
    box.target?.[Symbol.dispose]();
  }
}

function planOf(
  deps: ImportDeps,
  ask: ImportAsk,
  known: (ids: readonly string[]) => Promise<readonly KnownSession[]>,
): ReadPlan {
  const reader = readContext(deps);
  const path = placeOf(deps, ask);
  demandUsualPlace(ask, path);
  if (isAgentSource(ask.source))
    return ask.source === "opencode"
      ? planOver(path ?? "", (database) =>
          planOpenCode(reader, { database, path: path ?? "", known }),
        )
      : planAgentFiles(reader, { agent: ask.source, path: path ?? "", known });
  switch (ask.source) {
    case "claude-mem":
      return planOver(path ?? "", (database) => planClaudeMem(reader, database, path ?? ""));
    case "claude-code":
      return planClaudeCode(reader, { path: path ?? "", projects: ask.projects, known });
    case "mcp-memory":
      return planMcpMemory(reader, fileOf(path, "name the memory's JSONL file"));
    case "continuity":
      return planContinuity(
        reader,
        ask.path === "-" ? null : fileOf(path, "name a file or folder, or - for standard input"),
      );
  }
}

const isAgentSource = (source: ImportAsk["source"]): source is OtherAgent =>
  otherAgents.some((agent) => agent === source);

/** The path that was given; else where the client keeps its sessions, as it looks them up itself. */
function placeOf({ env, cwd }: ImportDeps, { path, source }: ImportAsk): string | null {
  if (path === "-") return path;
  if (source === "claude-mem") {
    const folder = env["CLAUDE_MEM_DATA_DIR"] ?? join(homeOf(env), ".claude-mem");
    return claudeMemDatabase(resolve(cwd, path ?? folder));
  }
  if (path !== null) return resolve(cwd, path);
  if (isAgentSource(source)) return resolve(cwd, sessionsPlace(source, env));
  if (source !== "claude-code") return null;
  return join(env["CLAUDE_CONFIG_DIR"] ?? join(homeOf(env), ".claude"), "projects");
}

/** Says where nothing was found, and how to name another place, before a reader says that a file is missing. */
function demandUsualPlace({ path: given, source }: ImportAsk, path: string | null): void {
  if (given !== null || path === null || existsSync(path)) return;
  throw new SourceFailure(
    `nothing of ${source} was found: there is no ${path}`,
    `if it lies elsewhere, run \`continuity import --from ${source} PATH\``,
  );
}

const homeOf = (env: ImportDeps["env"]): string => env["HOME"] ?? env["USERPROFILE"] ?? "";

/** Plans over another program's database, which the plan closes. */
function planOver(path: string, plan: (database: ForeignDatabase) => ReadPlan): ReadPlan {
  const opened = openForeign(path);
  if (!opened.ok) throw new SourceFailure(opened.error.message);
  try {
    return plan(opened.value);
  } catch (error) {
    opened.value[Symbol.dispose]();
    throw error;
  }
}

function fileOf(path: string | null, next: string): string {
  if (path === null || path === "-") throw new SourceFailure("there is nothing to import", next);
  return path;
}

function readContext(deps: ImportDeps): ReadContext {
  const settings = deps.settings.current();
  const project = memoised((cwd) => projectOf(cwd));
  return {
    settings,
    nowMs: deps.clock.nowMs(),
    gate: createGate(settings.privacy),
    projectOf: project,
    isExcluded: (cwd) =>
      // Transcripts that other clients kept of our own questions.
      cwd.endsWith(join(basename(deps.paths.root), modelFolderName)) ||
      exclusionFor(cwd, { settings, env: deps.env, projectOf: project })("."),
    wasPaused: readPauses(deps.paths),
    isOffTheRecord: (sessionId, promptId) => isOffTheRecord(deps.paths, sessionId, promptId),
    projectNamed: namesOf(deps),
    ...importRetelling(),
  };
}

/** Projects by name, as the database knows them now. */
function namesOf(deps: ImportDeps): ReadContext["projectNamed"] {
  const opened = openStore(deps.paths.database, { ...deps, mode: "readonly" });
  if (!opened.ok) return () => null;
  using store = opened.value;
  const projects = store.admin.projects();
  return (name) => {
    const named = projects.filter((project) => project.name === name);
    return named.length === 1 ? (named[0]?.key ?? null) : null;
  };
}

/** A copy of the database in a folder of its own, so that a dry run decides what the real one would. */
function openTrial(deps: ImportDeps, source: ImportSource): Target {
  const folder = mkdtempSync(join(tmpdir(), "continuity-dry-run-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  const database = join(folder, "continuity.db");
  if (existsSync(deps.paths.database))
    valueOf(deps, takeSnapshot(deps.paths.database, database, deps.random));
  const reader = valueOf(
    deps,
    openReader({ ...deps, paths: { ...deps.paths, database } }, "readwrite"),
  );
  const importer: Importer = trialImporter(deps, reader);
  return {
    apply: async (items) =>
      importer.apply(
        source,
        items.map((item): unknown => JSON.parse(item)),
      ),
    known: async (ids) => importer.known(source, ids),
    [Symbol.dispose]: () => {
      reader.store[Symbol.dispose]();
      remove();
    },
  };
}

/** Tries after a daemon that went away; every batch may be sent twice, since items are taken once. */
const triesMax = 3;

async function openDaemon(deps: ImportDeps, source: ImportSource): Promise<Target> {
  let client = await deps.daemon();
  const post = async (path: string, body: string): Promise<unknown> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await answered(client, path, body);
      } catch (error) {
        if (isCliFailure(error) || attempt >= triesMax) throw error;
        client = await deps.daemon();
      }
    }
  };
  return {
    apply: async (items) => {
      const body = `{"source":${JSON.stringify(source)},"items":[${items.join(",")}]}`;
      return (await post("/api/import", body)) as Taken;
    },
    known: async (sessions) => {
      const body = JSON.stringify({ source, sessions });
      const known = (await post("/api/import/known", body)) as { sessions: KnownSession[] };
      return known.sessions;
    },
    [Symbol.dispose]: () => undefined,
  };
}

async function answered(client: DaemonClient, path: string, body: string): Promise<unknown> {
  const response = await client.fetch(path, { method: "POST", body });
  const answer: unknown = await response.json();
  if (response.ok) return answer;
  const told = answer as { readonly error?: { readonly message?: string } };
  const why = told.error?.message ?? `status ${response.status}`;
  throw new CliFailure(
    `the daemon rejected it: ${why.replace(/\.$/, "")}`,
    "imported records are kept; run it again to resume, or see `continuity status --log`",
  );
}

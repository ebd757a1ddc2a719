/** An import in one process over a real store in a temporary folder: readers, engine and taker without a daemon. */
import { importRetelling } from "../../../src/daemon/intake/private-words.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ImportReport,
  defaultSettings,
  type ImportSource,
  type ProjectIdentity,
  type Store,
} from "#domain";
import { createVectorIndex, loadEmbeddedModel } from "#embed";
import {
  createImporter,
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
} from "#exchange";
import { stoppedClock, systemRandom } from "#kit";
import { createFinder, type Finder } from "#memory";
import { createGate } from "#privacy";
import { openForeign } from "#store";
import { createWorker, type Worker } from "#daemon";
import { openNewStore } from "../new-store.ts";
import { bareParts } from "../worker-parts.ts";

export const importNowMs = Date.parse("2026-03-01T12:00:00Z");

const model = loadEmbeddedModel();

export interface TestImport extends Disposable {
  readonly folder: string;
  readonly store: Store;
  readonly finder: Finder;
  readonly worker: Worker;
  readonly importer: Importer;
  readonly reader: ReadContext;
  /** What stands for the time of day. */
  readonly clock: ReturnType<typeof stoppedClock>;
  /** Ends early after so many batches, as a kill between two would. */
  readonly run: (
    source: ImportSource,
    path: string,
    options?: { readonly batches?: number; readonly projects?: readonly string[] },
  ) => Promise<ImportReport>;
  /** Gives the message of a failing run; fails when it does not. */
  readonly failure: (source: ImportSource, path: string) => Promise<string>;
}

/** Stands for SIGKILL between two batches. */
export class Killed extends Error {}

export function openTestImport(reader: Partial<ReadContext> = {}): TestImport {
  const folder = mkdtempSync(join(tmpdir(), "continuity-import-test-"));
  const clock = stoppedClock(importNowMs);
  const opened = openNewStore(join(folder, "continuity.db"), {
    mode: "readwrite",
    clock,
    random: systemRandom,
    networkAt: () => null,
  });
  if (!opened.ok || !model.ok) throw new Error("test store");
  const store = opened.value;
  const embedder = model.value;
  const vectors = createVectorIndex(embedder.identity.dimension);
  const gate = createGate({ redact: [] });
  const finder = createFinder({
    lexical: store.lexical,
    vectors,
    embedder,
    nodes: store.nodes,
    sessions: store.sessions,
    weights: defaultSettings.retrieval,
  });
  const worker = createWorker({
    ...bareParts,
    store,
    embedder,
    vectors,
    clock,
    finder,
    gate,
    settings: () => defaultSettings,
    projectOf: () => null,
    transcripts: { read: async () => null },
  });
  const importer = createImporter({ ...worker, store, clock, onBatch: () => undefined });
  const deps: ReadContext = {
    gate,
    settings: defaultSettings,
    nowMs: importNowMs,
    projectOf: testProjectOf,
    isExcluded: () => false,
    wasPaused: () => false,
    isOffTheRecord: () => false,
    projectNamed: () => null,
    ...importRetelling(),
    ...reader,
  };
  const run: TestImport["run"] = async (source, path, options = {}) => {
    let batches = 0;
    const plan = planOf(deps, importer, { source, path, projects: options.projects ?? [] });
    return runImport(
      {
        source,
        dryRun: false,
        send: async (items) => {
          if (batches >= (options.batches ?? Infinity)) throw new Killed();
          batches += 1;
          return importer.apply(
            source,
            items.map((item): unknown => JSON.parse(item)),
          );
        },
        elapsedMs: () => performance.now(),
        onProgress: () => undefined,
        isInterrupted: () => false,
      },
      plan,
    );
  };
  return {
    folder,
    store,
    finder,
    worker,
    importer,
    reader: deps,
    clock,
    run,
    failure: async (source, path) => {
      try {
        const report = await run(source, path);
        throw new Error(`it went well: ${JSON.stringify(report)}`);
      } catch (error) {
        if (error instanceof SourceFailure) return error.message;
        throw error;
      }
    },
    [Symbol.dispose]: () => {
      store[Symbol.dispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A folder below /home/dev is a project of its name. */
function testProjectOf(cwd: string): ProjectIdentity | null {
  const name = /^\/home\/dev\/([\w-]+)/.exec(cwd)?.[1];
  return name === undefined
    ? null
    : { key: `example.com/team/${name}`, name, root: `/home/dev/${name}`, branch: "main" };
}

function planOf(
  deps: ReadContext,
  importer: Importer,
  ask: {
    readonly source: ImportSource;
    readonly path: string;
    readonly projects: readonly string[];
  },
): ReadPlan {
  const { source, path, projects } = ask;
  switch (source) {
    case "claude-mem": {
      const opened = openForeign(path);
      if (!opened.ok) throw new SourceFailure(opened.error.message);
      try {
        return planClaudeMem(deps, opened.value, path);
      } catch (error) {
        opened.value[Symbol.dispose]();
        throw error;
      }
    }
    case "claude-code":
      return planClaudeCode(deps, {
        path,
        projects,
        known: async (ids) => importer.known(source, ids),
      });
    case "codex":
    case "gemini":
    case "copilot":
      return planAgentFiles(deps, {
        agent: source,
        path,
        known: async (ids) => importer.known(source, ids),
      });
    case "opencode": {
      const opened = openForeign(path);
      if (!opened.ok) throw new SourceFailure(opened.error.message);
      const known = async (ids: readonly string[]) => importer.known(source, ids);
      return planOpenCode(deps, { database: opened.value, path, known });
    }
    case "mcp-memory":
      return planMcpMemory(deps, path);
    case "continuity":
      return planContinuity(deps, path);
  }
}

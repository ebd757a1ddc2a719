/** A service over a real store in a temporary folder, with a stopped clock: for tests of service, server and command line. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Candidate,
  defaultSettings,
  type NodeDraft,
  type Settings,
  type Store,
} from "#domain";
import { createVectorIndex, loadEmbeddedModel } from "#embed";
import { err, ok, stoppedClock, type Random } from "#kit";
import { nowhere } from "#hooks";
import { createFinder } from "#memory";
import { createGate } from "#privacy";
import { createService, llmPlaceOf, type Service, type ServiceContext } from "#api/server";
import { createWorker, previewPrompt, type Worker } from "#daemon";
import { openNewStore } from "./new-store.ts";
import { bareParts } from "./worker-parts.ts";

export const testNowMs = Date.parse("2026-09-15T10:00:00Z");

/** Counts up, so that a run gives the same ids each time. */
const countingRandom = (): Random => {
  let next = 0;
  return { hex: (chars) => (next++).toString(16).padStart(chars, "0").slice(-chars) };
};

export interface TestService extends Disposable {
  readonly worker: Worker;
  readonly service: Service;
  readonly store: Store;
  readonly clock: ReturnType<typeof stoppedClock>;
  readonly deps: ServiceContext;
  /** Texts that were to be scrubbed from files. */
  readonly scrubbed: string[];
  /** Texts that only the transcript of a session knows. */
  readonly meanwhile: string[];
  /** Log lines that `logs` reads; tests push. */
  readonly logLines: string[];
  /** Inserts a memory with defaults for everything the test does not care about. */
  readonly add: (draft: Partial<NodeDraft> & Pick<NodeDraft, "uri" | "l0">) => void;
  /** The same questions over a service that may not write. */
  readonly readOnly: Service;
}

/** Read once: it answers the same whoever asks. */
let loaded: ReturnType<typeof loadEmbeddedModel> | null = null;

/** Opens everything; `using` closes and removes it. */
export function openTestService(settings: Settings = defaultSettings): TestService {
  const folder = mkdtempSync(join(tmpdir(), "continuity-test-"));
  const clock = stoppedClock(testNowMs);
  const random = countingRandom();
  const opened = openNewStore(join(folder, "continuity.db"), {
    mode: "readwrite",
    clock,
    random,
    networkAt: () => null,
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  loaded ??= loadEmbeddedModel();
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  const store = opened.value;
  const embedder = loaded.value;
  const vectors = createVectorIndex(embedder.identity.dimension);
  const finder = createFinder({
    lexical: store.lexical,
    vectors,
    embedder,
    nodes: store.nodes,
    sessions: store.sessions,
    weights: defaultSettings.retrieval,
  });
  const gate = createGate({ redact: [] });
  const worker = createWorker({
    ...bareParts,
    store,
    embedder,
    vectors,
    finder,
    gate,
    clock,
    settings: () => settings,
    projectOf: () => null,
    program: "/opt/continuity",
  });
  const scrubbed: string[] = [];
  const meanwhile: string[] = [];
  const logLines: string[] = [];
  const deps: ServiceContext = {
    clock,
    config: createTestConfig(),
    store,
    finder,
    gate,
    vectors,
    memoryWriter: {
      write: worker.remember,
      index: worker.index,
      noteFolder: () => undefined,
      withoutSecrets: (_session, text) => text,
      isQuiet: (sessionId) => sessionId === "quiet",
    },
    previewStart: ({ project }) => ({
      text: `hello ${project}`,
      tokens: 3,
      reasons: [],
      nodeIds: [],
    }),
    previewPrompt: ({ prompt, project, nowMs }) => {
      const asked = { prompt, project, branch: null, nowMs };
      const { reasons, ...composed } = previewPrompt(
        { store, finder, embedder },
        settings.inject,
        asked,
      );
      return { ...composed, reasons: JSON.parse(JSON.stringify(reasons)) };
    },
    pause: createTestPause(),
    processInfo: {
      version: "1.2.3",
      home: folder,
      daemon: () => ({
        pid: 77,
        startedAtMs: testNowMs - 60_000,
        port: 37_777,
        peakMemoryBytes: 50_000_000,
      }),
    },
    models: {
      embedder: { id: embedder.identity.id, dimension: embedder.identity.dimension },
      isWord: embedder.isWord,
      language: () => ({
        provider: "none",
        reason: "default",
        place: llmPlaceOf("none", settings.llm, folder),
        tokensPerDay: 300_000,
      }),
    },
    spoolSize: () => ({ files: 0, bytes: 0, oldestMs: null }),
    noteLatencies: () => undefined,
    isCaptured: () => true,
    // No folder is known, so no guard of a project holds in one.
    guardPlaces: () => ({ ...nowhere, isHeldIn: ({ projects }) => projects === null }),
    typedMeanwhile: async () => meanwhile,
    noteFilesHolding: () => [],
    upkeep: () => [],
    warnings: () => [],
    tailLog: (lines) => logLines.slice(-lines),
    scrubFiles: (texts) => void scrubbed.push(...texts),
    work: {
      wake: () => undefined,
      consolidate: worker.consolidate,
      anchorsNow: async () => null,
      backfill: worker.backfill,
      tryModel: async () => err({ type: "llm.none", detail: "no model is chosen" }),
    },
    writable: true,
  };
  return {
    worker,
    service: createService(deps),
    readOnly: createService({ ...deps, writable: false }),
    store,
    clock,
    deps,
    scrubbed,
    meanwhile,
    logLines,
    add: (draft) => {
      store.nodes.insert(
        { category: "entities", project: null, origin: "user", maker: "manual", ...draft },
        { atMs: clock.nowMs(), action: "create", by: "test", reason: "given" },
      );
      while (worker.embedMissing() > 0);
    },
    [Symbol.dispose]: () => {
      store[Symbol.dispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function createTestPause(): ServiceContext["pause"] {
  let state: { readonly paused: boolean; readonly until: number | null } = {
    paused: false,
    until: null,
  };
  return {
    state: () => state,
    pause: (until) => void (state = { paused: true, until }),
    resume: () => void (state = { paused: false, until: null }),
  };
}

/** Two settings in memory: one that anybody may change, and one that is for the file alone. */
function createTestConfig(): ServiceContext["config"] {
  const item = (key: string, editable: boolean) => ({
    key,
    section: key.split(".")[0] ?? "",
    value: '"on"',
    default: '"on"',
    source: "default",
    expected: '"on" or "off"',
    choices: ["on", "off"],
    effect: "For tests.",
    variable: editable ? "CONTINUITY_TEST" : null,
    editable,
  });
  const items = new Map(
    [item("inject.prompt", true), item("llm.claude-cli.path", false)].map((one) => [one.key, one]),
  );
  return {
    path: "/home/test/config.toml",
    warnings: () => [],
    read: () => ok([...items.values()]),
    set: (key, value) => {
      const known = items.get(key);
      if (known === undefined)
        return err({ type: "config.unknown-key", message: `there is no setting ${key}` });
      if (!known.choices.includes(value))
        return err({ type: "config.value", message: `${key} is "on" or "off"` });
      const changed = { ...known, value: JSON.stringify(value), source: "file" };
      items.set(key, changed);
      return ok(changed);
    },
  };
}

/** A value of one slot, "staging database · port", as the user says it: a later one ends the one before. */
export const slotted = (l0: string, atMs: number): Candidate => ({
  category: "entities",
  uriHint: "staging-database-port",
  l0,
  l1: null,
  l2: null,
  importance: 5,
  tags: [],
  files: [],
  aliases: [],
  project: null,
  origin: "user",
  maker: "manual",
  evidence: { sessionId: "s", turn: null, line: null, quote: l0 },
  branch: null,
  atMs,
  slot: "staging database · port",
});

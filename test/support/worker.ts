/** A worker over a real store in a temporary folder, with a stopped clock: for tests of what events become. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  defaultSettings,
  homePaths,
  type Candidate,
  type Embedder,
  type History,
  type HookEnvelope,
  type HookName,
  type Llm,
  type ProjectIdentity,
  type Settings,
} from "#domain";
import { folderMark } from "#hooks";
import { createVectorIndex, loadEmbeddedModel } from "#embed";
import { type Log, sha256, stoppedClock, systemRandom } from "#kit";
import { createFinder } from "#memory";
import { createGate } from "#privacy";
import { createPrivateWords } from "../../src/daemon/intake/private-words.ts";
import { workerContext, createWorker, type Fault, type NotesPort, type WorkerParts } from "#daemon";
import type { CodePort } from "../../src/daemon/jobs/code.ts";
import { openNewStore } from "./new-store.ts";
import { bareParts } from "./worker-parts.ts";
import type { AgentNotesPort } from "../../src/daemon/jobs/note-files.ts";
import type { TranscriptPort } from "../../src/daemon/jobs/transcript-reading.ts";

const usualStartMs = Date.parse("2026-03-02T09:00:00Z");

export const testProject: ProjectIdentity = {
  key: "github.com/deskly/deskly",
  name: "deskly",
  root: "/home/dev/deskly",
  branch: "main",
};

const model = loadEmbeddedModel();

export interface TestWorkerOptions {
  readonly log?: Log;
  readonly excluded?: (cwd: string, paths: readonly string[]) => boolean;
  readonly paused?: () => boolean;
  readonly isStopCarried?: (sessionId: string) => boolean;
  readonly projectOf?: (cwd: string) => ProjectIdentity | null;
  readonly code?: CodePort;
  readonly notes?: NotesPort;
  readonly agentNotes?: AgentNotesPort;
  readonly historyAt?: (folder: string) => History | null;
  readonly transcripts?: TranscriptPort;
  /** The model that is chosen; default none. */
  readonly llm?: Llm | null;
  /** The same, asked each time. */
  readonly llmNow?: () => Llm | null;
  readonly settings?: Settings;
  readonly fault?: () => Fault | null;
  /** A folder that outlives this worker, with what an earlier one left in it; default a new one. */
  readonly folder?: string;
  readonly onStep?: WorkerParts["onStep"];
  /** Default: the one that is shipped. */
  readonly embedder?: Embedder;
  readonly startMs?: number;
}

export type TestWorker = ReturnType<typeof openTestWorker>;

export function openTestWorker(options: TestWorkerOptions = {}) {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), "continuity-worker-"));
  const { startMs = usualStartMs } = options;
  const clock = stoppedClock(startMs);
  const opened = openNewStore(join(folder, "continuity.db"), {
    mode: "readwrite",
    clock,
    random: systemRandom,
    networkAt: () => null,
  });
  if (!opened.ok || !model.ok) throw new Error("test store");
  const store = opened.value;
  const embedder = options.embedder ?? model.value;
  const vectors = createVectorIndex(embedder.identity.dimension);
  for (const { nodeId, components } of store.vectors.components(embedder.identity.id))
    vectors.putComponents(nodeId, components);
  // Whoever leased a job before is dead.
  store.jobs.releaseAll();
  const finder = createFinder({
    lexical: store.lexical,
    vectors,
    embedder,
    nodes: store.nodes,
    sessions: store.sessions,
    weights: defaultSettings.retrieval,
  });
  const parts: WorkerParts = {
    ...bareParts,
    store,
    embedder,
    vectors,
    clock,
    finder,
    gate: createGate({ redact: [] }),
    ...(options.log === undefined ? {} : { log: options.log }),
    settings: () => options.settings ?? defaultSettings,
    llm: options.llmNow ?? (() => options.llm ?? null),
    projectOf: options.projectOf ?? (() => testProject),
    folderMark,
    ...(options.notes === undefined ? {} : { notes: options.notes }),
    ...(options.agentNotes === undefined ? {} : { agentNotes: options.agentNotes }),
    ...(options.fault === undefined ? {} : { fault: options.fault }),
    ...(options.code === undefined ? {} : { code: options.code }),
    isExcluded: options.excluded ?? (() => false),
    paused: options.paused ?? (() => false),
    isStopCarried: options.isStopCarried ?? (() => false),
    privateWords: createPrivateWords(homePaths(folder), { store, embedder, clock }),
    ...(options.historyAt === undefined ? {} : { historyAt: options.historyAt }),
    ...(options.transcripts === undefined ? {} : { transcripts: options.transcripts }),
    ...(options.onStep === undefined ? {} : { onStep: options.onStep }),
  };
  const worker = createWorker(parts);
  let atMs = startMs;
  const send = (
    hook: HookName,
    clientEvent: string,
    payload: Readonly<Record<string, unknown>>,
    options: {
      readonly key?: string;
      readonly atMs?: number;
      /** Default: the socket. */
      readonly via?: "socket" | "spool";
      /** From a hook that confirms its answer. */
      readonly confirms?: true;
    } = {},
  ): string => {
    atMs = options.atMs ?? atMs + 1_000;
    const contentHash = sha256(JSON.stringify([clientEvent, payload]));
    const envelope: HookEnvelope = {
      v: 1,
      hook,
      clientEvent,
      key: options.key ?? sha256(`${contentHash}${atMs}`),
      contentHash,
      anonymous: false,
      atMs,
      replayed: true,
      gated: false,
      ...(options.confirms === undefined ? {} : { confirms: true }),
      payload: {
        session_id: "s-1",
        cwd: "/home/dev/deskly",
        hook_event_name: clientEvent,
        ...payload,
      },
    };
    return worker.accept([envelope], options.via ?? "socket")[0]?.context ?? "";
  };
  return {
    folder,
    store,
    deps: { ...workerContext(parts), clock },
    worker,
    finder,
    embedder,
    clock,
    startMs,
    send,
    submit: (prompt: string, id: string) =>
      send("submit", "UserPromptSubmit", { prompt, prompt_id: id }),
    stop: (answer: string, id: string) =>
      send("stop", "Stop", {
        last_assistant_message: answer,
        prompt_id: id,
        stop_hook_active: false,
      }),
    /** Everything that is due. */
    settle: async () => {
      do {
        while ((await worker.work(1_000)) === 0);
        await worker.settled();
        // A job that failed is tried again after its pause.
        clock.advance(store.jobs.pending(clock.nowMs()) > 0 ? 10_000 : 0);
      } while (store.jobs.pending(clock.nowMs()) > 0);
    },
    /** A memory that is there before the session, of this project unless it says otherwise. */
    remember: (l0: string, over: Partial<Candidate> = {}, by = "user") =>
      worker.remember(
        {
          category: "entities",
          uriHint: "known",
          l0,
          l1: null,
          l2: null,
          importance: 3,
          tags: [],
          files: [],
          aliases: [],
          project: testProject.key,
          origin: "user",
          maker: "manual",
          evidence: { sessionId: "s-0", turn: null, line: null, quote: l0 },
          branch: null,
          atMs: startMs - 86_400_000,
          ...over,
        },
        by,
      ).node,
    /** Lists what was kept of each turn of the session, in the order of turns. */
    exchanges: (sessionId = "s-1") =>
      store.nodes.children(`mem://sessions/${sessionId}/exchanges`, { limit: 500 }),
    memories: () =>
      store.nodes
        .list({ projects: null }, "uri", { limit: 500 })
        .filter(({ nodeType }) => nodeType === "leaf"),
    [Symbol.dispose]: () => {
      store[Symbol.dispose]();
      if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Lives through a voice in this process, as the daemon would, and hands over the store as it is then. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  defaultSettings,
  type Embedder,
  type HookEnvelope,
  type HookName,
  type Store,
} from "#domain";
import { createVectorIndex, loadEmbeddedModel } from "#embed";
import { sha256, stoppedClock, systemRandom } from "#kit";
import { createFinder, type Finder } from "#memory";
import { createGate } from "#privacy";
import { openStore } from "#store";
import { createWorker, type Worker } from "#daemon";
import { bareParts } from "../../test/support/worker-parts.ts";
import type { Voice } from "./voice.ts";

export interface Lived extends Disposable {
  readonly store: Store;
  readonly finder: Finder;
  readonly embedder: Embedder;
  readonly worker: Worker;
  readonly projectKey: (name: string) => string;
}

/** The model that is shipped. */
export function shippedEmbedder(): Embedder {
  const loaded = loadEmbeddedModel();
  if (!loaded.ok) throw new Error(loaded.error.type);
  return loaded.value;
}

export async function live(voice: Voice, embedder: Embedder): Promise<Lived> {
  const folder = mkdtempSync(join(tmpdir(), "continuity-train-"));
  const clock = stoppedClock(voice.sessions[0]?.startMs ?? 0);
  const opened = openStore(join(folder, "continuity.db"), {
    mode: "readwrite",
    clock,
    random: systemRandom,
    networkAt: () => null,
  });
  if (!opened.ok) throw new Error(opened.error.type);
  const store = opened.value;
  const vectors = createVectorIndex(embedder.identity.dimension);
  const finder = createFinder({
    lexical: store.lexical,
    vectors,
    embedder,
    nodes: store.nodes,
    sessions: store.sessions,
    weights: defaultSettings.retrieval,
  });
  const projectKey = (name: string): string => voice.projects.get(name) ?? `dir:${name}`;
  const worker = createWorker({
    ...bareParts,
    store,
    embedder,
    vectors,
    clock,
    finder,
    gate: createGate({ redact: [] }),
    settings: () => defaultSettings,
    llm: () => null,
    projectOf: (cwd) => {
      const name = cwd.slice(cwd.lastIndexOf("/") + 1);
      return { key: projectKey(name), name, root: cwd, branch: "main" };
    },
    transcripts: { read: async () => null },
  });
  for (const session of voice.sessions) {
    let atMs = session.startMs;
    const send = (
      hook: HookName,
      clientEvent: string,
      payload: Readonly<Record<string, unknown>>,
    ): void => {
      const contentHash = sha256(JSON.stringify([clientEvent, payload, atMs]));
      const envelope: HookEnvelope = {
        v: 1,
        hook,
        clientEvent,
        key: contentHash,
        contentHash,
        anonymous: false,
        atMs,
        replayed: true,
        gated: false,
        payload: {
          session_id: `${voice.name}-${session.id}`,
          cwd: `/home/dev/${session.project}`,
          hook_event_name: clientEvent,
          ...payload,
        },
      };
      worker.accept([envelope], "socket");
    };
    send("start", "SessionStart", { source: "startup" });
    for (const [n, turn] of session.turns.entries()) {
      atMs += 90_000;
      send("submit", "UserPromptSubmit", { prompt: turn.prompt, prompt_id: `${session.id}-${n}` });
      atMs += 20_000;
      send("stop", "Stop", {
        prompt_id: `${session.id}-${n}`,
        stop_hook_active: false,
        last_assistant_message: turn.answer,
      });
    }
    send("end", "SessionEnd", { reason: "prompt_input_exit" });
    do while ((await worker.work(1_000)) === 0);
    while (store.jobs.pending(clock.nowMs()) > 0);
  }
  return {
    store,
    finder,
    embedder,
    worker,
    projectKey,
    [Symbol.dispose]: () => {
      worker.stop();
      store[Symbol.dispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

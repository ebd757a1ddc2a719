/** A store in memory of the labelled projects, searched as the daemon searches. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  categoryRules,
  defaultSettings,
  type Embedder,
  type FoundDocument,
  type Store,
} from "#domain";
import { createVectorIndex } from "#embed";
import { msPerDay, stoppedClock, systemRandom } from "#kit";
import { createFinder } from "#memory";
import { openStore } from "#store";
import type { Labelled } from "./labelled.ts";

export interface Workspace extends Disposable {
  readonly found: (project: string, prompt: string) => readonly FoundDocument[];
  readonly nodeIdOf: (id: string) => number | undefined;
}

/** Looked at for each prompt. */
const foundMax = 24;
const nowMs = 20_000 * msPerDay;

/** Projects per store beside the prompt's own. */
const strangers = 2;

/** Holds a project, two strangers and all global memories. */
export function withStrangers(embedder: Embedder, labelled: Labelled, project: string): Workspace {
  const { projects } = labelled;
  const at = projects.indexOf(project);
  const others = Array.from(
    { length: strangers },
    (_, k) => projects[(at + k + 1) % projects.length],
  );
  return openWorkspace(embedder, labelled, [
    project,
    ...others.filter((other) => other !== undefined),
  ]);
}

/** Holds the given projects and all global memories. */
export function openWorkspace(
  embedder: Embedder,
  labelled: Labelled,
  projects: readonly string[],
): Workspace {
  const folder = mkdtempSync(join(tmpdir(), "continuity-calibrate-"));
  const opened = openStore(join(folder, "calibrate.db"), {
    mode: "readwrite",
    clock: stoppedClock(nowMs),
    random: systemRandom,
  });
  if (!opened.ok) throw new Error(opened.error.type);
  const store = opened.value;
  const vectors = createVectorIndex(embedder.identity.dimension);
  const ids = new Map<string, number>();
  store.transaction(() => {
    addHistory(store, labelled, projects);
    for (const { id, category, project, text } of labelled.memories) {
      if (project !== null && !projects.includes(project)) continue;
      const node = store.nodes.insert(
        {
          uri: `${categoryRules[category].root}/${id.replace(".", "-")}`,
          category,
          project,
          l0: text,
          origin: "user",
          maker: "extract",
        },
        { atMs: nowMs - 10 * msPerDay, action: "create", by: "bench", reason: "labelled" },
      );
      ids.set(id, node.id);
      const vector = embedder.embed(text);
      if (vector !== null) vectors.put(node.id, vector);
    }
  });
  const { lexical, nodes, sessions } = store;
  const weights = defaultSettings.retrieval;
  const finder = createFinder({ lexical, vectors, embedder, nodes, sessions, weights });
  return {
    found: (homeProject, text) =>
      finder.find({
        text,
        kinds: ["memory"],
        projects: [homeProject],
        homeProject,
        statuses: ["active"],
        limit: foundMax,
        sort: "relevance",
        nowMs,
      }),
    nodeIdOf: (id) => ids.get(id),
    [Symbol.dispose]: () => {
      store[Symbol.dispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function addHistory(store: Store, labelled: Labelled, projects: readonly string[]): void {
  for (const project of projects) {
    const sessionId = `history-${project}`;
    store.sessions.upsert({ sessionId, project, projectName: project, atMs: 1 });
    const own = labelled.history.filter((entry) => entry.project === project);
    own.forEach(({ prompt }, index) =>
      store.sessions.openTurn({ sessionId, promptId: `${index}`, prompt, atMs: index + 1 }),
    );
  }
}

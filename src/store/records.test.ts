import { expect, test } from "bun:test";
import type { CheckpointFields, ObservationDraft, Store } from "#domain";
import { noonMs, tempStore } from "./test-support.ts";

const observation = (over: Partial<ObservationDraft> = {}): ObservationDraft => ({
  sessionId: "s",
  turn: 1,
  project: "p",
  type: "bugfix",
  title: "Fixed the retry loop",
  subtitle: "backoff was missing",
  narrative: "The client retried at once",
  facts: ["maxRetries is 5"],
  concepts: ["resilience"],
  filesRead: ["src/http.ts"],
  filesModified: ["src/retry.ts"],
  atMs: noonMs,
  ...over,
});

const fields = (over: Partial<CheckpointFields> = {}): CheckpointFields => ({
  request: "",
  investigated: "",
  learned: "",
  completed: "",
  nextSteps: "",
  filesRead: [],
  filesEdited: [],
  notes: "",
  currentTask: "",
  filesInHand: [],
  uncommitted: [],
  thrash: [],
  ...over,
});

const checkpoint = (
  store: Store,
  l0: string,
  over: Partial<{ sessionId: string; atMs: number }> = {},
) =>
  store.sessions.addCheckpoint({
    sessionId: "s",
    project: "p",
    atMs: noonMs,
    trigger: "stop",
    l0,
    fields: fields({ request: "Make it faster", filesEdited: ["x.ts"] }),
    ...over,
  });

test("observations are found by words, concept, type and file", () => {
  using store = tempStore();
  const [saved] = store.sessions.addObservations([
    observation(),
    observation({
      type: "change",
      title: "Other",
      concepts: [],
      facts: [],
      narrative: "",
      subtitle: "",
      filesModified: [],
      filesRead: [],
    }),
  ]);
  expect(saved).toEqual({ id: 1, ...observation() });
  expect(store.sessions.observations("s")).toHaveLength(2);
  expect(store.sessions.observationsByIds([2, 1]).map(({ id }) => id)).toEqual([2, 1]);
  const find = (terms: readonly string[], more: object): readonly number[] =>
    store.lexical.match("observation", terms, { projects: ["p"], ...more }, 5).map(({ id }) => id);
  expect(find(["retries"], {})).toEqual([1]);
  expect(find(["max_retries"], {})).toEqual([1]);
  expect(find(["retry"], { concept: "resilience", type: "bugfix", file: "retry.ts" })).toEqual([1]);
  expect(find(["retry"], { concept: "security" })).toEqual([]);
  expect(find(["retry"], { type: "feature" })).toEqual([]);
  expect(find(["retry"], { sinceMs: noonMs + 1 })).toEqual([]);
});

test("of a session's checkpoints the last is current, and only it is searched", () => {
  using store = tempStore();
  checkpoint(store, "Began profiling");
  const last = checkpoint(store, "Made it twice as quick");
  expect(last).toMatchObject({
    n: 2,
    current: true,
    request: "Make it faster",
    filesEdited: ["x.ts"],
  });
  expect(store.sessions.currentCheckpoint("s")).toEqual(last);
  expect(store.sessions.checkpoints("s").map(({ current }) => current)).toEqual([false, true]);
  const find = (term: string): number =>
    store.lexical.match("checkpoint", [term], { projects: null }, 5).length;
  expect(find("profiling")).toBe(0);
  expect(find("quick")).toBe(1);
  expect(store.sessions.checkpointsByIds([last.id])).toEqual([last]);
});

test("recent checkpoints are the current ones of a project, newest first", () => {
  using store = tempStore();
  checkpoint(store, "a1", { sessionId: "a", atMs: 1 });
  checkpoint(store, "b1", { sessionId: "b", atMs: 2 });
  checkpoint(store, "a2", { sessionId: "a", atMs: 3 });
  expect(store.sessions.recentCheckpoints(["p"], 5).map(({ l0 }) => l0)).toEqual(["a2", "b1"]);
  expect(store.sessions.recentCheckpoints(["q"], 5)).toEqual([]);
  expect(store.sessions.recentCheckpoints(null, 1)).toHaveLength(1);
});

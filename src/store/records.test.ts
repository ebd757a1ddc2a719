import { expect, test } from "bun:test";
import { emptyCheckpoint, type CheckpointFields, type Store } from "#domain";
import { noonMs, tempStore } from "../../test/support/store.ts";

const fields = (over: Partial<CheckpointFields> = {}): CheckpointFields => ({
  ...emptyCheckpoint,
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
  expect(store.sessions.recentCheckpoints("p", 5).map(({ l0 }) => l0)).toEqual(["a2", "b1"]);
  expect(store.sessions.recentCheckpoints("q", 5)).toEqual([]);
});

import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Embedder, RemoteEmbedder } from "#domain";
import { loadEmbeddedModel } from "#embed";
import { ok, err } from "#kit";
import { openTestWorker } from "../../../test/support/worker.ts";

const shipped = loadEmbeddedModel();
if (!shipped.ok) throw new Error("no model");
const { lexicalWeight } = shipped.value.identity;

const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "continuity-reembed-"));
  folders.push(folder);
  return folder;
};
afterEach(() => folders.splice(0).forEach((dir) => rmSync(dir, { recursive: true, force: true })));

/** Words as hashed places of a vector of any length; two words that mean the same share one. */
function fakeEmbedder(dimension: number, remote?: RemoteEmbedder): Embedder {
  const embed = (text: string): Float32Array | null => {
    const vector = new Float32Array(dimension);
    for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
      const meaning = word === "automobile" ? "car" : word;
      vector[Bun.hash.crc32(meaning) % dimension] = 1;
    }
    const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
    return length === 0 ? null : vector.map((value) => value / length);
  };
  const floors = { similarityFloor: 0.5 };
  const identity = {
    id: `fake@${dimension}`,
    dimension,
    isCalibrated: false,
    lexicalWeight,
    ...floors,
  };
  return { identity, embed, ...(remote === undefined ? {} : { remote }) };
}

const question = {
  text: "automobile",
  kinds: ["memory"],
  projects: null,
  limit: 3,
  sort: "relevance",
  homeProject: null,
} as const;

describe.each([128, 512])(
  "an embedder of %i dimensions takes the place of the shipped one",
  (dimension) => {
    test("everything is embedded again in the background and found by meaning", async () => {
      const folder = newFolder();
      using before = openTestWorker({ folder });
      before.remember("The car of the courier is electric");
      before.remember("端口是");
      before.remember("Invoices are archived in Basel");
      before.store[Symbol.dispose]();

      const embedder = fakeEmbedder(dimension);
      using t = openTestWorker({ folder, embedder });
      const ask = () => t.deps.finder.find({ ...question, nowMs: t.startMs });
      expect(t.deps.vectors.size()).toBe(0);
      expect(t.worker.embedding()).toEqual({ embedded: 0, leaves: 3 });
      await t.settle();
      expect(t.worker.embedding()).toBeNull();
      expect(t.deps.vectors.size()).toBe(2);
      expect(ask()[0]?.l0).toContain("courier");
      expect([...t.store.vectors.components(shipped.value.identity.id)]).toHaveLength(0);
      expect(
        [...t.store.vectors.components(embedder.identity.id)].map(
          ({ components }) => components.length,
        ),
      ).toEqual([dimension, dimension]);
      t.remember("The bike of the courier is blue");
      expect(t.deps.vectors.size()).toBe(3);
    });
  },
);

test("a text of which the embedder knows nothing is not looked for for ever", async () => {
  using t = openTestWorker();
  t.remember("端口是");
  expect(t.worker.embedMissing()).toBe(0);
  expect(t.store.vectors.missing(t.deps.embedder.identity.id, 0, 9).leaves).toEqual([]);
});

/** A server as the worker sees it, which fails as often as a test says. */
function fakeServer(dimension: number) {
  const own = fakeEmbedder(dimension);
  const owed = new Set<number>();
  const asked: (readonly string[])[] = [];
  let failures = 0;
  const remote: RemoteEmbedder = {
    documents: async (texts) => {
      asked.push(texts);
      if (failures > 0) {
        failures -= 1;
        return err("down");
      }
      return ok(texts.map((text) => own.embed(text) ?? new Float32Array(dimension)));
    },
    prepare: async () => undefined,
    owe: (nodeId) => void owed.add(nodeId),
    owed: (limit) => [...owed].slice(0, limit),
    settle: (nodeIds) => nodeIds.forEach((nodeId) => owed.delete(nodeId)),
    restingMs: () => 0,
    status: () => ({ isUsable: failures === 0, reason: "down" }),
  };
  return {
    embedder: fakeEmbedder(dimension, remote),
    asked,
    fail: (times: number) => (failures = times),
  };
}

/** Lets the server answer and the worker go on. */
async function catchUp(t: ReturnType<typeof openTestWorker>): Promise<void> {
  for (let round = 0; round < 20; round += 1) {
    await t.worker.work(50);
    await Promise.resolve();
  }
}

describe("with a server", () => {
  test("what is written waits for nothing and gets its vector when the server answers", async () => {
    const server = fakeServer(128);
    using t = openTestWorker({ embedder: server.embedder });
    server.fail(2);
    const node = t.remember("The car of the courier is electric");
    expect(node?.l0).toContain("courier");
    expect(t.deps.finder.find({ ...question, text: "courier", nowMs: t.startMs })).toHaveLength(1);
    await catchUp(t);
    expect(server.asked.length).toBeGreaterThan(2);
    expect(t.deps.vectors.size()).toBe(1);
    expect(t.deps.finder.find({ ...question, nowMs: t.startMs })[0]?.l0).toContain("courier");
  });

  test("a reworded memory is not found by its old meaning, and embedded again", async () => {
    const server = fakeServer(128);
    using t = openTestWorker({ embedder: server.embedder });
    const node = t.remember("The car of the courier is electric");
    await catchUp(t);
    if (node === null) throw new Error("not remembered");
    const cause = { atMs: t.startMs, action: "edit", by: "test", reason: "test" } as const;
    t.worker.index(t.store.nodes.update(node.id, { l0: "The bike of the courier" }, cause));
    expect(t.deps.vectors.size()).toBe(0);
    await catchUp(t);
    expect(t.deps.vectors.size()).toBe(1);
    expect(server.asked.at(-1)).toEqual(["The bike of the courier"]);
  });
});

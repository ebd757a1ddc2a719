/** Database files after a sync, question by question as the process that carries segments asks them. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assert } from "#kit";
import { createDevice, forgetAt, type Device } from "../../../../test/support/sync/devices.ts";
import { answerPeer } from "./peer.ts";

const uri = "mem://user/entities/search-index-rebuilt-by-cormorant";

/** As a person forgets: the file is cleaned at once, before the log hears of it. */
function forgetNow(device: Device): void {
  forgetAt(device, [uri]);
  device.store.admin.purge();
}

function remember({ store: { nodes }, nowMs }: Device): void {
  nodes.insert(
    {
      uri,
      category: "entities",
      project: null,
      l0: "The search index is rebuilt by cormorant",
      l2: null,
      origin: "user",
      maker: "manual",
      slot: null,
    },
    { atMs: nowMs(), by: "user", reason: "test", action: "create" },
  );
}

/** All that the device has to say, as the log carries it. */
function sentBy(device: Device): readonly unknown[] {
  const told: unknown[] = [];
  for (;;) {
    const answer = answerPeer(device.deps, { ask: "collect", limit: 100 });
    assert("entries" in answer, "the answer to `collect`");
    if (answer.more) continue;
    if (answer.entries.length === 0) return told;
    told.push(...answer.entries.map(({ json }) => JSON.parse(json) as unknown));
    const ids = answer.entries.map(({ id }) => id);
    const head = { device: device.id, seq: told.length, hash: "x" };
    answerPeer(device.deps, { ask: "sent", ids, head });
  }
}

function take(device: Device, from: Device, entries: readonly unknown[]): void {
  const head = { device: from.id, seq: 1, hash: "x" };
  answerPeer(device.deps, { ask: "apply", entries: [...entries], head });
}

/** Files of the device that hold a word. */
const filesWith = ({ folder }: Device, word: string): readonly string[] =>
  readdirSync(folder).filter((name) => readFileSync(join(folder, name), "latin1").includes(word));

/** Two devices that know the same memory. */
function twoDevices(): readonly [Device, Device] {
  const [a, b] = [createDevice(1), createDevice(2)];
  remember(a);
  take(b, a, sentBy(a));
  sentBy(b);
  for (const one of [a, b]) expect(filesWith(one, "cormorant")).not.toBeEmpty();
  return [a, b];
}

test("after a synced forget no file of either device holds a word of it, nor its name", () => {
  const [a, b] = twoDevices();
  using _a = a;
  using _b = b;
  forgetNow(b);
  take(a, b, sentBy(b));
  sentBy(a);
  expect([filesWith(a, "cormorant"), filesWith(b, "cormorant")]).toEqual([[], []]);
});

test("a forget that cannot be sent yet, or whose sync is ended, leaves no word either", () => {
  const [a, b] = twoDevices();
  using _a = a;
  using _b = b;
  forgetNow(a);
  let answer = answerPeer(a.deps, { ask: "collect", limit: 1 });
  while ("more" in answer && answer.more) answer = answerPeer(a.deps, { ask: "collect", limit: 1 });
  expect(filesWith(a, "cormorant")).toEqual([]);
  forgetNow(b);
  answerPeer(b.deps, { ask: "end" });
  expect(filesWith(b, "cormorant")).toEqual([]);
});

test("entries are carried by short names, as earlier builds wrote and read them", () => {
  using a = createDevice(1);
  using b = createDevice(2);
  remember(a);
  const [told] = sentBy(a);
  expect(
    Object.keys(told as object)
      .toSorted()
      .join(" "),
  ).toBe("a k o r s set t v w x");
  take(b, a, [told]);
  expect(b.store.nodes.byUri(uri)).not.toBeNull();
});

/**
 * Tests what devices make of each one's statements, rule by rule; `converge.test.ts` throws the
 * dice (docs/adr/0044).
 */
import { expect, test } from "bun:test";
import type { CheckpointFields, MemoryNode, NodeDraft, RevisionAction } from "#domain";
import { type Kept, shadowed } from "./claim.ts";
import {
  converge,
  createDevice,
  type Device,
  forgetAt,
  hear,
  tell,
  visible,
} from "../../../../test/support/sync/devices.ts";

const dayMs = 86_400_000;

/** Devices that end with the same in their hands, whatever the test did. */
function shared(work: (devices: readonly [Device, Device, Device]) => void): readonly MemoryNode[] {
  using a = createDevice(1, 2 * dayMs);
  using b = createDevice(2);
  using c = createDevice(3, -2 * dayMs);
  work([a, b, c]);
  converge([a, b, c]);
  const [one, ...others] = [a, b, c].map(({ store }) => visible(store));
  for (const other of others) expect(other).toBe(one ?? "");
  return nodesOf(a);
}

const nodesOf = ({ store: { nodes } }: Device): readonly MemoryNode[] =>
  nodes.byIds(nodes.leafIds(0, 100, ["active", "superseded", "retracted"]));

function say(
  device: Device,
  l0: string,
  more: Partial<NodeDraft> & { readonly by?: string } = {},
): MemoryNode {
  const { by = "signal", ...draft } = more;
  const { nodes } = device.store;
  if (by === "user") nodes.unforget(l0);
  device.wait(1_000);
  const slug = l0.toLowerCase().replaceAll(/[^a-z]+/g, "-");
  return nodes.insert(
    {
      uri: `mem://user/preferences/${slug}`,
      category: "preferences",
      project: null,
      l0,
      l2: null,
      origin: "user",
      maker: "manual",
      slot: null,
      ...draft,
    },
    { atMs: device.nowMs(), by, reason: "test", action: "create" },
  );
}

const saying = (device: Device, l0: string): MemoryNode => {
  const found = nodesOf(device).find((node) => node.l0 === l0);
  if (found === undefined) throw new Error(`nothing says ${l0}`);
  return found;
};

function edit(device: Device, id: number, l0: string, by = "signal"): void {
  device.wait(1_000);
  const cause = { atMs: device.nowMs(), by, reason: "test", action: "edit" as RevisionAction };
  device.store.nodes.update(id, { l0 }, cause);
}

function forget(device: Device, l0: string): void {
  device.wait(1_000);
  forgetAt(device, [saying(device, l0).uri]);
}

const lines = (nodes: readonly MemoryNode[]): readonly string[] =>
  nodes
    .filter(({ status }) => status === "active")
    .map(({ l0 }) => l0)
    .toSorted();

test("of one line said twice in the same moment with other words below it, both stay in the history", () => {
  using a = createDevice(1);
  using b = createDevice(2);
  for (const [device, l2] of [
    [a, "since March"],
    [b, null],
  ] as const) {
    const { id } = say(device, "deploys go out on Monday", { l2 });
    edit(device, id, "deploys go out on Tuesday");
  }
  converge([a, b]);
  expect(visible(a.store)).toBe(visible(b.store));
  expect(visible(b.store)).toContain("text: since March");
});

test("a use counts on all devices, though another device with a clock ahead used the memory before", () => {
  const [node] = shared(([a, b]) => {
    a.store.nodes.use(say(a, "Heron uses tabs").id, a.nowMs());
    tell(a);
    hear(b, a);
    tell(b);
    b.store.nodes.use(saying(b, "Heron uses tabs").id, b.nowMs());
  });
  expect(node?.accessCount).toBe(2);
});

test("of two devices that pinned a memory side by side, one pin is kept when later words come", () => {
  const said = { action: "edit", by: "user", reason: "test", atMs: 1 } as const;
  const base = { v: 1, kind: "memory", subject: "", token: "", set: {}, cause: said } as const;
  const entry = (id: string, more: Partial<Kept>): Kept => ({ ...base, id, stamp: id, ...more });
  const all = [entry("1", { pin: 1 }), entry("2", { pin: 1 }), entry("3", { set: { l0: "Yes" } })];
  expect(shadowed(all).map(({ id }) => id)).toEqual(["1"]);
});

test("who leaves a slot gives it back to the one before", () => {
  const slot = "heron · indent";
  const nodes = shared(([a, b]) => {
    say(a, "Heron uses tabs", { slot });
    converge([a, b]);
    const spaces = say(b, "Heron uses spaces", { slot });
    converge([a, b]);
    expect(lines(nodesOf(a))).toEqual(["Heron uses spaces"]);
    const cause = { atMs: b.nowMs(), by: "user", reason: "test", action: "edit" as const };
    b.store.nodes.update(spaces.id, { slot: null }, cause);
  });
  expect(lines(nodes)).toEqual(["Heron uses spaces", "Heron uses tabs"]);
});

test("an edit that was made without knowing does not bring a forgotten line back, however late it is", () => {
  const nodes = shared(([a, b, c]) => {
    say(a, "The phrase is violet tractor");
    say(a, "Heron uses tabs", { by: "user" });
    converge([a, b, c]);
    forget(b, "The phrase is violet tractor");
    // c has not heard of it, and its clock is put ahead of everybody's.
    c.wait(30 * dayMs);
    const other = say(c, "The phrase is secret", { by: "user" });
    edit(c, other.id, "The phrase is violet tractor");
  });
  expect(lines(nodes)).toEqual(["Heron uses tabs"]);
});

test("only remembering by name, later, brings a forgotten line back", () => {
  const nodes = shared(([a, b, c]) => {
    say(a, "Heron uses tabs");
    converge([a, b, c]);
    forget(b, "Heron uses tabs");
    converge([a, b, c]);
    expect(nodesOf(a)).toEqual([]);
    say(c, "Heron uses tabs", { by: "user" });
  });
  expect(lines(nodes)).toEqual(["Heron uses tabs"]);
});

test("what is learnt anew stays, though what a memory of that name became later was forgotten", () => {
  const nodes = shared(([a, b]) => {
    const node = say(a, "Heron uses tabs");
    edit(a, node.id, "The phrase is violet tractor");
    say(b, "The phrase is violet tractor");
    converge([a, b]);
    for (const uri of new Set(nodesOf(b).map(({ uri: one }) => one))) forgetAt(b, [uri]);
    converge([a, b]);
    a.store.nodes.unforget("Heron uses tabs");
    say(a, "Heron uses tabs");
  });
  expect(nodes.every(({ l0 }) => !l0.includes("violet"))).toBe(true);
});

test("a line that only one device has heard takes the memory with it on all, when it was forgotten", () => {
  const nodes = shared(([a, b, c]) => {
    const node = say(a, "Heron uses tabs");
    converge([a, b, c]);
    say(b, "The phrase is violet tractor");
    tell(b);
    forget(b, "The phrase is violet tractor");
    // Never told: a hears that the line is forgotten first.
    edit(a, node.id, "The phrase is violet tractor");
  });
  expect(nodes).toEqual([]);
});

test("a memory of a turn that left no record goes everywhere, and what else tells the same stays", () => {
  const nodes = shared(([a, b, c]) => {
    const made = say(a, "Heron uses tabs", { project: "dir:heron" });
    say(b, "Heron uses tabs");
    converge([a, b, c]);
    edit(c, made.id, "Heron uses spaces");
    a.wait(1_000);
    a.store.nodes.withdraw([made.id], a.nowMs());
    converge([a, b, c]);
    for (const device of [a, b, c])
      expect(device.store.nodes.isForgotten("Heron uses tabs")).toBe(false);
    // Nothing is refused: the user may say it again.
    say(c, "Heron uses tabs", { project: "dir:crane", uri: "mem://user/preferences/crane" });
  });
  expect(nodes.map(({ l0, project }) => [l0, project])).toEqual([
    ["Heron uses tabs", null],
    ["Heron uses tabs", "dir:crane"],
  ]);
});

function unite(device: Device, keep: string, part: string): void {
  const { nodes } = device.store;
  const [kept, gone] = [saying(device, keep), saying(device, part)];
  const cause = {
    atMs: device.nowMs(),
    by: "consolidation",
    reason: "test",
    action: "merge",
  } as const;
  nodes.update(kept.id, { mergedFrom: [gone.id] }, cause);
  nodes.retract(gone.id, cause);
}

test("two devices that merge the same two memories into different ones keep one of them", () => {
  const nodes = shared(([a, b]) => {
    say(a, "Heron uses tabs");
    say(a, "In Heron we use tabs");
    converge([a, b]);
    unite(a, "Heron uses tabs", "In Heron we use tabs");
    unite(b, "In Heron we use tabs", "Heron uses tabs");
  });
  expect(lines(nodes)).toEqual(["Heron uses tabs"]);
});

test("a memory that was edited elsewhere is not merged away for what it said before", () => {
  const nodes = shared(([a, b]) => {
    say(a, "Heron uses tabs");
    say(a, "In Heron we use tabs");
    converge([a, b]);
    edit(b, saying(b, "In Heron we use tabs").id, "In Heron we use spaces", "user");
    unite(a, "Heron uses tabs", "In Heron we use tabs");
  });
  expect(lines(nodes)).toEqual(["Heron uses tabs", "In Heron we use spaces"]);
});

/** A session of the device, and what it was about. */
function summarise({ store, nowMs }: Device, l0: string, notes: string): void {
  store.sessions.upsert({ sessionId: "s-1", project: null, atMs: nowMs() });
  store.sessions.addCheckpoint({
    sessionId: "s-1",
    project: null,
    atMs: nowMs(),
    trigger: "end",
    l0,
    fields: { ...noFields, notes },
  });
}

const noFields: CheckpointFields = {
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
};

const digestOf = ({ store }: Device): string =>
  JSON.stringify(store.sessions.checkpoints("s-1").map(({ l0, notes }) => [l0, notes]));

test("what was forgotten goes from digests too, also where the memory never was", () => {
  using a = createDevice(1);
  using b = createDevice(2);
  using c = createDevice(3);
  say(a, "The phrase is violet tractor");
  summarise(a, "Wrote the login page", "The phrase is violet tractor");
  converge([a, b]);
  expect(digestOf(b)).toContain("violet");
  forget(b, "The phrase is violet tractor");
  tell(b);
  // Hears that the line is forgotten before it hears the line.
  hear(c, b);
  hear(c, a);
  expect(digestOf(c)).toContain("login page");
  expect(digestOf(c)).not.toContain("violet");
  converge([a, b, c]);
  for (const device of [a, b, c]) expect(digestOf(device)).toBe(digestOf(a));
  expect(digestOf(a)).not.toContain("violet");
});

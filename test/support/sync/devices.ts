/** Devices with real stores that exchange entries through memory, and random lives for them. For tests. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  fieldsOfWire,
  type Category,
  type MemoryNode,
  type NodePatch,
  type RevisionAction,
  type Store,
  type SyncEntry,
} from "#domain";
import { assert, type Json } from "#kit";
import { openNewStore } from "../new-store.ts";
import { apply, collectStep } from "../../../src/exchange/sync/log/apply.ts";
import { answerPeer } from "../../../src/exchange/sync/log/peer.ts";
import type { Peer } from "../../../src/exchange/sync/run/exchange.ts";
import type { SyncContext } from "../../../src/exchange/sync/log/claim.ts";

const startMs = 1_772_366_400_000;
const salt = "5a17".repeat(8);

export interface Device extends Disposable {
  readonly id: string;
  readonly folder: string;
  readonly deps: SyncContext;
  readonly store: Store;
  /** The entries that it has told, in order. */
  readonly told: SyncEntry[][];
  /** The place up to which it has read each device. */
  readonly read: Map<string, number>;
  readonly nowMs: () => number;
  readonly wait: (ms: number) => void;
  /** Opens the database again, as after a crash. */
  readonly reopen: () => void;
}

/** In memory where the system has room for files there: a life takes a tenth of the time. */
const folders = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** A device whose clock is wrong by `skewMs`. */
export function createDevice(number: number, skewMs = 0): Device {
  const folder = mkdtempSync(join(folders, "continuity-sync-"));
  const id = number.toString(16).padStart(8, "0");
  let nowMs = startMs + skewMs;
  let ids = 0;
  const open = (): Store => {
    const opened = openNewStore(join(folder, "continuity.db"), {
      mode: "readwrite",
      clock: { nowMs: () => nowMs },
      random: { hex: (chars) => `${id}${(ids += 1)}`.padEnd(chars, "0").slice(0, chars) },
    });
    assert(opened.ok, "the store opens");
    return opened.value;
  };
  let store = open();
  store.sync.reset({ device: id, salt });
  const forget = (uris: readonly string[]): void => forgetAt({ store, nowMs: () => nowMs }, uris);
  return {
    id,
    folder,
    get store() {
      return store;
    },
    get deps() {
      const withdraw = (ids: readonly number[]): void => store.nodes.withdraw(ids, nowMs);
      return { store, clock: { nowMs: () => nowMs }, index: () => undefined, forget, withdraw };
    },
    told: [],
    read: new Map(),
    nowMs: () => nowMs,
    wait: (ms) => {
      nowMs += ms;
    },
    reopen: () => {
      store[Symbol.dispose]();
      store = open();
    },
    [Symbol.dispose]: () => {
      store[Symbol.dispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** As a person forgets: every wording. */
export function forgetAt(
  { store, nowMs }: Pick<Device, "store" | "nowMs">,
  uris: readonly string[],
): void {
  const nodes = uris.flatMap((uri) => store.nodes.byUri(uri) ?? []);
  const texts = nodes.flatMap((node) =>
    [node, ...store.nodes.revisions(node.id)].flatMap(({ l0, l1, l2 }) => [l0, l1 ?? "", l2 ?? ""]),
  );
  store.nodes.forget(
    nodes.map(({ id }) => id),
    texts.filter((text) => text !== ""),
    nowMs(),
  );
}

/** Puts what happened into entries that the others can read. */
export function tell(device: Device, batch = 50): void {
  while (!collectStep(device.deps));
  for (;;) {
    const rows = device.store.sync.unsent(batch);
    if (rows.length === 0) return;
    device.told.push(
      rows.map(({ json }) => fieldsOfWire(JSON.parse(json) as Json) as unknown as SyncEntry),
    );
    device.store.sync.sent(rows.map(({ id }) => id));
  }
}

/** Reads what another told: at most so many segments, each as often as `again` says. */
export function hear(
  device: Device,
  from: Device,
  segments = Number.MAX_SAFE_INTEGER,
  again = 1,
): void {
  if (device === from) return;
  const start = device.read.get(from.id) ?? 0;
  const news = from.told.slice(start, start + segments);
  for (const [at, entries] of news.entries())
    for (let n = 0; n < again; n += 1)
      apply(device.deps, entries, { device: from.id, seq: start + at + 1, hash: "" });
  device.read.set(from.id, start + news.length);
}

/** Until nobody has anything to say. */
export function converge(devices: readonly Device[]): void {
  for (let round = 0; round < 10; round += 1) {
    const before = devices.reduce((sum, { told }) => sum + told.length, 0);
    for (const device of devices) {
      for (const other of devices) hear(device, other);
      tell(device);
    }
    const after = devices.reduce((sum, { told }) => sum + told.length, 0);
    if (round > 0 && before === after) return;
  }
  throw new Error("the devices never stop talking");
}

/** Everything of a store that a person can see and that devices share, as text. */
export function visible({ nodes, sync }: Store): string {
  const all = nodes.byIds(
    nodes.leafIds(0, 10_000, ["active", "pending", "superseded", "retracted"]),
  );
  const shown = all
    .filter(({ category }) => category !== "sessions")
    .toSorted((a, b) => (a.uri < b.uri ? -1 : 1))
    .map((node) =>
      Object.assign(common(node), {
        links: linksOf(nodes, node.id),
        said: saidOf({ nodes, sync }, node.id),
      }),
    );
  return JSON.stringify(shown, null, 1);
}

const linksOf = (nodes: Store["nodes"], id: number): readonly string[] =>
  nodes
    .links(id)
    .filter(({ fromId }) => fromId === id)
    .map(
      ({ toId, relation, weight }) => `${relation} ${nodes.byId(toId)?.uri} ${weight.toFixed(3)}`,
    )
    .toSorted();

/** Forgotten wordings go from the history, at different times on each device. */
const saidOf = ({ nodes, sync }: Pick<Store, "nodes" | "sync">, id: number): readonly string[] => [
  ...new Set(
    nodes
      .revisions(id)
      .filter(({ l0 }) => sync.marksOf(l0).every((mark) => sync.mark(mark).forgotten === null))
      .flatMap(({ l0, l2 }) => [`line: ${l0}`, `text: ${l2}`])
      .toSorted(),
  ),
];

function common(node: MemoryNode): object {
  const { id: _, relevance: _r, mergedFrom: _m, ...rest } = node;
  return rest;
}

/** Numbers that only depend on the seed. */
export function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const words = ["tabs", "spaces", "pnpm", "npm", "postgres", "sqlite", "monday", "friday"];
const slots = ["indent · style", "tool · package manager", null];
const categories: readonly Category[] = ["preferences", "entities", "patterns"];
const projects = [null, "example.org/app", "example.org/web"];
const dayMs = 86_400_000;

type Dice = (below: number) => number;

/** One random thing that a person does at a device. */
export function act(device: Device, pick: Dice): void {
  const { store } = device;
  const ids = store.nodes.leafIds(0, 1_000, ["active", "superseded"]);
  const one = ids.length === 0 ? null : store.nodes.byId(ids[pick(ids.length)] ?? 0);
  const by = pick(3) === 0 ? "user" : "signal";
  const kind = pick(14);
  if (one === null || kind < 3) say(device, pick, by);
  else change(device, pick, { one, ids, kind, by });
}

const textOf = (pick: Dice): string =>
  `We use ${words[pick(words.length)]} in ${words[pick(words.length)]}`;

function say({ store, nowMs }: Device, pick: Dice, by: string): void {
  const text = textOf(pick);
  if (store.nodes.isForgotten(text)) {
    if (by !== "user") return;
    store.nodes.unforget(text);
  }
  const category = categories[pick(categories.length)] ?? "entities";
  let uri = `${category === "patterns" ? "mem://agent" : "mem://user"}/${category}/x${pick(4)}`;
  while (store.nodes.byUri(uri) !== null) uri += "-2";
  store.nodes.insert(
    {
      uri,
      category,
      project: projects[pick(projects.length)] ?? null,
      l0: text,
      l2: pick(2) === 0 ? `${text}, since ${pick(1_000)}` : null,
      origin: "user",
      maker: "manual",
      slot: slots[pick(slots.length)] ?? null,
    },
    { atMs: nowMs(), by, reason: "test", action: "create" },
  );
}

interface Changing {
  readonly one: MemoryNode;
  readonly ids: readonly number[];
  readonly kind: number;
  readonly by: string;
}

function change(device: Device, pick: Dice, { one, ids, kind, by }: Changing): void {
  const { nodes } = device.store;
  const atMs = device.nowMs();
  const patch = (of: NodePatch, action: RevisionAction): void =>
    void nodes.update(one.id, of, { atMs, by, reason: "test", action });
  const status = one.status === "active" ? "superseded" : "active";
  const other = (): number => ids[pick(ids.length)] ?? one.id;
  const deeds: readonly (() => void)[] = [
    () => patch({ l0: textOf(pick) }, "edit"),
    () => patch({ tags: [`t${pick(5)}`] }, "edit"),
    () => patch({ pinned: !one.pinned }, "pin"),
    () => nodes.use(one.id, atMs),
    () => nodes.retract(one.id, { atMs, by, reason: "test", action: "retract" }),
    () => forgetAt(device, [one.uri]),
    () => nodes.relate(one.id, other(), pick(2) === 0 ? "related" : "elaborates", atMs),
    () => patch({ status, validTo: atMs }, "supersede"),
    () => patch({ project: projects[pick(projects.length)] ?? null }, "edit"),
    () => patch({ status: "superseded", validTo: atMs }, "expire"),
    () => unite(device, one, nodes.byId(other())),
  ];
  deeds[kind - 3]?.();
}

/** As consolidation does by itself: whichever of the two this device happens to prefer takes the other over. */
function unite(
  { store: { nodes }, nowMs }: Device,
  keep: MemoryNode,
  part: MemoryNode | null,
): void {
  if (part === null || keep.id === part.id) return;
  if (keep.status !== "active" || part.status !== "active") return;
  const cause = { atMs: nowMs(), action: "merge", by: "consolidation", reason: "test" } as const;
  const evidenceCount = keep.evidenceCount + part.evidenceCount;
  nodes.update(keep.id, { mergedFrom: [...keep.mergedFrom, part.id], evidenceCount }, cause);
  nodes.retract(part.id, cause);
}

/**
 * A random life of several devices with wrong clocks, partitions, doubled and delayed deliveries and crashes. Gives
 * what each of them shows in the end.
 */
export function live(seed: number, steps = 40): readonly string[] {
  const pick = seeded(seed);
  const devices = Array.from({ length: 2 + pick(5) }, (_, n) =>
    createDevice(n + 1, (pick(7) - 3) * dayMs),
  );
  try {
    for (let step = 0; step < steps; step += 1) {
      const device = devices[pick(devices.length)];
      assert(device !== undefined, "there is a device");
      device.wait(pick(3) === 0 ? pick(20) * dayMs : pick(60_000));
      const what = pick(10);
      if (what < 6) act(device, pick);
      else if (what < 7) tell(device, 1 + pick(5));
      else if (what < 9) {
        const other = devices[pick(devices.length)] ?? device;
        hear(device, other, 1 + pick(3), 1 + pick(2));
      } else crash(device, devices, pick);
    }
    converge(devices);
    for (const { store } of devices) checkForgotten(store);
    const shown = devices.map(({ store }) => visible(store));
    if (seed % 4 === 0) for (const device of devices) checkBytes(device);
    return shown;
  } finally {
    for (const device of devices) device[Symbol.dispose]();
  }
}

const isGone = ({ sync }: Store, text: string): boolean =>
  sync.marksOf(text).some((mark) => {
    const { killed, remembered } = sync.mark(mark);
    return killed !== null && killed >= (remembered ?? "");
  });

/** `checkBytes` holds that what was forgotten and not remembered by name since stands in no byte of the files. */
function checkBytes({ folder, store }: Device): void {
  store.admin.purge();
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1"));
  const texts = new Set(files.flatMap((file) => file.match(/We use [a-z]+ in [a-z]+/g) ?? []));
  for (const text of texts) assert(!isGone(store, text), `"${text}" is still in a file`);
}

/** No memory says what was forgotten and not remembered by name since. */
export function checkForgotten(store: Store): void {
  const { nodes } = store;
  for (const id of nodes.leafIds(0, 10_000, ["active", "pending", "superseded", "retracted"])) {
    const l0 = nodes.byId(id)?.l0 ?? "";
    assert(!isGone(store, l0), `"${l0}" came back`);
  }
}

/** Ends in the middle of taking something in, or of telling; the database is what was committed. */
function crash(device: Device, devices: readonly Device[], pick: (below: number) => number): void {
  const other = devices[pick(devices.length)] ?? device;
  const start = device.read.get(other.id) ?? 0;
  const entries = other === device ? undefined : other.told[start];
  const last = pick(2) === 0;
  try {
    if (entries === undefined) collectStep(device.deps);
    else {
      const half = entries.slice(0, 1 + pick(entries.length));
      const { deps } = device;
      // Dies before it has forgotten what it was told to forget, or before it noted how far it came.
      apply({ ...deps, forget: last ? deps.forget : crashed }, half, null);
    }
  } catch (error) {
    assert(error instanceof Crash, `only the crash that was wanted: ${String(error)}`);
  }
  device.reopen();
}

class Crash extends Error {}

function crashed(): void {
  throw new Crash();
}

/** The log of a device, as the process that carries segments asks it. */
export const peerOf = ({ deps }: Device): Peer => {
  const ask = async (what: Parameters<typeof answerPeer>[1]): Promise<never> =>
    structuredClone(answerPeer(deps, what)) as never;
  return {
    state: () => ask({ ask: "state" }),
    begin: (as) => ask({ ask: "begin", ...as }),
    end: () => ask({ ask: "end" }),
    collect: (limit) => ask({ ask: "collect", limit }),
    sent: (ids, head) => ask({ ask: "sent", ids: [...ids], head }),
    apply: async (entries, head) =>
      ((await ask({ ask: "apply", entries: [...entries], head })) as { readonly ok: boolean }).ok,
  };
};

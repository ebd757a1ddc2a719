/** One sync: reads what others wrote, then writes what happened here. Every step can be the last one before a crash. */
import type { SyncHead, SyncReport, SyncVerified } from "#domain";
import { type Carrier, CarrierFailure, namesIn } from "./carrier.ts";
import { hashOf, pack, type Segment, segmentAt, segmentName, unpack } from "./segment.ts";
import { epochOf, identitiesOf, type KnownDevice, type SharedSpace } from "./membership.ts";
import { damagedDevices, type SpaceState } from "./space.ts";
import type { Outgoing, PeerState } from "../log/peer.ts";

/** The store, as the daemon answers for it. */
export interface Peer {
  readonly state: () => Promise<PeerState>;
  readonly begin: (as: { readonly device: string; readonly salt: string }) => Promise<void>;
  readonly end: () => Promise<void>;
  readonly collect: (limit: number) => Promise<Outgoing>;
  readonly sent: (ids: readonly string[], head: SyncHead) => Promise<void>;
  /** False when an entry is not understood; then nothing was taken. */
  readonly apply: (
    entries: readonly unknown[],
    head: SyncHead | null,
    device: string,
  ) => Promise<boolean>;
}

/** Entries in one segment. */
const segmentEntriesMax = 2_000;
const segmentCharsMax = 4_000_000;
/** Segments read side by side, for carriers that are far away. */
const sideBySide = 8;

export async function exchange(
  carrier: Carrier,
  state: SharedSpace,
  peer: Peer,
): Promise<SyncReport> {
  const before = await peer.state();
  const heads = new Map(before.heads.map((head) => [head.device, head]));
  const problems: string[] = [];
  const work: Exchange = { carrier, state, peer, heads, problems };
  let received = 0;
  if (carrier.ahead === undefined)
    for (const device of state.devices) received += await readDevice(work, device);
  else {
    await findLost(work);
    received = await readAhead(work, carrier.ahead);
  }
  const sent = await writeOwn(work);
  return { received, sent, problems };
}

interface Exchange {
  readonly carrier: Carrier;
  readonly state: SharedSpace;
  readonly peer: Peer;
  readonly heads: Map<string, SyncHead>;
  readonly problems: string[];
}

/** This device's own segments too: after a restored backup they bring back what it had said. */
async function readDevice(work: Exchange, known: KnownDevice): Promise<number> {
  const { carrier, heads } = work;
  const { device, until } = known;
  const start = heads.get(device)?.seq ?? 0;
  // The last one that was read is still there.
  const from = Math.max(0, start - 1);
  const found = await namesAfter(carrier, { device, seq: from, until });
  noteLost(work, known, found);
  const names = found.filter((name) => name > segmentName(device, start));
  let received = 0;
  for (let at = 0; at < names.length; at += sideBySide) {
    const group = names.slice(at, at + sideBySide);
    const read = await Promise.all(group.map(async (name) => carrier.get(name)));
    for (const [n, name] of group.entries()) {
      const seq = segmentAt(name)?.seq ?? 0;
      const taken = await takeSegment(work, { name, device, seq, bytes: read[n] ?? null });
      if (taken === null) return received;
      received += taken;
    }
  }
  return received;
}

/** A carrier that was set back lacks what this device has read; the memory has it all the same. */
function noteLost(
  { heads, problems }: Exchange,
  { device, until }: KnownDevice,
  found: readonly string[],
): void {
  const seq = heads.get(device)?.seq ?? 0;
  const last = segmentName(device, seq);
  if (seq === 0 || seq > (until ?? seq) || found.includes(last)) return;
  problems.push(`${last}: this machine has read it, and it is gone: what carries it was set back`);
}

async function findLost(work: Exchange): Promise<void> {
  const read = work.state.devices.filter(({ device }) => work.heads.has(device));
  for (let at = 0; at < read.length; at += sideBySide)
    await Promise.all(
      read.slice(at, at + sideBySide).map(async (known) => {
        const { device } = known;
        const before = Math.max(0, (work.heads.get(device)?.seq ?? 0) - 1);
        const found = await work.carrier.list(`log/${device}/`, segmentName(device, before));
        noteLost(work, known, found);
      }),
    );
}

/** All devices at once, part by part; a device ends where a segment of it does not fit. */
async function readAhead(work: Exchange, ahead: NonNullable<Carrier["ahead"]>): Promise<number> {
  const open = new Map(work.state.devices.map((one) => [one.device, one]));
  const seqOf = (device: string): number => work.heads.get(device)?.seq ?? 0;
  let received = 0;
  for (;;) {
    const ends = [...open.keys()].map((device) => segmentName(device, seqOf(device)));
    const found = ends.length === 0 ? [] : await ahead(ends);
    if (found.length === 0) return received;
    for (const { name, bytes } of found) {
      const [, device = ""] = name.split("/");
      const until = open.get(device)?.until;
      if (until === undefined) continue;
      const at = segmentAt(name);
      const isOver = at === null || at.seq > (until ?? at.seq);
      const taken = isOver ? null : await takeSegment(work, { name, bytes, ...at });
      if (taken === null) open.delete(device);
      else received += taken;
    }
  }
}

/** `namesAfter` lists, for a device that was removed, the segments that count. */
async function namesAfter(
  carrier: Carrier,
  of: { readonly device: string; readonly seq: number; readonly until: number | null },
): Promise<readonly string[]> {
  const last = of.until ?? Number.MAX_SAFE_INTEGER;
  const names: string[] = [];
  const { device, seq } = of;
  for await (const name of namesIn(carrier, `log/${device}/`, segmentName(device, seq)))
    if ((segmentAt(name)?.seq ?? last + 1) <= last) names.push(name);
  return names;
}

interface FoundSegment {
  readonly name: string;
  readonly device: string;
  readonly seq: number;
  readonly bytes: Uint8Array | null;
}

/** Null where reading this device ends for now. */
async function takeSegment(work: Exchange, found: FoundSegment): Promise<number | null> {
  const { heads, peer, problems } = work;
  const { device, name, seq } = found;
  const head = heads.get(device) ?? { device, seq: 0, hash: "" };
  const refuse = (why: string): null => {
    problems.push(`${name}: ${why}`);
    return null;
  };
  if (seq !== head.seq + 1)
    return refuse(`segment ${head.seq + 1} of the same device is missing before it`);
  const opened = await open(work.state, found);
  if (typeof opened === "string") return refuse(opened);
  if (opened.head.prev !== head.hash)
    return refuse("it does not follow the segment that was read before it");
  const next = { device, seq, hash: opened.hash };
  if (!(await applyAll(peer, opened.entries, next)))
    return refuse("a newer version of continuity wrote it; upgrade this device");
  heads.set(device, next);
  return opened.entries.length;
}

/** The segment, or why it is refused. */
async function open(state: SharedSpace, found: FoundSegment): Promise<Segment | string> {
  const verify = state.devices.find(({ device }) => device === found.device)?.verify;
  if (verify === undefined) return "its device does not belong to the space";
  if (found.bytes === null) return "it cannot be read (yet)";
  const { device, seq } = found;
  return unpack(found.bytes, {
    identities: identitiesOf(state),
    verify,
    space: state.space,
    device,
    seq,
  });
}

/** The number of entries that the daemon takes at once: hooks wait as long. */
const batchTargetMs = 35;
const batchFirst = 20;
const batchMax = 500;
/** A request is held several times over while it is read. */
const batchCharsMax = 300_000;
let batch = batchFirst;

/** In batches that hooks can wait for; the last one notes how far this device was read. */
async function applyAll(peer: Peer, entries: readonly unknown[], head: SyncHead): Promise<boolean> {
  for (let at = 0; ;) {
    const some = bounded(entries.slice(at, at + batch));
    at += some.length;
    const startMs = performance.now();
    const isLast = at >= entries.length;
    if (!(await peer.apply(some, isLast ? head : null, head.device))) return false;
    if (isLast) return true;
    const tookMs = Math.max(1, performance.now() - startMs);
    const fitting = (some.length * batchTargetMs) / tookMs;
    batch = Math.max(1, Math.min(batchMax, Math.round((batch + fitting) / 2)));
  }
}

async function writeOwn(work: Exchange): Promise<number> {
  const { carrier, state, peer, heads, problems } = work;
  let sent = 0;
  for (;;) {
    const { entries, more } = await peer.collect(segmentEntriesMax);
    if (more) continue;
    const some = bounded(entries, segmentCharsMax, ({ json }) => json);
    if (some.length === 0) return sent;
    const head = heads.get(state.device) ?? { device: state.device, seq: 0, hash: "" };
    const seq = head.seq + 1;
    const bytes = await pack(
      {
        v: 1,
        space: state.space,
        device: state.device,
        seq,
        prev: head.hash,
        seen: Object.fromEntries([...heads].map(([id, one]) => [id, [one.seq, one.hash]])),
      },
      some.map(({ json }) => json),
      { secret: state.sign.secret, recipients: [epochOf(state).recipient] },
    );
    const name = segmentName(state.device, seq);
    if ((await carrier.put(name, bytes)) === "exists") {
      // Written before a crash, or by a copy of this home: it is read like any other, and ours comes after it.
      const found = { name, device: state.device, seq, bytes: await carrier.get(name) };
      if ((await takeSegment(work, found)) === null)
        throw new CarrierFailure(
          `segment ${seq} of this device is taken by another one: ${problems.at(-1) ?? ""}`,
          "run `continuity sync verify`",
        );
      continue;
    }
    const next = { device: state.device, seq, hash: hashOf(bytes) };
    await peer.sent(
      some.map(({ id }) => id),
      next,
    );
    heads.set(state.device, next);
    sent += some.length;
  }
}

/** As many of them as stay below a size; at least one. */
function bounded<One>(
  entries: readonly One[],
  charsMax = batchCharsMax,
  textOf: (one: One) => string = JSON.stringify,
): readonly One[] {
  let chars = 0;
  const end = entries.findIndex((one) => (chars += textOf(one).length) > charsMax);
  return end < 0 ? entries : entries.slice(0, Math.max(1, end));
}

// Reads everything that the carrier holds, and says what does not fit. Changes nothing.

interface Verifying {
  readonly carrier: Carrier;
  readonly state: SpaceState;
  readonly heads: readonly SyncHead[];
  readonly problems: string[];
  /** The last sound segment of each device. */
  readonly ends: Map<string, { readonly seq: number; readonly hash: string }>;
  /** The claims of devices to have seen segments of others. */
  readonly seen: { readonly by: string; readonly device: string; readonly seq: number }[];
}

export async function verifySpace(
  carrier: Carrier,
  state: SpaceState,
  heads: readonly SyncHead[],
): Promise<SyncVerified> {
  const work: Verifying = { carrier, state, heads, problems: [], ends: new Map(), seen: [] };
  let segments = 0;
  let bytes = 0;
  for await (const name of namesIn(carrier, "log/")) {
    segments += 1;
    bytes += await verifySegment(work, name);
  }
  findMissing(work);
  work.problems.push(...(await damagedDevices(carrier, state, true)));
  return { segments, bytes, problems: [...new Set(work.problems)] };
}

async function verifySegment(work: Verifying, name: string): Promise<number> {
  const { carrier, state, problems } = work;
  const at = segmentAt(name);
  const content = await carrier.get(name);
  const opened = at === null ? null : await open(state, { name, ...at, bytes: content });
  if (at === null || opened === null) problems.push(`${name}: no segment has such a name`);
  else if (typeof opened === "string") problems.push(`${name}: ${opened}`);
  else fit(work, { name, ...at }, opened);
  return content?.length ?? 0;
}

/** Does a sound segment follow the one before, and is it the one that was read? */
function fit(
  { heads, problems, ends, seen }: Verifying,
  { name, device, seq }: { readonly name: string; readonly device: string; readonly seq: number },
  { head, hash }: Segment,
): void {
  const last = ends.get(device) ?? { seq: 0, hash: "" };
  if (seq !== last.seq + 1) problems.push(`${segmentName(device, last.seq + 1)}: it is missing`);
  else if (head.prev !== last.hash) problems.push(`${name}: it does not follow the one before it`);
  const read = heads.find((one) => one.device === device);
  if (read?.seq === seq && read.hash !== hash)
    problems.push(`${name}: it is not the one that this device has read`);
  for (const [other, [upTo]] of Object.entries(head.seen))
    seen.push({ by: device, device: other, seq: upTo });
  ends.set(device, { seq, hash });
}

/** Segments that this device, or another, has read before. */
function findMissing({ heads, problems, ends, seen }: Verifying): void {
  const endOf = (device: string): number => ends.get(device)?.seq ?? 0;
  for (const { device, seq } of heads)
    if (endOf(device) < seq)
      problems.push(`device ${device}: its segments end before ${seq}, which this device has read`);
  const isRead = (device: string, seq: number): boolean =>
    heads.some((head) => head.device === device && head.seq >= seq);
  for (const { by, device, seq } of seen)
    if (endOf(device) < seq && !isRead(device, seq))
      problems.push(
        `device ${device}: device ${by} has read its segment ${seq}, which is not there`,
      );
}

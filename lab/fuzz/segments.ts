/**
 * Segments of other devices, read from a carrier as sync and `sync verify` read them: files that somebody without a key
 * has changed, and segments that a device of the space signed with anything in them.
 */
import * as fc from "fast-check";
import { systemRandom } from "#kit";
import { answerPeer } from "../../src/exchange/sync/log/peer.ts";
import {
  createSpace,
  exchange,
  joinSpace,
  newSpace,
  refreshSpace,
  verifySpace,
  type Carrier,
  type SpaceState,
} from "#exchange/sync";
import {
  act,
  createDevice,
  peerOf,
  seeded,
  visible,
  type Device,
} from "../../test/support/sync/devices.ts";
import { pack, segmentName, type SegmentHead } from "../../src/exchange/sync/run/segment.ts";
import { oddValue, replaced, type Target } from "./cases.ts";

type Objects = ReadonlyMap<string, Uint8Array>;

/** A carrier over objects in memory; without `written`, nothing may be written. */
const carrierOf = (objects: Objects, written?: Map<string, Uint8Array>): Carrier => ({
  list: async (prefix, after) =>
    [...objects.keys()].filter((name) => name.startsWith(prefix) && name > after).toSorted(),
  get: async (name) => objects.get(name) ?? null,
  put: async (name, bytes) => {
    if (written === undefined) throw new Error(`${name} is written after a damaged segment`);
    if (written.has(name)) return "exists";
    written.set(name, bytes);
    return "created";
  },
  [Symbol.asyncDispose]: async () => undefined,
});

interface Member {
  readonly device: Device;
  readonly state: SpaceState;
}

async function member(
  carrier: Carrier,
  number: number,
  key: string | null,
): Promise<Member & { readonly key: string }> {
  const device = createDevice(number);
  const common = { url: "test", name: `d${number}`, nowMs: device.nowMs(), access: {} };
  const joining = { ...common, random: systemRandom };
  const made = key === null ? await newSpace(joining) : null;
  const state =
    made === null
      ? await joinSpace(carrier, joining, key ?? "")
      : await createSpace(carrier, made, joining.nowMs);
  device.store.sync.reset({ device: state.device, salt: state.salt });
  return { device, state, key: key ?? made?.recoveryKey ?? "" };
}

/** So many segments of each of two devices. */
const segmentsOfEach = 4;

interface World {
  readonly objects: Objects;
  /** A segment of a space that the reader does not belong to. */
  readonly foreign: Uint8Array;
  readonly writer: Member;
  readonly reader: Member;
}

/** Two devices that have written, and one that has read the first half. */
async function createWorld(): Promise<World> {
  const objects = new Map<string, Uint8Array>();
  const carrier = carrierOf(objects, objects);
  const writer = await member(carrier, 1, null);
  const second = await member(carrier, 2, writer.key);
  const reader = await member(carrier, 3, writer.key);
  const sync = async ({ device, state }: Member): Promise<SpaceState> => {
    const known = await refreshSpace(carrier, state);
    const { problems } = await exchange(carrier, known, peerOf(device));
    if (problems.length > 0) throw new Error(problems.join("; "));
    return known;
  };
  const pick = seeded(5);
  const write = async (): Promise<void> => {
    for (const { device, state } of [writer, second]) {
      for (let step = 0; step < 8; step += 1) act(device, pick);
      device.wait(60_000);
      await sync({ device, state });
    }
  };
  for (let round = 0; round < segmentsOfEach / 2; round += 1) await write();
  const known = await sync(reader);
  for (let round = 0; round < segmentsOfEach / 2; round += 1) await write();
  const others = new Map<string, Uint8Array>();
  const stranger = await member(carrierOf(others, others), 4, null);
  act(stranger.device, pick);
  await exchange(carrierOf(others, others), stranger.state, peerOf(stranger.device));
  const foreign = others.get(segmentName(stranger.state.device, 1));
  for (const { device } of [second, stranger]) device[Symbol.dispose]();
  if (foreign === undefined) throw new Error("the other space has no segment");
  return { objects, foreign, writer, reader: { device: reader.device, state: known } };
}

let world: Promise<World> | null = null;

type Change = readonly [
  how: "flip" | "cut" | "add" | "leave out" | "replay" | "foreign" | "bytes",
  at: number,
  bytes: Uint8Array,
];

const change = fc.tuple(
  fc.constantFrom("flip", "flip", "cut", "add", "leave out", "replay", "foreign", "bytes"),
  fc.nat(),
  fc.uint8Array({ minLength: 1, maxLength: 200 }),
) as fc.Arbitrary<Change>;

/** `changed` gives the bytes that stand where a segment was. */
function changed(good: Uint8Array, [how, at, bytes]: Change, from: World): Uint8Array {
  const place = at % good.length;
  const others = [...from.objects].filter(([name]) => name.startsWith("log/"));
  switch (how) {
    case "flip":
      return good.with(place, (good[place] ?? 0) ^ (1 << (bytes[0]! % 8)));
    case "cut":
      return good.subarray(0, place);
    case "add":
      return Buffer.concat([good.subarray(0, place), bytes, good.subarray(place)]);
    case "leave out":
      return Buffer.concat([good.subarray(0, place), good.subarray(place + bytes.length)]);
    case "replay":
      return others[at % others.length]?.[1] ?? bytes;
    case "foreign":
      return from.foreign;
    case "bytes":
      return bytes;
  }
}

const shown = ({ store }: Device): string =>
  `${visible(store)}${JSON.stringify(store.sync.heads())}`;
let before: string | null = null;

const isLine = (text: string): boolean => text !== "" && !text.includes("\n");

/** The next segment of both others is changed: nothing is taken, nothing is written, and a line says why. */
const changedFiles: Target = {
  name: "files of sync that were changed",
  share: 0.02,
  cases: fc.tuple(change, change),
  feed: async (changes: readonly Change[]) => {
    const from = await (world ??= createWorld());
    const { device, state } = from.reader;
    before ??= shown(device);
    const objects = new Map(from.objects);
    const others = state.devices.filter((one) => one.device !== state.device);
    let wrong = 0;
    for (const [at, one] of others.entries()) {
      const name = segmentName(one.device, segmentsOfEach / 2 + 1);
      const good = from.objects.get(name);
      if (good === undefined || changes[at] === undefined) throw new Error(`no ${name}`);
      const bad = changed(good, changes[at], from);
      // The same bytes again are no damage: they are not offered.
      if (Buffer.from(bad).equals(good)) objects.delete(name);
      else objects.set(name, bad);
      wrong += 1;
    }
    const carrier = carrierOf(objects);
    const { received, sent, problems } = await exchange(carrier, state, peerOf(device));
    if (received + sent > 0) throw new Error(`${received} entries taken, ${sent} sent`);
    if (problems.length !== wrong || !problems.every(isLine)) throw new Error(problems.join("; "));
    if (shown(device) !== before) throw new Error("a memory changed");
    const heads = device.store.sync.heads();
    const verified = await verifySpace(carrier, state, heads);
    if (verified.problems.length === 0 || !verified.problems.every(isLine))
      throw new Error(`verify: ${verified.problems.join("; ")}`);
  },
};

/** A reader takes so many cases: a store that grows takes its time for each. */
const casesOfReader = 400;
let listener: { device: Device; used: number } | null = null;

function openListener(): Device {
  if (listener !== null && listener.used >= casesOfReader) {
    listener.device[Symbol.dispose]();
    listener = null;
    // The next one reads a log of its own from the first segment on.
    taken.clear();
  }
  listener ??= { device: createDevice(5), used: 0 };
  listener.used += 1;
  return listener.device;
}

/** Entries as they are written, for a segment to begin with. */
let written: readonly string[] | null = null;

function entriesOf({ device }: Member): readonly string[] {
  const { deps } = device;
  for (let step = 0, pick = seeded(9); step < 20; step += 1) act(device, pick);
  for (;;) {
    const { entries, more } = answerPeer(deps, { ask: "collect", limit: 100 }) as {
      readonly entries: readonly { readonly json: string }[];
      readonly more: boolean;
    };
    if (!more) return entries.map(({ json }) => json);
  }
}

/** Segments that were taken before: a carrier that lost them would be reported as set back. */
const taken = new Map<string, Uint8Array>();

/** A device of the space, of a later version or broken, signs what it likes: taken or refused with a line. */
const signedSegments: Target = {
  name: "signed segments with anything in them",
  share: 0.05,
  cases: fc.record({
    head: fc.option(fc.tuple(fc.nat(), oddValue)),
    entries: fc.array(fc.tuple(fc.nat(), fc.nat(), oddValue), { maxLength: 3 }),
  }),
  feed: async (given: {
    readonly head: readonly [number, unknown] | null;
    readonly entries: readonly (readonly [number, number, unknown])[];
  }) => {
    const { writer, reader } = await (world ??= createWorld());
    const { state } = reader;
    written ??= entriesOf(writer);
    const device = openListener();
    const by = writer.state.device;
    const at = device.store.sync.heads().find((one) => one.device === by);
    const seq = (at?.seq ?? 0) + 1;
    const seen = { [state.device]: [1, "00"] as const };
    const good = { v: 1, space: state.space, device: by, seq, prev: at?.hash ?? "", seen };
    const text = JSON.stringify(good);
    const head = JSON.parse(given.head === null ? text : replaced(text, ...given.head)) as unknown;
    const lines = given.entries.map(([n, place, value]) =>
      replaced(written?.[n % written.length] ?? "", place, value),
    );
    const bytes = await pack(head as SegmentHead, lines, {
      secret: writer.state.sign.secret,
      recipients: state.epochs.map(({ recipient }) => recipient),
    });
    const carrier = carrierOf(new Map([...taken, [segmentName(by, seq), bytes]]), new Map());
    const { problems } = await exchange(carrier, state, peerOf(device));
    const heads = device.store.sync.heads();
    const isTaken = heads.find((one) => one.device === by)?.seq === seq;
    if (isTaken) taken.set(segmentName(by, seq), bytes);
    if (isTaken ? problems.length > 0 : problems.length !== 1 || !problems.every(isLine))
      throw new Error(`taken: ${isTaken}, problems: ${problems.join("; ")}`);
    const verified = await verifySpace(carrier, state, heads);
    if (!verified.problems.every(isLine)) throw new Error(verified.problems.join("; "));
  },
};

export const segments: readonly Target[] = [changedFiles, signedSegments];

/** Tests every carrier alike, and lives of devices that exchange over one. For tests. */
import { expect } from "bun:test";
import { assert } from "#kit";
import {
  act,
  checkForgotten,
  createDevice,
  peerOf,
  seeded,
  visible,
  type Device,
} from "./devices.ts";
import { CarrierFailure, namesIn, type Carrier } from "../../../src/exchange/sync/run/carrier.ts";
import { exchange } from "../../../src/exchange/sync/run/exchange.ts";
import {
  createSpace,
  joinSpace,
  newSpace,
  refreshSpace,
  type SpaceState,
} from "../../../src/exchange/sync/run/space.ts";

type Open = () => Promise<Carrier> | Carrier;

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

async function all(carrier: Carrier, prefix: string, after = ""): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const name of namesIn(carrier, prefix, after)) names.push(name);
  return names;
}

/** On an empty place: written once, read by another, listed in order. */
export async function checkCarrier(open: Open): Promise<void> {
  const one = await open();
  const other = await open();
  expect(await one.list("log/", "")).toEqual([]);
  expect(await one.get("log/aa/00000001.age")).toBeNull();
  expect(await one.put("log/aa/00000001.age", text("first"))).toBe("created");
  expect(await other.put("log/aa/00000001.age", text("second"))).toBe("exists");
  expect(await other.get("log/aa/00000001.age")).toEqual(text("first"));
  const large = crypto.getRandomValues(new Uint8Array(3_000_000));
  const names = [3, 2, 10].map((n) => `log/aa/${`${n}`.padStart(8, "0")}.age`);
  for (const name of names) await other.put(name, large);
  await other.put("log/bb/00000001.age", text("b"));
  await other.put("space.json", text("{}"));
  expect(await one.get(names[0] ?? "")).toEqual(large);
  expect(await all(one, "log/aa/", "log/aa/00000001.age")).toEqual(names.toSorted());
  expect(await all(one, "log/")).toHaveLength(5);
  expect(await all(one, "devices/")).toEqual([]);
  await one[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
  const late = await open();
  expect(await late.get("space.json")).toEqual(text("{}"));
  await late[Symbol.asyncDispose]();
}

/** Fails now and then: before a write, or after it was done. */
function unsteady(carrier: Carrier, pick: (below: number) => number): Carrier {
  const fail = (): never => {
    throw new CarrierFailure("the line is cut", "wait");
  };
  return {
    ...carrier,
    get: async (name) => (pick(20) === 0 ? fail() : carrier.get(name)),
    put: async (name, bytes) => {
      if (pick(8) === 0) fail();
      const made = await carrier.put(name, bytes);
      return pick(8) === 0 ? fail() : made;
    },
  };
}

interface Member {
  readonly device: Device;
  state: SpaceState;
}

async function syncOnce(carrier: Carrier, member: Member): Promise<number> {
  member.state = await refreshSpace(carrier, member.state);
  const done = await exchange(carrier, member.state, peerOf(member.device));
  expect(done.problems).toEqual([]);
  return done.received + done.sent;
}

/** A device with a wrong clock that makes the space, or joins it with its key. */
async function joined(
  carrier: Carrier,
  number: number,
  { pick, key }: { readonly pick: (below: number) => number; readonly key: string | null },
): Promise<Member> {
  const device = createDevice(number, (pick(7) - 3) * 86_400_000);
  const random = { hex: (chars: number): string => `${number}`.padStart(chars, "0") };
  const name = `d${number}`;
  const joining = { url: "test", name, nowMs: device.nowMs(), random, access: {} };
  const state =
    key === null
      ? await createSpace(carrier, await newSpace(joining), joining.nowMs)
      : await joinSpace(carrier, joining, key);
  device.store.sync.reset({ device: state.device, salt: state.salt });
  return { device, state };
}

/** Whoever was cut off begins again with what was committed. */
async function tryOnce(carrier: Carrier, member: Member): Promise<void> {
  try {
    await syncOnce(carrier, member);
  } catch (error) {
    if (!(error instanceof CarrierFailure)) throw error;
    member.device.reopen();
  }
}

async function stepOnce(
  carrier: Carrier,
  members: readonly Member[],
  pick: (below: number) => number,
): Promise<void> {
  const member = members[pick(members.length)];
  assert(member !== undefined, "there is a device");
  member.device.wait(pick(60_000));
  if (pick(4) > 0) act(member.device, pick);
  else await tryOnce(unsteady(carrier, pick), member);
}

/** Until nobody has anything to say; then all show the same. */
async function meet(carrier: Carrier, members: readonly Member[]): Promise<void> {
  for (let moved = 1; moved > 0;) {
    moved = 0;
    for (const member of members) moved += await syncOnce(carrier, member);
  }
  const shown = members.map(({ device }) => visible(device.store));
  for (const one of shown) expect(one).toBe(shown[0] ?? "");
  for (const { device } of members) checkForgotten(device.store);
}

/** A random life of devices that meet over a carrier only, on an unsteady line. In the end all show the same. */
export async function checkLife(open: Open, seed: number, steps = 20): Promise<void> {
  const pick = seeded(seed);
  await using carrier = await open();
  const members: Member[] = [];
  try {
    const wanted = 2 + pick(3);
    while (members.length < wanted) {
      const key = members[0]?.state.recoveryKey ?? null;
      members.push(await joined(carrier, members.length + 1, { pick, key }));
    }
    for (let step = 0; step < steps; step += 1) await stepOnce(carrier, members, pick);
    await meet(carrier, members);
  } finally {
    for (const { device } of members) device[Symbol.dispose]();
  }
}

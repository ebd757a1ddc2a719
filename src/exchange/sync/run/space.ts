/**
 * The space that devices share: who belongs to it, and the keys that its segments are encrypted with. Whoever has the
 * recovery key admits a device; any device removes one, and takes new keys with the others.
 */
import type { SyncHead } from "#domain";
import type { Random } from "#kit";
import { namesIn, type Carrier } from "./carrier.ts";
import {
  deviceFrom,
  type Epoch,
  epochFrom,
  epochOf,
  identitiesOf,
  keysName,
  type KnownDevice,
  memberIn,
  newEpoch,
  settled,
  type SharedSpace,
  signedAt,
  SpaceFailure,
  type Value,
  withNewcomers,
  withNewKeys,
} from "./membership.ts";
import {
  encrypt,
  newKeyPair,
  newSigningPair,
  openSigned,
  recipientOf,
  signed,
  signingPairOf,
  type KeyPair,
} from "./segment.ts";

/** Description of a space that all of its devices share. */
interface SpaceKeys {
  readonly space: string;
  readonly epochs: readonly Epoch[];
  /** Recipient of the recovery key, and the key that admits devices. */
  readonly recovery: string;
  readonly admin: string;
  readonly salt: string;
  /** Until it was shown. */
  readonly recoveryKey: string | null;
}

/** State of the space on this device, in a file of its own (0600). */
export interface SpaceState extends SharedSpace, SpaceKeys {
  readonly v: 1;
  readonly url: string;
  readonly name: string;
  readonly own: KeyPair;
  /** Credentials of the carrier that its address does not hold. */
  readonly access: Readonly<Record<string, string>>;
}

const purposes = {
  space: "continuity space",
  device: "continuity device",
  keys: "continuity keys",
};
const spaceName = "space.json";
const deviceName = (device: string): string => `devices/${device}.age`;
interface Joining {
  readonly url: string;
  readonly name: string;
  readonly nowMs: number;
  readonly random: Random;
  readonly access: Readonly<Record<string, string>>;
}

export const isSpaceThere = async (carrier: Carrier): Promise<boolean> =>
  (await carrier.get(spaceName)) !== null;

/** The keys of a space that is not there yet, for `createSpace`; to be kept until that is done. */
export async function newSpace(joining: Joining): Promise<SpaceState> {
  const recovery = await newKeyPair();
  return newState(joining, {
    space: joining.random.hex(16),
    recovery: recovery.recipient,
    admin: signingPairOf(recovery.identity).verify,
    salt: joining.random.hex(64),
    epochs: [await newEpoch(1)],
    recoveryKey: recovery.identity,
  });
}

/** Makes a space with this device in it. A call that was cut off is made again with the same state. */
export async function createSpace(
  carrier: Carrier,
  state: SpaceState,
  nowMs: number,
): Promise<SpaceState> {
  const { admin: verify, epochs, recovery, recoveryKey, salt, space } = state;
  const [first] = epochs;
  if (recoveryKey === null || first === undefined) throw new Error("a space without its keys");
  const { secret } = signingPairOf(recoveryKey);
  const record = signed(purposes.space, { v: 1, space, recovery, admin: verify }, secret);
  const made = await carrier.put(spaceName, record);
  const there = made === "exists" ? await carrier.get(spaceName) : record;
  if (there === null || !Buffer.from(there).equals(record))
    throw new SpaceFailure("there is a space already", "join it with its key");
  const keys = { epoch: 1, identity: first.identity, salt, removed: {}, by: "admin" };
  await carrier.put(keysName(1), await encrypt(signed(purposes.keys, keys, secret), [recovery]));
  return admit(carrier, state, { secret, nowMs });
}

const wrongKey = (): SpaceFailure =>
  new SpaceFailure(
    "the recovery key does not open this space",
    "check the address, and the key that `continuity sync key` showed on the first device",
  );

export async function joinSpace(
  carrier: Carrier,
  joining: Joining,
  recoveryKey: string,
): Promise<SpaceState> {
  const bytes = await carrier.get(spaceName);
  if (bytes === null) throw new SpaceFailure("there is no space at this address", "check it");
  const admin = signingPairOf(recoveryKey);
  const value = openSigned(purposes.space, bytes, () => admin.verify);
  const recovery = await recipientOf(recoveryKey).catch(() => null);
  if (value === null || recovery === null || value["recovery"] !== recovery) throw wrongKey();
  const first = await readKeys(carrier, 1, [recoveryKey], () => admin.verify);
  if (first === null) throw wrongKey();
  const state = await newState(joining, {
    space: String(value["space"]),
    recovery,
    admin: admin.verify,
    salt: String(first["salt"]),
    epochs: [await epochFrom(1, first)],
    recoveryKey: null,
  });
  // Later keys are signed by devices, whose records the first ones open.
  const known = await refreshSpace(carrier, state, [recoveryKey]);
  const named = { ...known, name: freeName(known, joining.name) };
  return admit(carrier, named, { secret: admin.secret, nowMs: joining.nowMs });
}

/** Machines are told apart by name: `laptop`, `laptop-2`. */
function freeName({ devices }: SpaceState, wanted: string): string {
  const taken = new Set(devices.flatMap(({ name, until }) => (until === null ? [name] : [])));
  let name = wanted;
  for (let n = 2; taken.has(name); n += 1) name = `${wanted}-${n}`;
  return name;
}

async function newState(
  { url, name, random, access }: Joining,
  of: SpaceKeys,
): Promise<SpaceState> {
  const device = random.hex(8);
  const own = await newKeyPair();
  return { v: 1, url, device, name, own, sign: newSigningPair(), devices: [], access, ...of };
}

async function admit(
  carrier: Carrier,
  state: SpaceState,
  by: { readonly secret: string; readonly nowMs: number },
): Promise<SpaceState> {
  const { device, name, own, sign, space } = state;
  const one: KnownDevice = {
    device,
    name,
    recipient: own.recipient,
    verify: sign.verify,
    at: by.nowMs,
    until: null,
  };
  const record = signed(purposes.device, { space, ...one }, by.secret);
  await carrier.put(deviceName(device), await encrypt(record, [epochOf(state).recipient]));
  return { ...state, devices: [...state.devices, one] };
}

/** Reads who belongs to the space now, and new keys. Never unlearns anybody because the carrier says nothing of him. */
export const refreshSpace = (
  carrier: Carrier,
  given: SpaceState,
  identities: readonly string[] = [given.own.identity],
): Promise<SpaceState> =>
  settled(given, async (before) => {
    const state = await withNewcomers(carrier, "devices", before, (one) =>
      readDevice(carrier, before, one),
    );
    // A device of the space made them when it removed another.
    const keyOf = ({ by }: Value): string | null =>
      state.devices.find((one) => one.device === by && one.until === null)?.verify ?? null;
    const read = (n: number): Promise<Value | null> => readKeys(carrier, n, identities, keyOf);
    return withNewKeys(carrier, state, read, lostKeys);
  });

const lostKeys = (): SpaceFailure =>
  new SpaceFailure(
    "the keys of the space were changed, and this device cannot read the new ones",
    "if it was removed, join again with the recovery key; else the file may not be complete yet: try later",
  );

/** Records of machines that cannot be used, each in a line for a person; `all`: also of those that are known. */
export async function damagedDevices(
  carrier: Carrier,
  state: SpaceState,
  all: boolean,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const there = new Set<string>();
  for await (const name of namesIn(carrier, "devices/")) {
    const device = memberIn("devices", name);
    if (device === undefined) continue;
    there.add(device);
    const known = state.devices.find((one) => one.device === device);
    if (known !== undefined && !all) continue;
    const read = await readDevice(carrier, state, device);
    if (read === null || (known !== undefined && read.verify !== known.verify))
      problems.push(
        `${name}: the record of a machine is damaged or not complete (yet): ${
          known === undefined ? "what it says is not read here" : `it is that of ${known.name}`
        }`,
      );
  }
  if (all)
    for (const { device, name } of state.devices)
      if (!there.has(device))
        problems.push(`${deviceName(device)}: the record of ${name} is missing`);
  return problems;
}

async function readDevice(
  carrier: Carrier,
  state: SpaceState,
  device: string,
): Promise<KnownDevice | null> {
  const value = await signedAt(carrier, deviceName(device), identitiesOf(state), {
    purpose: purposes.device,
    keyOf: () => state.admin,
  });
  if (value?.["space"] !== state.space || value["device"] !== device) return null;
  return deviceFrom(device, value["name"], value);
}

async function readKeys(
  carrier: Carrier,
  n: number,
  identities: readonly string[],
  keyOf: (value: Value) => string | null,
): Promise<Value | null> {
  const value = await signedAt(carrier, keysName(n), identities, { purpose: purposes.keys, keyOf });
  return value?.["epoch"] === n ? value : null;
}

/** New keys that the removed device does not get. What it wrote up to now stays. */
export async function removeDevice(
  carrier: Carrier,
  state: SpaceState,
  removed: { readonly device: string; readonly heads: readonly SyncHead[] },
): Promise<SpaceState> {
  const until = removed.heads.find(({ device }) => device === removed.device)?.seq ?? 0;
  const staying = state.devices.filter(
    ({ device, until: end }) => end === null && device !== removed.device,
  );
  const { n, identity } = await newEpoch(epochOf(state).n + 1);
  const keys = {
    epoch: n,
    identity,
    salt: state.salt,
    removed: { [removed.device]: until },
    by: state.device,
  };
  const record = signed(purposes.keys, keys, state.sign.secret);
  const recipients = [state.recovery, ...staying.map(({ recipient }) => recipient)];
  if ((await carrier.put(keysName(n), await encrypt(record, recipients))) === "exists")
    throw new SpaceFailure("another device changed the keys just now", "try it again");
  return refreshSpace(carrier, state);
}

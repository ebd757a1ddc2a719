/**
 * Members of a shared space and its keys, as the devices of a person (space.ts) and the people of a team
 * (hub-members.ts) have them alike: records are encrypted to the members and signed, and whoever removes one takes new
 * keys with the others. Which signature counts is for those two to say.
 */
import { namesIn, type Carrier } from "./carrier.ts";
import {
  decrypt,
  newKeyPair,
  openSigned,
  recipientOf,
  type KeyPair,
  type SigningPair,
} from "./segment.ts";

export interface KnownDevice {
  readonly device: string;
  readonly name: string;
  readonly recipient: string;
  /** Its signing key. */
  readonly verify: string;
  readonly at: number;
  /** The last segment that counts, once it was removed; null = it belongs to the space. */
  readonly until: number | null;
}

export interface Epoch extends KeyPair {
  readonly n: number;
}

/** The access for reading and writing segments: who writes, who counts, and the keys. */
export interface SharedSpace {
  readonly space: string;
  readonly device: string;
  readonly sign: SigningPair;
  readonly epochs: readonly Epoch[];
  readonly devices: readonly KnownDevice[];
}

/** Says a fault of a space or team to a person. */
export class SpaceFailure extends Error {
  readonly next: string;

  constructor(message: string, next: string) {
    super(message);
    this.next = next;
  }
}

export type Value = Readonly<Record<string, unknown>>;

export const keysName = (epoch: number): string => `keys/${epoch.toString().padStart(4, "0")}.age`;

export function epochOf({ epochs }: { readonly epochs: readonly Epoch[] }): Epoch {
  const last = epochs.at(-1);
  if (last === undefined) throw new SpaceFailure("this device has no key", "join the space again");
  return last;
}

export const identitiesOf = ({ epochs }: SharedSpace): readonly string[] =>
  epochs.map(({ identity }) => identity);

/** The value of a record that `keyOf` it has signed; null when it is not there, or for nobody of these. */
export async function signedAt(
  carrier: Carrier,
  name: string,
  identities: readonly string[],
  { purpose, keyOf }: { readonly purpose: string; readonly keyOf: (value: Value) => string | null },
): Promise<Value | null> {
  const bytes = await carrier.get(name);
  const plain = bytes === null ? null : await decrypt(bytes, identities);
  return plain === null ? null : openSigned(purpose, plain, keyOf);
}

export const deviceFrom = (device: string, name: unknown, value: Value): KnownDevice => ({
  device,
  name: String(name).slice(0, 100),
  recipient: String(value["recipient"]),
  verify: String(value["verify"]),
  at: Number(value["at"]),
  until: null,
});

export const newEpoch = async (n: number): Promise<Epoch> => ({ n, ...(await newKeyPair()) });

export async function epochFrom(n: number, value: Value): Promise<Epoch> {
  const identity = String(value["identity"]);
  return { n, identity, recipient: await recipientOf(identity) };
}

/** With the keys of a record, and without the devices that it removes. */
async function withEpoch<State extends SharedSpace>(
  state: State,
  n: number,
  value: Value,
): Promise<State> {
  const removed = value["removed"] as Readonly<Record<string, number>>;
  return {
    ...state,
    epochs: [...state.epochs, await epochFrom(n, value)],
    devices: state.devices.map((one) =>
      Object.hasOwn(removed, one.device) && one.until === null
        ? { ...one, until: removed[one.device] ?? 0 }
        : one,
    ),
  };
}

/** Repeats a step until it changes nothing. */
export async function settled<State>(
  given: State,
  step: (state: State) => Promise<State>,
): Promise<State> {
  let state = given;
  for (let before: State | null = null; before !== state;) {
    before = state;
    state = await step(state);
  }
  return state;
}

/** With members that this home does not know yet, whose records `read` finds sound. */
export async function withNewcomers<State extends SharedSpace>(
  carrier: Carrier,
  folder: "devices" | "members",
  state: State,
  read: (member: string) => Promise<KnownDevice | null>,
): Promise<State> {
  const found: KnownDevice[] = [];
  for await (const name of namesIn(carrier, `${folder}/`)) {
    const member = memberIn(folder, name);
    if (member === undefined || state.devices.some(({ device }) => device === member)) continue;
    const one = await read(member);
    if (one !== null) found.push(one);
  }
  return found.length === 0 ? state : { ...state, devices: [...state.devices, ...found] };
}

/** The member whose record a name is of. */
export const memberIn = (folder: string, name: string): string | undefined =>
  new RegExp(`^${folder}/([0-9a-f]{8})\\.age$`).exec(name)?.[1];

/** With the next keys, once somebody made them: `read` gives their record if its signature counts. */
export async function withNewKeys<State extends SharedSpace>(
  carrier: Carrier,
  state: State,
  read: (n: number) => Promise<Value | null>,
  unreadable: () => SpaceFailure,
): Promise<State> {
  const n = epochOf(state).n + 1;
  const value = await read(n);
  if (value !== null) return withEpoch(state, n, value);
  if ((await carrier.get(keysName(n))) === null) return state;
  throw unreadable();
}

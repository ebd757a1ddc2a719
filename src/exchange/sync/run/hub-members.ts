/**
 * Keeps the members of a team, and the keys of its segments. Whoever made the team admits members
 * and removes them: all that says so is signed with his key, and each member's own keys by the key
 * of his invitation.
 */
import type { NamedProject, SyncHead } from "#domain";
import { type Carrier, namesIn } from "./carrier.ts";
import { encrypt, type KeyPair, openSigned, signed } from "./segment.ts";
import {
  deviceFrom,
  epochOf,
  identitiesOf,
  keysName,
  type KnownDevice,
  newEpoch,
  settled,
  type SharedSpace,
  signedAt,
  SpaceFailure,
  type Value,
  withNewcomers,
  withNewKeys,
} from "./membership.ts";

interface Invited {
  readonly member: string;
  readonly name: string;
  readonly recipient: string;
}

interface Team extends SharedSpace {
  readonly own: KeyPair;
  /** The key of whoever made the team, and its secret where it is this home. */
  readonly admin: string;
  readonly adminSecret: string | null;
  readonly invited: readonly Invited[];
  /** Members who said that they left. */
  readonly left: readonly string[];
}

const purposes = {
  admission: "continuity team admission",
  invitation: "continuity team invitation",
  member: "continuity team member",
  keys: "continuity team keys",
  left: "continuity team left",
};
const memberName = (member: string): string => `members/${member}.age`;
const leftName = (member: string): string => `left/${member}.age`;
const invitationName = (member: string): string => `invitations/${member}.age`;

/** `writeInvitation` encrypts an invitation to its guest: that it admits, and the keys up to now. */
export async function writeInvitation(
  carrier: Carrier,
  { space, adminSecret, epochs }: Team,
  of: { readonly member: string; readonly name: string } & Guest,
): Promise<void> {
  const { member, name } = of;
  const secret = adminSecret ?? "";
  const admission = signed(purposes.admission, { space, member, name, verify: of.verify }, secret);
  const value = { space, member, admission: Buffer.from(admission).toString("base64"), epochs };
  const record = signed(purposes.invitation, value, secret);
  await carrier.put(invitationName(member), await encrypt(record, [of.recipient]));
}

interface Guest {
  /** The public parts of the key that an invitation signs with, and of the one that it reads with. */
  readonly verify: string;
  readonly recipient: string;
}

/** Null when it is not there, or not whoever made the team wrote it. */
export async function readInvitation(
  carrier: Carrier,
  of: { readonly space: string; readonly member: string; readonly admin: string },
  identity: string,
): Promise<{ readonly admission: string; readonly epochs: Team["epochs"] } | null> {
  const value = await signedAt(carrier, invitationName(of.member), [identity], {
    purpose: purposes.invitation,
    keyOf: () => of.admin,
  });
  if (value?.["space"] !== of.space || value["member"] !== of.member) return null;
  return { admission: String(value["admission"]), epochs: value["epochs"] as Team["epochs"] };
}

/** The member's own keys, signed with those of his invitation. The first one that comes with it counts. */
export async function writeMember(
  carrier: Carrier,
  team: Team,
  by: { readonly admission: string; readonly secret: string; readonly nowMs: number },
): Promise<"created" | "exists"> {
  const { own, sign, device } = team;
  const { admission, nowMs } = by;
  const value = { admission, recipient: own.recipient, verify: sign.verify, at: nowMs };
  const record = signed(purposes.member, value, by.secret);
  return carrier.put(memberName(device), await encrypt(record, [epochOf(team).recipient]));
}

/** Members and keys as they are now. `identities` read keys that were made before this member had his own. */
export async function refreshTeam<One extends Team>(
  carrier: Carrier,
  given: One,
  identities: readonly string[],
): Promise<One> {
  const team = await settled(given, async (before) => {
    const now = await withNewcomers(carrier, "members", before, (one) =>
      readMember(carrier, before, one),
    );
    const isHere = ({ member }: Invited): boolean =>
      now.devices.some(({ device }) => device === member);
    const known =
      now === before ? now : { ...now, invited: now.invited.filter((one) => !isHere(one)) };
    return withNewKeys(carrier, known, (n) => readKeys(carrier, known, n, identities), lostKeys);
  });
  return withLeavers(carrier, team);
}

const lostKeys = (): SpaceFailure =>
  new SpaceFailure(
    "the keys of the team were changed, and this machine cannot read the new ones",
    "ask the person who made the team whether you still belong to it",
  );

async function readKeys(
  carrier: Carrier,
  { admin, own, space }: Team,
  n: number,
  identities: readonly string[],
): Promise<Value | null> {
  const value = await signedAt(carrier, keysName(n), [own.identity, ...identities], {
    purpose: purposes.keys,
    keyOf: () => admin,
  });
  return value?.["space"] === space && value["epoch"] === n ? value : null;
}

async function readMember(
  carrier: Carrier,
  team: Team,
  member: string,
): Promise<KnownDevice | null> {
  const { space, admin } = team;
  let admitted: Value | null = null;
  const value = await signedAt(carrier, memberName(member), identitiesOf(team), {
    purpose: purposes.member,
    keyOf: ({ admission }) => {
      const bytes = Buffer.from(String(admission), "base64");
      admitted = openSigned(purposes.admission, bytes, () => admin);
      return admitted === null ? null : String(admitted["verify"]);
    },
  });
  const admission = admitted as Value | null;
  if (admission?.["space"] !== space || admission["member"] !== member) return null;
  return value === null ? null : deviceFrom(member, admission["name"], value);
}

export async function writeLeft(carrier: Carrier, team: Team): Promise<void> {
  const { space, device, sign } = team;
  const record = signed(purposes.left, { space, member: device }, sign.secret);
  await carrier.put(leftName(device), await encrypt(record, [epochOf(team).recipient]));
}

async function withLeavers<One extends Team>(carrier: Carrier, team: One): Promise<One> {
  const { devices, space } = team;
  const left: string[] = [...team.left];
  for await (const name of namesIn(carrier, "left/")) {
    const one = devices.find(({ device }) => leftName(device) === name && !left.includes(device));
    if (one === undefined) continue;
    const value = await signedAt(carrier, name, identitiesOf(team), {
      purpose: purposes.left,
      keyOf: () => one.verify,
    });
    if (value?.["space"] === space && value["member"] === one.device) left.push(one.device);
  }
  return left.length === team.left.length ? team : { ...team, left };
}

/** New keys, which the removed member does not get. What he wrote up to `until` stays readable. */
export async function rotate(
  carrier: Carrier,
  team: Team,
  removed: { readonly member: string; readonly until: number },
): Promise<void> {
  const { identity, n } = await newEpoch(epochOf(team).n + 1);
  const { space } = team;
  const keys = { space, epoch: n, identity, removed: { [removed.member]: removed.until } };
  const staying = [
    ...team.devices.filter(({ until, device }) => until === null && device !== removed.member),
    ...team.invited.filter(({ member }) => member !== removed.member),
  ];
  const record = signed(purposes.keys, keys, team.adminSecret ?? "");
  const recipients = staying.map(({ recipient }) => recipient);
  if ((await carrier.put(keysName(n), await encrypt(record, recipients))) === "exists")
    throw new SpaceFailure("the keys were changed just now", "try it again");
}

// Declares a home's state of a team, and the ports to what is shared in it.

/** A home's state of a team, in a file of its own (0600). */
export interface TeamState extends Team {
  readonly v: 1;
  readonly url: string;
  readonly access: Readonly<Record<string, string>>;
  readonly project: NamedProject;
  /** The secret key of the invitation: reads keys that were made before the others knew this member's own. */
  readonly guest: string;
  /** A password that may be set already, after a crash. */
  readonly nextPassword: string | null;
  readonly heads: readonly SyncHead[];
  /** The position up to which the outbox was written. */
  readonly cursor: number;
  /** Members of whom the inbox knows that they are gone. */
  readonly withdrawn: readonly string[];
}

/** The local half: what is shared, and what arrives. */
export interface TeamPort {
  readonly since: (
    project: string,
    cursor: number,
    limit: number,
  ) => Promise<{
    readonly items: readonly unknown[];
    readonly cursor: number;
    /** Without items: not everything was looked at yet. */
    readonly more: boolean;
  }>;
  readonly accept: (
    from: { readonly member: string; readonly name: string },
    project: string,
    items: readonly unknown[],
  ) => Promise<void>;
  readonly withdraw: (member: string, project: string) => Promise<void>;
}

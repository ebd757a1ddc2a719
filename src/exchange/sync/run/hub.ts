/**
 * A team of one project over PostgreSQL: its members share a log like the devices of a person do. Each member logs in
 * with a role of his own, which the database gives this team's rows and no others; what they hold only members read.
 */
import type { NamedProject, SyncHead, SyncReport } from "#domain";
import type { Random } from "#kit";
import { CarrierFailure, type Carrier } from "./carrier.ts";
import { newKeyPair, newSigningPair, recipientOf, signingPairOf } from "./segment.ts";
import { exchange, type Peer } from "./exchange.ts";
import {
  readInvitation,
  refreshTeam,
  rotate,
  type TeamPort,
  type TeamState,
  writeInvitation,
  writeLeft,
  writeMember,
} from "./hub-members.ts";
import { addRole, changePassword, dropRole, newPassword } from "./postgres-client.ts";
import { splitAddress } from "./open.ts";
import { openPostgres } from "./postgres.ts";
import { newEpoch, SpaceFailure } from "./membership.ts";

export type { TeamPort, TeamState } from "./hub-members.ts";

export type Save = (state: TeamState) => void;

/** The part of a database that the team's rows are in. */
function placed(url: string, space: string): string {
  const address = URL.parse(url);
  if (address === null || !/^postgres(?:ql)?:$/.test(address.protocol))
    throw new CarrierFailure(
      "a team needs a PostgreSQL database",
      "write postgres://user@host/database",
    );
  address.searchParams.set("space", space);
  return address.href;
}

/** Whoever makes the team keeps the key that admits and removes members. */
export async function createTeam(
  of: {
    readonly url: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly project: NamedProject;
    readonly name: string;
    readonly nowMs: number;
    readonly random: Random;
  },
  save: Save,
): Promise<TeamState> {
  const space = of.random.hex(32);
  const split = splitAddress(of.url, of.env);
  const place = { url: placed(split.url, space), access: split.access };
  const admin = newSigningPair();
  const guest = (await newKeyPair()).identity;
  const state: TeamState = {
    ...(await newState({ ...of, ...place, space, guest, member: of.random.hex(8) })),
    admin: admin.verify,
    adminSecret: admin.secret,
    epochs: [await newEpoch(1)],
  };
  await using carrier = await openPostgres(place);
  await writeInvitation(carrier, state, {
    member: state.device,
    name: of.name,
    ...(await guestKeys(guest)),
  });
  return await settle(carrier, state, of.nowMs, save);
}

const newState = async (
  of: Pick<TeamState, "access" | "guest" | "project" | "space" | "url"> & {
    readonly member: string;
  },
): Promise<Omit<TeamState, "admin" | "epochs">> => ({
  v: 1,
  url: of.url,
  access: of.access,
  project: of.project,
  space: of.space,
  device: of.member,
  guest: of.guest,
  own: await newKeyPair(),
  sign: newSigningPair(),
  adminSecret: null,
  nextPassword: null,
  devices: [],
  invited: [],
  left: [],
  withdrawn: [],
  heads: [],
  cursor: 0,
});

const guestKeys = async (
  identity: string,
): Promise<{ readonly verify: string; readonly recipient: string }> => ({
  verify: signingPairOf(identity).verify,
  recipient: await recipientOf(identity),
});

/** Makes this home the member that its invitation is for. What was done before a crash is not done again. */
async function settle(
  carrier: Carrier,
  state: TeamState,
  nowMs: number,
  save: Save,
): Promise<TeamState> {
  const { guest, device, sign } = state;
  const invitation = await readInvitation(carrier, { ...state, member: device }, guest);
  if (invitation === null)
    throw new SpaceFailure("this invitation is not there any more", "ask for a new one");
  const { secret } = signingPairOf(guest);
  const team = { ...state, epochs: state.epochs.length > 0 ? state.epochs : invitation.epochs };
  const known = await refreshTeam(carrier, team, [guest]);
  const isIn = (one: TeamState): boolean =>
    one.devices.some(({ verify }) => verify === sign.verify);
  if (!isIn(known)) await writeMember(carrier, known, { ...invitation, secret, nowMs });
  const next = await refreshTeam(carrier, known, [guest]);
  if (!isIn(next)) throw new SpaceFailure("this invitation was used already", "ask for a new one");
  save(next);
  return next;
}

const secretStart = "continuity-team-";

/** Address, password, space, member, key, key of the maker, project and name. */
type Secret = Readonly<Record<"a" | "k" | "m" | "n" | "p" | "s" | "u", string>> & {
  readonly j: NamedProject;
};

/** A single string that admits one person, once. It is not kept. */
export async function inviteMember(
  state: TeamState,
  of: { readonly name: string; readonly random: Random },
  save: Save,
): Promise<string> {
  demandAdmin(state);
  if (named(state, of.name).length > 0)
    throw new SpaceFailure(`there is a member called ${of.name} already`, "take another name");
  const guest = (await newKeyPair()).identity;
  const member = of.random.hex(8);
  const keys = await guestKeys(guest);
  return overTeam(state, save, async (carrier, team) => {
    // Noted first: a role that nobody knows of could not be removed.
    const next = {
      ...team,
      invited: [...team.invited, { member, name: of.name, recipient: keys.recipient }],
    };
    save(next);
    const role = await addRole(next, member);
    await writeInvitation(carrier, next, { member, name: of.name, ...keys });
    const secret: Secret = {
      u: role.url,
      p: role.password,
      s: team.space,
      m: member,
      k: guest,
      a: team.admin,
      j: team.project,
      n: of.name,
    };
    return secretStart + Buffer.from(JSON.stringify(secret)).toString("base64url");
  });
}

function readSecret(text: string): Secret {
  try {
    const json = Buffer.from(text.trim().slice(secretStart.length), "base64url").toString();
    const secret = JSON.parse(json) as Secret;
    const parts = [secret.u, secret.p, secret.s, secret.m, secret.k, secret.a, secret.j.key];
    if (text.trim().startsWith(secretStart) && parts.every((part) => typeof part === "string"))
      return secret;
  } catch {
    // Said below.
  }
  throw new SpaceFailure("this is no invitation", "give the whole line that `team invite` showed");
}

/** `known`: teams that this home has begun to join or belongs to. */
export async function joinTeam(
  text: string,
  of: { readonly known: readonly TeamState[]; readonly nowMs: number },
  save: Save,
): Promise<TeamState> {
  const secret = readSecret(text);
  const { u: url, s: space, m: member, k: guest, a: admin, j: project } = secret;
  const before = of.known.find((one) => one.space === space);
  if (before !== undefined && before.device !== member)
    throw new SpaceFailure(
      "this machine belongs to the team already",
      "see `continuity team members`",
    );
  const place = { url, access: { PGPASSWORD: secret.p } };
  const state: TeamState = before ?? {
    ...(await newState({ ...place, project, space, member, guest })),
    admin,
    epochs: [],
  };
  try {
    await using carrier = await openPostgres(before === undefined ? place : state);
    await renewPassword(await settle(carrier, state, of.nowMs, save), save);
  } catch (error) {
    if (!(error instanceof CarrierFailure) || !error.isRefused) throw error;
    throw new SpaceFailure("this invitation was used already, or withdrawn", "ask for a new one");
  }
  return state;
}

async function renewPassword(state: TeamState, save: Save): Promise<void> {
  const password = state.nextPassword ?? newPassword();
  save({ ...state, nextPassword: password });
  await changePassword(state, password);
  save({ ...state, access: { ...state.access, PGPASSWORD: password }, nextPassword: null });
}

const isAdmin = ({ adminSecret }: TeamState): boolean => adminSecret !== null;

function demandAdmin(state: TeamState): void {
  if (!isAdmin(state))
    throw new SpaceFailure(
      "only the person who made the team invites and removes members",
      "ask him, or see `continuity team members`",
    );
}

/** With what the team is now; a change of a password that a crash cut off is ended. */
async function overTeam<Value>(
  given: TeamState,
  save: Save,
  work: (carrier: Carrier, state: TeamState) => Promise<Value>,
): Promise<Value> {
  let state = given;
  const run = async (): Promise<Value> => {
    await using carrier = await openPostgres(state);
    if (state.nextPassword !== null && !isAdmin(state))
      await renewPassword(state, (next) => save((state = next)));
    const team = await refreshTeam(carrier, state, [state.guest]);
    if (team !== state) save(team);
    return await work(carrier, team);
  };
  try {
    return await run();
  } catch (error) {
    const { nextPassword } = state;
    if (!(error instanceof CarrierFailure) || !error.isRefused || nextPassword === null)
      throw error;
    state = { ...state, access: { ...state.access, PGPASSWORD: nextPassword } };
    return run();
  }
}

interface Member {
  readonly member: string;
  readonly name: string;
  readonly state: "here" | "invited" | "left" | "removed";
  /** Null for who has not come yet. */
  readonly joined: number | null;
  readonly this: boolean;
}

export const membersOf = (state: TeamState, save: Save): Promise<readonly Member[]> =>
  overTeam(state, save, async (_, { devices, invited, left, device: own }) => [
    ...devices.map(({ device: member, name, at: joined, until }): Member => {
      const state = until !== null ? "removed" : left.includes(member) ? "left" : "here";
      return { member, name, state, joined, this: member === own };
    }),
    ...invited.map(({ member, name }): Member => ({
      member,
      name,
      state: "invited",
      joined: null,
      this: false,
    })),
  ]);

const named = (
  { devices, invited }: TeamState,
  given: string,
): readonly { readonly member: string; readonly name: string }[] =>
  [
    ...devices
      .filter(({ until }) => until === null)
      .map(({ device, name }) => ({ member: device, name })),
    ...invited,
  ].filter(({ member, name }) => member === given || name === given);

/** New keys first: what is written between the two he could read, but not reach. */
export const removeMember = (state: TeamState, given: string, save: Save): Promise<string> =>
  overTeam(state, save, async (carrier, team) => {
    demandAdmin(team);
    const [one, other] = named(team, given);
    if (one === undefined || other !== undefined)
      throw new SpaceFailure(
        one === undefined ? `no member is called ${given}` : `several members are called ${given}`,
        "see `continuity team members`",
      );
    if (one.member === team.device)
      throw new SpaceFailure("you made this team", "leave it with `continuity team leave`");
    await dropRole(team, one.member);
    const until = team.heads.find(({ device }) => device === one.member)?.seq ?? 0;
    await rotate(carrier, team, { member: one.member, until });
    const invited = team.invited.filter(({ member }) => member !== one.member);
    save(await refreshTeam(carrier, { ...team, invited }, [team.guest]));
    return one.name;
  });

/** Says so in the hub, and throws the password away. The caller forgets the rest. */
export const leaveTeam = (state: TeamState, save: Save): Promise<void> =>
  overTeam(state, save, async (carrier, team) => {
    await writeLeft(carrier, team);
    if (!isAdmin(team)) await changePassword(team, newPassword());
  });

/** Takes what members wrote, gives what is shared here, and withdraws what members gave who are gone. */
export const syncTeam = (given: TeamState, port: TeamPort, save: Save): Promise<SyncReport> =>
  overTeam(given, save, async (carrier, team) => {
    let state = team;
    const keep = (next: Partial<TeamState>): void => save((state = { ...state, ...next }));
    const done = await exchange(
      carrier,
      team,
      peerOf(() => state, keep, port),
    );
    const gone = state.devices
      .filter(({ device, until }) => until !== null || state.left.includes(device))
      .map(({ device }) => device)
      .filter((member) => member !== state.device && !state.withdrawn.includes(member));
    for (const member of gone) {
      await port.withdraw(member, state.project.key);
      keep({ withdrawn: [...state.withdrawn, member] });
    }
    return done;
  });

// A team as the exchange of segments sees it: what is shared here goes out, what members wrote comes in.

/** Items in one segment; the largest of them fit. */
const itemsMax = 200;

function peerOf(
  state: () => TeamState,
  keep: (next: Partial<TeamState>) => void,
  port: TeamPort,
): Peer {
  let limit = itemsMax;
  let asked = { count: 0, cursor: 0 };
  const withHead = (head: SyncHead): readonly SyncHead[] => [
    ...state().heads.filter(({ device }) => device !== head.device),
    head,
  ];
  return {
    state: async () => ({ device: state().device, heads: state().heads }),
    begin: async () => undefined,
    end: async () => undefined,
    collect: async () => {
      const { project, cursor } = state();
      const { items, cursor: next, more } = await port.since(project.key, cursor, limit);
      asked = { count: items.length, cursor: next };
      return {
        entries: items.map((item, n) => ({ id: `${n}`, json: JSON.stringify(item) })),
        more: more && items.length === 0,
      };
    },
    sent: async (ids, head) => {
      const isAll = ids.length === asked.count;
      // Some did not fit into one segment: the cursor of fewer is asked for, and they are told twice.
      limit = isAll ? itemsMax : ids.length;
      keep({ heads: withHead(head), ...(isAll ? { cursor: asked.cursor } : {}) });
    },
    apply: async (entries, head, device) => {
      const { name } = state().devices.find((one) => one.device === device) ?? { name: device };
      if (device !== state().device)
        await port.accept({ member: device, name }, state().project.key, entries);
      if (head !== null) keep({ heads: withHead(head) });
      return true;
    },
  };
}

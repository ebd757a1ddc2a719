/** Members of a team over a folder: admitted once by their invitation, and without new keys once they are removed. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Carrier, openFolder } from "./carrier.ts";
import {
  readInvitation,
  refreshTeam,
  rotate,
  type TeamState,
  writeInvitation,
  writeLeft,
  writeMember,
} from "./hub-members.ts";
import { newEpoch } from "./membership.ts";
import { newKeyPair, newSigningPair, recipientOf, signingPairOf } from "./segment.ts";

const root = mkdtempSync(join(tmpdir(), "continuity-members-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const admin = newSigningPair();

const stateOf = async (device: string): Promise<TeamState> => ({
  v: 1,
  url: "test",
  access: {},
  project: { key: "dir:/p", name: "p" },
  space: "5".repeat(32),
  device,
  guest: (await newKeyPair()).identity,
  own: await newKeyPair(),
  sign: newSigningPair(),
  admin: admin.verify,
  adminSecret: null,
  nextPassword: null,
  epochs: [],
  devices: [],
  invited: [],
  left: [],
  withdrawn: [],
  heads: [],
  cursor: 0,
});

const refreshed = (carrier: Carrier, team: TeamState): Promise<TeamState> =>
  refreshTeam(carrier, team, [team.guest]);

/** Invites somebody, who comes. Returns the state of both. */
async function invited(carrier: Carrier, maker: TeamState, guest: TeamState, name: string) {
  const { verify } = signingPairOf(guest.guest);
  const recipient = await recipientOf(guest.guest);
  await writeInvitation(carrier, maker, { member: guest.device, name, verify, recipient });
  const invitation = await readInvitation(carrier, { ...guest, member: guest.device }, guest.guest);
  const team = { ...guest, epochs: invitation?.epochs ?? [] };
  const { secret } = signingPairOf(guest.guest);
  const by = { admission: invitation?.admission ?? "", secret, nowMs: 1 };
  expect(await writeMember(carrier, team, by)).toBe("created");
  const known = {
    ...maker,
    invited: [...maker.invited, { member: guest.device, name, recipient }],
  };
  return [await refreshed(carrier, known), await refreshed(carrier, team)] as const;
}

const namesIn = ({ devices }: TeamState): readonly string[] => devices.map(({ name }) => name);

test("who was invited is a member for all, and who was removed gets no new keys", async () => {
  const carrier = openFolder(`file://${root}`);
  const start = { ...(await stateOf("a".repeat(8))), adminSecret: admin.secret };
  const alone = { ...start, epochs: [await newEpoch(1)] };
  const [maker] = await invited(carrier, alone, alone, "ana");
  const [withBen, ben] = await invited(carrier, maker, await stateOf("b".repeat(8)), "ben");
  const [withCleo, cleo] = await invited(carrier, withBen, await stateOf("c".repeat(8)), "cleo");
  expect([withCleo, cleo].map(namesIn)).toEqual([
    ["ana", "ben", "cleo"],
    ["ana", "ben", "cleo"],
  ]);
  expect(withCleo.invited).toEqual([]);
  await rotate(carrier, withCleo, { member: ben.device, until: 7 });
  const after = await refreshed(carrier, cleo);
  expect(after.epochs.map(({ n }) => n)).toEqual([1, 2]);
  expect(after.devices.map(({ until }) => until)).toEqual([null, 7, null]);
  const lost = await refreshed(carrier, ben).catch((error: unknown) => String(error));
  expect(lost).toContain("cannot read the new ones");
  await writeLeft(carrier, after);
  expect((await refreshed(carrier, withCleo)).left).toEqual([cleo.device]);
});

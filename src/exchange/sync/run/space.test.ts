/** Making a space, cut off anywhere; who belongs to it, and a folder that lies about that or was set back. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemRandom } from "#kit";
import { type Carrier, openFolder } from "./carrier.ts";
import { exchange, type Peer, verifySpace } from "./exchange.ts";
import { createSpace, damagedDevices, joinSpace, newSpace, refreshSpace } from "./space.ts";

const root = mkdtempSync(join(tmpdir(), "continuity-space-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const joining = { url: "test", name: "laptop", nowMs: 1, random: systemRandom, access: {} };

async function folder(name: string): Promise<Carrier> {
  mkdirSync(join(root, name));
  return openFolder(`file://${join(root, name)}`);
}

/** `messageOf` gives the error's message; empty when it did not. */
const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "",
    (error: unknown) => (error instanceof Error ? error.message : "unknown"),
  );

test.each([0, 1, 2, 3])(
  "a space whose making was cut off after %d files is made to its end",
  async (files) => {
    const carrier = await folder(`cut-${files}`);
    const state = await newSpace(joining);
    let left = files;
    const cut: Carrier = {
      ...carrier,
      put: async (name, bytes) => {
        if (left === 0) throw new Error("cut off");
        left -= 1;
        return carrier.put(name, bytes);
      },
    };
    const first = createSpace(cut, state, joining.nowMs);
    expect(await messageOf(first)).toBe(files < 3 ? "cut off" : "");
    const made = await createSpace(carrier, state, joining.nowMs);
    expect(made.devices.map(({ name }) => name)).toEqual(["laptop"]);
    const other = await joinSpace(carrier, { ...joining, name: "tower" }, state.recoveryKey ?? "");
    expect(other.devices.map(({ name }) => name)).toEqual(["laptop", "tower"]);
  },
);

test("a space of others is never taken over", async () => {
  const carrier = await folder("others");
  await createSpace(carrier, await newSpace(joining), joining.nowMs);
  const again = createSpace(carrier, await newSpace(joining), joining.nowMs);
  expect(await messageOf(again)).toBe("there is a space already");
});

test("two machines of one host name get two names", async () => {
  const carrier = await folder("names");
  const state = await newSpace(joining);
  await createSpace(carrier, state, joining.nowMs);
  const join2 = () => joinSpace(carrier, joining, state.recoveryKey ?? "");
  expect([(await join2()).name, (await join2()).name]).toEqual(["laptop-2", "laptop-3"]);
  expect(
    (await refreshSpace(carrier, await join2())).devices.map(({ name }) => name).toSorted(),
  ).toEqual(["laptop", "laptop-2", "laptop-3", "laptop-4"]);
});

test("the damaged record of a machine is named to who joins, and by `verify`", async () => {
  const carrier = await folder("damaged");
  const made = await createSpace(carrier, await newSpace(joining), joining.nowMs);
  const path = join(
    root,
    "damaged",
    "devices",
    readdirSync(join(root, "damaged", "devices"))[0] ?? "",
  );
  expect(await damagedDevices(carrier, made, true)).toEqual([]);
  writeFileSync(path, "half of it");
  const other = await joinSpace(carrier, { ...joining, name: "tower" }, made.recoveryKey ?? "");
  expect(other.devices.map(({ name }) => name)).toEqual(["tower"]);
  const named = `devices/${made.device}.age: the record of a machine is damaged`;
  expect(await damagedDevices(carrier, other, false)).toEqual([expect.stringContaining(named)]);
  for (const one of [made, other])
    expect((await verifySpace(carrier, one, [])).problems).toEqual([
      expect.stringContaining(named),
    ]);
  rmSync(path);
  expect((await verifySpace(carrier, made, [])).problems).toEqual([
    `devices/${made.device}.age: the record of laptop is missing`,
  ]);
});

test.each(["listed", "ahead"])(
  "a folder that was set back is reported by the sync itself (%s)",
  async (way) => {
    const carrier = await folder(`back-${way}`);
    const made = await createSpace(carrier, await newSpace(joining), joining.nowMs);
    const heads = [{ device: made.device, seq: 2, hash: "x" }];
    const peer = {
      state: async () => ({ device: made.device, heads }),
      collect: async () => ({ entries: [], more: false }),
    } as unknown as Peer;
    const through = way === "ahead" ? { ...carrier, ahead: async () => [] } : carrier;
    const problems = async () => (await exchange(through, made, peer)).problems;
    expect(await problems()).toEqual([expect.stringContaining("was set back")]);
    await carrier.put(`log/${made.device}/00000002.age`, new Uint8Array([1]));
    expect(await problems()).toEqual([]);
  },
);

/** Making a space, cut off anywhere. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemRandom } from "#kit";
import type { Carrier } from "./carrier.ts";
import { openFolder } from "./folder.ts";
import { createSpace, joinSpace, newSpace } from "./space.ts";

const root = mkdtempSync(join(tmpdir(), "continuity-space-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const joining = { url: "test", name: "laptop", nowMs: 1, random: systemRandom, access: {} };

async function folder(name: string): Promise<Carrier> {
  mkdirSync(join(root, name));
  return openFolder(`file://${join(root, name)}`);
}

/** Why it failed; empty when it did not. */
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

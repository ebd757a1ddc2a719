/** Devices that are told the same show the same, whatever the order (docs/adr/0044). */
import { expect, test } from "bun:test";
import { live } from "../../../../test/support/sync/devices.ts";

/** The long run sets it to 10,000: see docs/sync.md. */
const sequences = Number(process.env["CONTINUITY_SYNC_SEQUENCES"] ?? 30);
const first = Number(process.env["CONTINUITY_SYNC_SEED"] ?? 1);

test(
  `${sequences} random lives of devices end in the same bytes`,
  () => {
    for (let seed = first; seed < first + sequences; seed += 1) {
      const [one, ...others] = live(seed);
      for (const other of others) expect(`seed ${seed}: ${other}`).toBe(`seed ${seed}: ${one}`);
    }
  },
  sequences * 10_000,
);

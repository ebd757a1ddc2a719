/**
 * Nothing accepted is ever lost: kills the daemon at random moments under load, and compares what is left with a run
 * without kills. Ends with status 1 when anything was lost, doubled or left over.
 *
 *   bun lab/bench/soak.ts [--kills 200] [--streams 4] [--seed N] [--base EPOCH_MS]
 */
import { soak, soakBaseMs } from "../../test/support/soak.ts";
import { numberOption } from "../options.ts";

const options = {
  seed: numberOption("seed", Math.floor(Math.random() * 1_000_000)),
  kills: numberOption("kills", 200),
  streams: numberOption("streams", 4),
  baseMs: numberOption("base", soakBaseMs(Date.now())),
};
console.log(`soak: --seed ${options.seed} --base ${options.baseMs}`);
const { faults, ...figures } = await soak(options);
for (const fault of faults) console.log(`FAULT ${fault}`);
console.log(JSON.stringify({ bench: "soak", ...figures, faults: faults.length }));
process.exit(faults.length === 0 ? 0 : 1);

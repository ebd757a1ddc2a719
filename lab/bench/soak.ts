/**
 * Nothing accepted is ever lost: kills the daemon at random moments under load, and compares what is left with a run
 * without kills. Ends with status 1 when anything was lost, doubled or left over.
 *
 *   bun lab/bench/soak.ts [--kills 200] [--streams 4] [--seed N] [--base EPOCH_MS] [--json FILE]
 */
import { writeFileSync } from "node:fs";
import { soak, soakBaseMs } from "../../test/support/soak.ts";

function option(name: string, fallback: number): number {
  const at = process.argv.indexOf(name);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
}

const options = {
  seed: option("--seed", Math.floor(Math.random() * 1_000_000)),
  kills: option("--kills", 200),
  streams: option("--streams", 4),
  baseMs: option("--base", soakBaseMs(Date.now())),
};
console.log(`soak: --seed ${options.seed} --base ${options.baseMs}`);
const report = await soak({
  ...options,
  onKill: (done) => {
    if (done % 20 === 0) console.log(`${done} kills`);
  },
});
const { faults, ...figures } = report;
for (const fault of faults) console.log(`FAULT ${fault}`);
const json = JSON.stringify({ bench: "soak", ...figures, faults: faults.length });
const file = process.argv.indexOf("--json");
if (file >= 0) writeFileSync(process.argv[file + 1] ?? "soak.json", `${json}\n`);
console.log(json);
process.exit(faults.length === 0 ? 0 : 1);

/**
 * Load and soak.
 *
 *   npm run load -- hooks [--minutes 10] [--parallel 64] [--pause MS] [--seed N]   hooks of many sessions at once
 *   npm run load -- writers [--seconds 60]   eight processes that write by hooks, commands, MCP and HTTP
 *   npm run load -- year [--days 365] [--seed N]   a year of sessions under a stopped clock
 *
 * Ends with status 1 when something was lost or doubled.
 */
import { numberOption } from "../options.ts";
import { loadHooks } from "./hooks.ts";
import { loadWriters } from "./writers.ts";
import { liveYear } from "./year.ts";

const secondsPerMinute = 60;
const short = (value: number): string => value.toFixed(1);

async function hooks(): Promise<readonly string[]> {
  console.log("seconds\thooks\town MB\tresident MB\tdescriptors\tdisk MB");
  const report = await loadHooks({
    seconds: numberOption("minutes", 10) * secondsPerMinute,
    parallel: numberOption("parallel", 64),
    pauseMs: numberOption("pause", 0),
    seed: numberOption("seed", 1),
    lookEveryMs: 15_000,
    onLook: (look) =>
      console.log(
        [look.atSeconds, look.hooks, look.ownMb, look.residentMb, look.descriptors, look.diskMb]
          .map((value) => short(value))
          .join("\t"),
      ),
  });
  const { rise, stray } = report.ownMb;
  const exits = Object.entries(report.exits).map(([exit, n]) => `${exit}: ${n}`);
  console.log(
    `lost ${report.lost}, doubled ${report.doubled}, exit status of hooks: ${exits.join(", ")}`,
  );
  console.log(
    `${report.hooks} hooks, ${short(report.hooksPerSecond)} a second; own memory over the last half: ` +
      `${short(rise)} MB, stray ${short(stray)}; ${short(report.restMb)} MB when all is processed`,
  );
  return report.faults;
}

async function writers(): Promise<readonly string[]> {
  const { written, refused, faults } = await loadWriters(numberOption("seconds", 60));
  const counts = Object.entries(written).map(([way, n]) => `${way} ${n}`);
  console.log(`acknowledged: ${counts.join(", ")}; refused: ${refused}`);
  return faults;
}

async function year(): Promise<readonly string[]> {
  console.log("day\tturns\tmemories\tdisk MB\theap MB\tdescriptors");
  const { faults } = await liveYear(
    numberOption("days", 365),
    numberOption("seed", 1),
    30,
    (month) =>
      console.log(
        [
          month.day,
          month.turns,
          month.memories,
          short(month.diskMb),
          short(month.heapMb),
          month.descriptors,
        ].join("\t"),
      ),
  );
  return faults;
}

const kinds = { hooks, writers, year };
const kind = process.argv[2] ?? "";
if (!Object.hasOwn(kinds, kind)) {
  console.error(`usage: npm run load -- ${Object.keys(kinds).join("|")}`);
  process.exit(2);
}
const faults = await kinds[kind as keyof typeof kinds]();
for (const fault of faults) console.log(`FAULT ${fault}`);
console.log(faults.length === 0 ? "nothing lost, nothing doubled" : `${faults.length} faults`);
process.exit(faults.length === 0 ? 0 : 1);

/**
 * The viewer over very many memories in a real Chromium: every interaction under 100 ms, the page under 200 MB.
 *
 *   npm run bench -- viewer [memories] [sessions]      default 100000 2000; status 1 when a target is missed
 */
import { chromiumPath } from "../test/viewer/browser.ts";
import { measureScale, usual } from "../test/viewer/scale.ts";

const actMsMax = 100;
const pageBytesMax = 200_000_000;

if (chromiumPath() === null) {
  console.error("no Chromium on this machine: install it, or name it in CONTINUITY_CHROMIUM");
  process.exit(1);
}
const [memories = 100_000, sessions = 2_000] = process.argv.slice(2).map(Number);
const { acts, heapBytes, processBytes } = await measureScale({ memories, sessions });
let missed = 0;
console.log(`${memories} memories, ${sessions} sessions`);
for (const { name, ms } of acts) {
  const slow = usual(ms);
  if (slow > actMsMax) missed += 1;
  const median = [...ms].sort((a, b) => a - b)[Math.floor(ms.length / 2)] ?? 0;
  console.log(
    `${slow > actMsMax ? "✗" : "✓"} ${name.padEnd(28)} median ${median.toFixed(0).padStart(4)} ms, p95 ${slow.toFixed(0).padStart(4)} ms (${ms.length}×)`,
  );
}
const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(0)} MB`;
const held = processBytes ?? heapBytes;
if (held > pageBytesMax) missed += 1;
console.log(
  `${held > pageBytesMax ? "✗" : "✓"} the page holds ${megabytes(held)}, of it ${megabytes(heapBytes)} heap`,
);
process.exit(missed === 0 ? 0 : 1);

/**
 * The viewer over very many memories in a real Chromium: every interaction at most 60 ms, the page at most 55 KB as it is
 * loaded, and at most 200 MB as it is used.
 *
 *   npm run bench -- viewer [memories] [sessions]      default 100000 2000; status 1 when a target is missed
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildViewer } from "../../scripts/build-viewer.ts";
import { chromiumPath } from "../../test/viewer/browser.ts";
import { measureScale, usual } from "../../test/viewer/scale.ts";

const actMsMax = 60;
const pageBytesMax = 200_000_000;
const loadedBytesMax = 55_000;

if (chromiumPath() === null) {
  console.error("no Chromium on this machine: install it, or name it in CONTINUITY_CHROMIUM");
  process.exit(1);
}
const [memories = 100_000, sessions = 2_000] = process.argv.slice(2).map(Number);
const loadedBytes = await buildViewer(join(tmpdir(), `continuity-viewer-${process.pid}.bin`));
const { acts, heapBytes, processBytes } = await measureScale({ memories, sessions, times: 20 });
let missed = 0;
const say = (isMissed: boolean, text: string): void => {
  if (isMissed) missed += 1;
  console.log(`${isMissed ? "✗" : "✓"} ${text}`);
};
console.log(`${memories} memories, ${sessions} sessions`);
for (const { name, ms } of acts) {
  const slow = usual(ms);
  const median = [...ms].sort((a, b) => a - b)[Math.floor(ms.length / 2)] ?? 0;
  say(
    slow > actMsMax,
    `${name.padEnd(28)} median ${median.toFixed(0).padStart(4)} ms, p95 ${slow.toFixed(0).padStart(4)} ms (${ms.length}×)`,
  );
}
const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(0)} MB`;
const held = processBytes ?? heapBytes;
say(held > pageBytesMax, `the page holds ${megabytes(held)}, of it ${megabytes(heapBytes)} heap`);
say(loadedBytes > loadedBytesMax, `the page is ${(loadedBytes / 1_000).toFixed(1)} KB compressed`);
process.exit(missed === 0 ? 0 : 1);

/**
 * Every flow of the viewer by keys alone, over very many memories, in both themes and three sizes, with axe on each view.
 *
 *   npm run bench -- viewer-flows [memories]      default 100000; status 1 when anything is wrong
 */
import { chromiumPath } from "../../test/viewer/browser.ts";
import { askOnce, walkFlows } from "../../test/viewer/flows.ts";
import { inScaleHome } from "../../test/viewer/scale.ts";

if (chromiumPath() === null) {
  console.error("no Chromium on this machine: install it, or name it in CONTINUITY_CHROMIUM");
  process.exit(1);
}
const [memories = 100_000] = process.argv.slice(2).map(Number);
let wrong = 0;
await inScaleHome({ memories, sessions: 2_000 }, async (home) => {
  await askOnce(home);
  for (const theme of ["light", "dark"] as const)
    for (const [width, height] of [
      [360, 740],
      [768, 1_024],
      [1_440, 900],
    ] as const) {
      const { flows, faults } = await walkFlows(home, { width, height, theme, hasAxe: true });
      wrong += faults.length;
      console.log(`${faults.length === 0 ? "✓" : "✗"} ${theme} ${width}: ${flows.length} flows`);
      for (const fault of faults) console.log(`    ${fault}`);
    }
});
// The browser that the walks share would keep the process alive.
process.exit(wrong === 0 ? 0 : 1);

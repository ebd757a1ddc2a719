/**
 * Makes the context of a test's process: a home of its own, a stopped clock, the default settings,
 * nothing written to a log.
 */
import { type Context, defaultSettings, homePaths } from "#domain";
import { silentLog, stoppedClock, systemRandom } from "#kit";

export const testContext = (folder: string, nowMs: number): Context => ({
  paths: homePaths(folder),
  env: {},
  clock: stoppedClock(nowMs),
  log: silentLog,
  random: systemRandom,
  version: "1.2.3",
  settings: { current: () => defaultSettings, warnings: () => [], isKnown: () => true },
});

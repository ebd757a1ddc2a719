/** Short forms of `npm run load`. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { loadHooks } from "./hooks.ts";
import { trend } from "./process-figures.ts";
import { loadWriters } from "./writers.ts";
import { liveYear } from "./year.ts";

setDefaultTimeout(240_000);

const isLinux = process.platform === "linux";

test.skipIf(!isLinux)(
  "hooks of eight sessions at once leave everything they told, once",
  async () => {
    const options = { parallel: 8, pauseMs: 0, seed: 1, lookEveryMs: 500 };
    const report = await loadHooks({ ...options, seconds: 3 });
    expect(report.faults).toEqual([]);
    expect(report.hooks).toBeGreaterThan(8);
    expect(report.looks.length).toBeGreaterThan(0);
  },
);

test.skipIf(!isLinux)(
  "hooks, commands, MCP servers and HTTP clients write at once over a kill, and nothing acknowledged is lost",
  async () => {
    const { written, faults } = await loadWriters(3);
    expect(faults).toEqual([]);
    for (const count of Object.values(written)) expect(count).toBeGreaterThan(0);
  },
);

test("ten days of sessions leave a whole database and no work behind", async () => {
  const { months, faults } = await liveYear(10, 1, 5);
  expect(faults).toEqual([]);
  expect(months.map(({ day }) => day)).toEqual([5, 10]);
});

test("the trend of figures is what they rise by from the first to the last", () => {
  expect(trend([1, 2, 3])).toEqual({ rise: 2, stray: 0 });
  expect(trend([5, 5, 5]).rise).toBe(0);
  expect(trend([]).rise).toBe(0);
});

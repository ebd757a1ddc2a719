/** Local times and the zone of this machine, beside what the runtime says; Bun's tests run in UTC, so in a child. */
import { expect, test } from "bun:test";
import { join } from "node:path";

const moments = [
  -1, 0, 951_782_400_000, 1_772_366_459_999, 1_793_000_000_000, 4_102_444_800_000,
] as const;

const script = `
  const { isoTime, localDate, localTime, localZone, ownZone, toClock } = await import(
    ${JSON.stringify(join(import.meta.dir, "index.ts"))}
  );
  const shown = (timeZone) => new Intl.DateTimeFormat("sv-SE", { timeZone, timeStyle: "short" }).format(0);
  const moments = ${JSON.stringify(moments)};
  console.log(JSON.stringify({
    times: moments.map(localTime),
    days: moments.map(localDate),
    runtime: moments.map((ms) => isoTime(toClock(ms, null)).slice(0, 16)),
    zone: shown(localZone()),
    runtimeZone: shown(ownZone()),
  }));`;

test.each([undefined, "Asia/Kathmandu", "America/Los_Angeles"])("with TZ %s", (zone) => {
  const { TZ: _, ...env } = process.env;
  const child = Bun.spawnSync([process.execPath, "-e", script], {
    env: zone === undefined ? env : { ...env, TZ: zone },
  });
  const said = JSON.parse(child.stdout.toString());
  expect(said.times).toEqual(said.runtime);
  expect(said.days).toEqual(said.runtime.map((time: string) => time.slice(0, 10)));
  expect(said.zone).toBe(said.runtimeZone);
});

/** Machines that share a folder hear of each other, and not of themselves. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { watchSpace } from "./open.ts";

const folder = mkdtempSync(join(tmpdir(), "continuity-watch-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("what another machine writes into the folder is heard, and what this one writes is not", async () => {
  const url = pathToFileURL(folder).href;
  const write = (device: string, name: string): void => {
    mkdirSync(join(folder, "log", device), { recursive: true });
    writeFileSync(join(folder, "log", device, name), "x");
  };
  write("aa", "1.age");
  let own = 0;
  const news = Promise.withResolvers<void>();
  const stop = [
    await watchSpace({ url, access: {} }, "bb", () => (own += 1)),
    await watchSpace({ url, access: {} }, "aa", news.resolve),
  ];
  write("bb", "1.age");
  await news.promise;
  expect(own).toBe(0);
  for (const end of stop) await end?.();
});

test("a folder that is not there is looked for again", async () => {
  const gone = join(folder, "unmounted");
  const news = Promise.withResolvers<void>();
  const url = pathToFileURL(gone).href;
  const stop = await watchSpace({ url, access: {} }, "aa", news.resolve);
  mkdirSync(join(gone, "log", "bb"), { recursive: true });
  await news.promise;
  await stop?.();
});

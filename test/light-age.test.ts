/** The bundled part of `age-encryption` reads and writes what the whole library does. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as whole from "../src/exchange/sync/run/segment.ts";
import { lightAge } from "../scripts/light-age.ts";

const folder = mkdtempSync(join(tmpdir(), "continuity-age-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const outfile = join(folder, "segment.js");
const built = await Bun.build({
  entrypoints: [join(import.meta.dir, "../src/exchange/sync/run/segment.ts")],
  target: "bun",
  format: "esm",
  minify: true,
  outdir: folder,
  plugins: [lightAge],
});
const light = (await import(outfile)) as typeof whole;
const bytes = crypto.getRandomValues(new Uint8Array(200_000));

test.each([
  ["light", "whole", light, whole],
  ["whole", "light", whole, light],
  ["light", "light", light, light],
])("what the %s one encrypts, the %s one reads", async (_from, _to, from, to) => {
  const keys = await from.newKeyPair();
  const other = await to.newKeyPair();
  expect(await to.recipientOf(keys.identity)).toBe(keys.recipient);
  const sealed = await from.encrypt(bytes, [keys.recipient, other.recipient]);
  expect(await to.decrypt(sealed, [other.identity])).toEqual(bytes);
  expect(await to.decrypt(sealed, [keys.identity])).toEqual(bytes);
  const stranger = await to.newKeyPair();
  expect(await to.decrypt(sealed, [stranger.identity])).toBeNull();
  const flipped = Uint8Array.from(sealed);
  flipped[flipped.length - 5] = (flipped[flipped.length - 5] ?? 0) ^ 1;
  expect(await to.decrypt(flipped, [keys.identity])).toBeNull();
});

test("it takes a third of the room", () => {
  expect(built.success).toBe(true);
  expect(Bun.file(outfile).size).toBeLessThan(60_000);
});

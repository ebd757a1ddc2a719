import { afterEach, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { homeWarnings } from "./warnings.ts";

const folders: string[] = [];
const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "continuity-host-"));
  folders.push(path);
  return path;
};
afterEach(() => {
  for (const path of folders.splice(0)) {
    chmodSync(path, 0o700);
    rmSync(path, { recursive: true });
  }
});

test("a home that can be written, or made, is nothing to warn of, and asking makes nothing", () => {
  const root = folder();
  expect(homeWarnings(root)).toEqual([]);
  expect(homeWarnings(join(root, "not", "yet"))).toEqual([]);
  expect(existsSync(join(root, "not"))).toBe(false);
});

test.skipIf(process.getuid?.() === 0)(
  "a home that cannot be written is named, and so is the folder that keeps it from being made",
  () => {
    const root = folder();
    chmodSync(root, 0o500);
    for (const home of [root, join(root, "sub")])
      expect(homeWarnings(home).join()).toStartWith(
        `${root} cannot be written: nothing is captured`,
      );
  },
);

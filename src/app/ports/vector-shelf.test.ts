import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createVectorShelf } from "./vector-shelf.ts";

const bytes = Uint8Array.from({ length: 5_000_000 }, (_, at) => at % 251);

test("vectors lie in a file without a name, and come back once", () => {
  const root = mkdtempSync(join(tmpdir(), "shelf-"));
  try {
    const shelf = createVectorShelf({ root }, () => []);
    expect(shelf.put(bytes.subarray(0, 1_000))).toBe(false);
    if (!shelf.put(bytes)) return expect(process.platform).toBe("win32");
    expect(readdirSync(root)).toEqual([]);
    const into = new Uint8Array(bytes.length);
    expect(shelf.take(into)).toBe(true);
    expect(Buffer.from(into).equals(bytes)).toBe(true);
    expect(shelf.take(into)).toBe(false);
    expect(shelf.put(bytes)).toBe(true);
    expect(shelf.take(new Uint8Array(bytes.length + 1))).toBe(false);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test("a folder that takes no file takes no vectors", () => {
  expect(createVectorShelf({ root: "/nowhere/at-all" }, () => []).put(bytes)).toBe(false);
});

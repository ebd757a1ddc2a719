import { expect, test } from "bun:test";
import { unchangedMappings } from "./daemon.ts";

const mapping = (
  range: string,
  rights: string,
  path: string,
  facts: Record<string, number>,
): string =>
  [
    `${range} ${rights} 00000000 fe:00 5415572                   ${path}`,
    ...Object.entries(facts).map(([name, value]) => `${name}:        ${value} kB`),
  ].join("\n");
const clean = { Rss: 30_000, Anonymous: 0 };

const files = { program: "/opt/continuity", model: "/home/a/.continuity/model/words.bin" };

test("only what is as it lies in the files of program and model is given back", () => {
  const smaps = [
    mapping("1000-2000", "r-xp", "/opt/continuity", clean),
    // Installed a moment ago: the disk does not have these pages yet, the file does.
    mapping("2000-3000", "r--p", "/opt/continuity", { ...clean, Private_Dirty: 30_000 }),
    // May be written to, which only the program itself would do.
    mapping("a000-b000", "rw-p", files.model, clean),
    mapping("b000-c000", "rw-p", files.model, { ...clean, Anonymous: 4 }),
    // To be written to; relocated; of another file; small; of no file.
    mapping("3000-4000", "rw-p", "/opt/continuity", clean),
    mapping("5000-6000", "r--p", "/opt/continuity", { ...clean, Anonymous: 4 }),
    mapping("6000-7000", "r-xp", "/usr/lib/libc.so.6", clean),
    mapping("7000-8000", "r-xp", "/opt/continuity", { ...clean, Rss: 8 }),
    mapping("8000-9000", "r-xp", "", clean),
    // The system does not say: not known to be unchanged.
    mapping("9000-a000", "r-xp", "/opt/continuity", { Rss: 30_000 }),
  ].join("\n");
  expect(unchangedMappings(smaps, files)).toEqual([
    { from: 0x1000n, to: 0x2000n },
    { from: 0x2000n, to: 0x3000n },
    { from: 0xa000n, to: 0xb000n },
  ]);
  expect(unchangedMappings("", files)).toEqual([]);
});

/**
 * Memory of this process that the system may have back: garbage, what the allocator holds in reserve, and the pages of
 * the program's own file, which are read again from the system's cache when they are needed.
 */
import { readFileSync } from "node:fs";

/** Smaller mappings are not worth the call. */
const mappingKilobytesMin = 1_024;
/** MADV_DONTNEED: the next access reads the page from its file again. */
const dontNeed = 4;
const libraries = [
  "libc.so.6",
  `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`,
];

/** Collects garbage and returns what is free. Never throws. */
export function giveBack(): void {
  Bun.gc(true);
  Bun.shrink();
  void dropProgramPages();
}

/** Linux only: elsewhere the system takes such pages when it wants them. */
async function dropProgramPages(): Promise<void> {
  if (process.platform !== "linux") return;
  try {
    const mappings = unchangedMappings(readFileSync("/proc/self/smaps", "utf8"), process.execPath);
    if (mappings.length === 0) return;
    const advise = (await openAdvise()) ?? (() => 0);
    for (const { from, to } of mappings) advise(from, to - from, dontNeed);
  } catch {
    // No /proc, or not to be read: the pages stay.
  }
}

type Advise = (address: bigint, bytes: bigint, advice: number) => number;

async function openAdvise(): Promise<Advise | null> {
  const { dlopen } = await import("bun:ffi");
  const madvise = { args: ["u64", "u64", "i32"], returns: "i32" } as const;
  for (const library of libraries) {
    try {
      return dlopen(library, { madvise }).symbols.madvise;
    } catch {
      continue; // Another C library.
    }
  }
  return null;
}

interface Mapping {
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * Mappings of the program's file that are as they lie on the disk: read-only, and not a page of them written. Others
 * would lose what was written.
 */
export function unchangedMappings(smaps: string, program: string): readonly Mapping[] {
  return smaps.split(/\n(?=[0-9a-f]+-[0-9a-f]+ )/).flatMap((text) => {
    const head = /^([0-9a-f]+)-([0-9a-f]+) r-[x-]p \S+ \S+ \d+ +(\/.*)$/m.exec(text);
    if (head?.[3] !== program) return [];
    const isUnchanged =
      kilobytes(text, "Private_Dirty") === 0 && kilobytes(text, "Anonymous") === 0;
    if (!isUnchanged || kilobytes(text, "Rss") < mappingKilobytesMin) return [];
    return [{ from: BigInt(`0x${head[1] ?? "0"}`), to: BigInt(`0x${head[2] ?? "0"}`) }];
  });
}

/** The number behind a name; not a number where the system does not say. */
function kilobytes(text: string, name: string): number {
  const at = text.indexOf(`\n${name}:`);
  return at < 0 ? Number.NaN : Number.parseInt(text.slice(at + name.length + 2), 10);
}

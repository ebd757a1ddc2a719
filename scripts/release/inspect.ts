/**
 * Inspects a program without running it: for which system and processor it is, whether it carries
 * what Bun adds to its runtime, and on macOS whether its ad-hoc signature fits its bytes (an arm64
 * Mac kills what is not signed).
 */
import { signatureState } from "./mach-o.ts";

export interface Inspection {
  readonly os: "linux" | "darwin" | "windows";
  readonly arch: "x64" | "arm64";
  /** Path of the loader a Linux program asks for; null elsewhere. */
  readonly loader: string | null;
  /** macOS: the hash of every page was compared with the signature's. Null where there is none and none is needed. */
  readonly signature: "fits" | null;
}

/** Throws with a sentence when the bytes are no program that could start. */
export function inspectProgram(bytes: Uint8Array): Inspection {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const magic = view.getUint32(0, false);
  if (magic === 0x7f454c46) return inspectElf(bytes, view);
  if (magic === 0xcffaedfe) return inspectMachO(bytes, view);
  if (magic >>> 16 === 0x4d5a) return inspectPe(view);
  throw new Error("it is neither an ELF, a Mach-O nor a PE file");
}

const archOf = (machine: number, table: Readonly<Record<number, "x64" | "arm64">>) => {
  const arch = table[machine];
  if (arch === undefined) throw new Error(`it is for a machine of type ${machine}`);
  return arch;
};

function inspectElf(bytes: Uint8Array, view: DataView): Inspection {
  const arch = archOf(view.getUint16(18, true), { 62: "x64", 183: "arm64" });
  const headers = Number(view.getBigUint64(32, true));
  const entryBytes = view.getUint16(54, true);
  const interpreter = 3;
  for (let at = headers; at < headers + view.getUint16(56, true) * entryBytes; at += entryBytes) {
    if (view.getUint32(at, true) !== interpreter) continue;
    const from = Number(view.getBigUint64(at + 8, true));
    const length = Number(view.getBigUint64(at + 32, true));
    const loader = new TextDecoder().decode(bytes.subarray(from, from + length - 1));
    return { os: "linux", arch, loader, signature: null };
  }
  throw new Error("it names no loader");
}

function inspectPe(view: DataView): Inspection {
  const at = view.getUint32(0x3c, true);
  if (view.getUint32(at, true) !== 0x4550) throw new Error("it has no PE header");
  const arch = archOf(view.getUint16(at + 4, true), { 0x8664: "x64", 0xaa64: "arm64" });
  return { os: "windows", arch, loader: null, signature: null };
}

function inspectMachO(bytes: Uint8Array, view: DataView): Inspection {
  const arch = archOf(view.getUint32(4, true), { 0x1000007: "x64", 0x100000c: "arm64" });
  const state = signatureState(bytes);
  if (state === "does not fit")
    throw new Error("its signature does not fit, and macOS would kill it");
  if (state === "none" && arch === "arm64")
    throw new Error("it is not signed, and no arm64 Mac runs such a program");
  return { os: "darwin", arch, loader: null, signature: state === "fits" ? "fits" : null };
}

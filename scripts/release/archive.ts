/**
 * Archives whose bytes depend on their contents alone: a tar (ustar, gzip) and a zip with fixed times, owners and
 * order. Bun's own archives carry the time of packing and no executable bit.
 */
import { deflateRawSync } from "node:zlib";

export interface PackedFile {
  /** Path in the archive, ASCII, at most 100 characters. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
}

const blockBytes = 512;
/** 1980-01-01, the oldest time that a zip can hold; tar gets the same. Seconds since 1970. */
const packedAtSeconds = 315_532_800;
/** Level 9 takes twice as long for a hundredth less. */
const level = 6;

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Bytes of a gzipped tar. */
export function tarGz(files: readonly PackedFile[]): Uint8Array<ArrayBuffer> {
  const parts = files.flatMap((file) => [
    tarHeader(file),
    file.bytes,
    new Uint8Array((blockBytes - (file.bytes.length % blockBytes)) % blockBytes),
  ]);
  return Bun.gzipSync(joined([...parts, new Uint8Array(2 * blockBytes)]), { level });
}

function tarHeader({ path, bytes, isExecutable }: PackedFile): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(blockBytes);
  const put = (text: string, at: number): void => header.set(encode(text), at);
  const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, "0");
  put(path, 0);
  put(`${octal(isExecutable ? 0o755 : 0o644, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100);
  put(`${octal(bytes.length, 11)} ${octal(packedAtSeconds, 11)} `, 124);
  put("        0", 148); // The sum is taken with blanks in its own place; then the type: a file.
  put("ustar\u000000root", 257);
  put("root", 297);
  const sum = header.reduce((total, byte) => total + byte, 0);
  put(`${octal(sum, 6)}\0 `, 148);
  return header;
}

/** Bytes of a zip. */
export function zip(files: readonly PackedFile[]): Uint8Array<ArrayBuffer> {
  const bodies: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const file of files) {
    const packed = deflateRawSync(file.bytes, { level });
    const name = encode(file.path);
    const shared = zipFields(file, packed.length);
    const local = joined([little([0x04034b50, 4]), shared, name, packed]);
    const mode = (file.isExecutable ? 0o100755 : 0o100644) * 0x10000;
    const tail = little([0, 2], [0, 2], [0, 2], [mode, 4], [at, 4]);
    // Written by a Unix (3), whose file modes are kept.
    directory.push(joined([little([0x02014b50, 4], [0x0314, 2]), shared, tail, name]));
    bodies.push(local);
    at += local.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const count = files.length;
  const end = little([0x06054b50, 4], [0, 4], [count, 2], [count, 2], [size, 4], [at, 4], [0, 2]);
  return joined([...bodies, ...directory, end]);
}

/** The fields that a file's own header and its entry in the directory have in common. */
const zipFields = ({ path, bytes }: PackedFile, packedBytes: number): Uint8Array<ArrayBuffer> =>
  little(
    [20, 2], // readable since version 2.0
    [0, 2],
    [8, 2], // deflate
    [0, 2], // 00:00:00
    [0x21, 2], // 1980-01-01
    [Bun.hash.crc32(bytes), 4],
    [packedBytes, 4],
    [bytes.length, 4],
    [encode(path).length, 2],
    [0, 2],
  );

/** Numbers and their sizes in bytes, little-endian. */
function little(
  ...numbers: readonly (readonly [value: number, bytes: 2 | 4])[]
): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(numbers.reduce((sum, [, bytes]) => sum + bytes, 0));
  const view = new DataView(out.buffer);
  let at = 0;
  for (const [value, bytes] of numbers) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  return out;
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

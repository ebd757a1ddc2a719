/**
 * Ad-hoc signatures of macOS programs: a hash of every page, by nobody. Bun signs what it builds for arm64; of an x64
 * program it keeps the runtime's own signature, which no longer fits, and macOS kills a program whose pages do not fit.
 *
 * Numbers in a Mach-O file are little-endian, those in its signature big-endian.
 */

interface CodeSignature {
  /** The offset of the load command. */
  readonly commandAt: number;
  /** The offset of the signature; everything before it is signed. */
  readonly from: number;
}

const signatureCommand = 0x1d;
const segmentCommand = 0x19;
const superBlobMagic = 0xfade0cc0;
const codeDirectoryMagic = 0xfade0c02;
const superBlobBytes = 20;
const directoryHeaderBytes = 88;
const pageBytes = 4_096;
const hashBytes = 32;
const identifier = "continuity\0";

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const hashOf = (page: Uint8Array): Uint8Array =>
  new Bun.CryptoHasher("sha256").update(page).digest();

function* commandsOf(view: DataView): Generator<{ readonly at: number; readonly type: number }> {
  let at = 32;
  for (let left = view.getUint32(16, true); left > 0; left -= 1) {
    yield { at, type: view.getUint32(at, true) };
    at += view.getUint32(at + 4, true);
  }
}

function signatureOf(view: DataView): CodeSignature | null {
  for (const { at, type } of commandsOf(view))
    if (type === signatureCommand) return { commandAt: at, from: view.getUint32(at + 8, true) };
  return null;
}

/** `fits`: every page has the hash that was signed. Throws when the signature cannot be read. */
export function signatureState(program: Uint8Array): "none" | "fits" | "does not fit" {
  const found = signatureOf(viewOf(program));
  if (found === null) return "none";
  const blob = program.subarray(found.from);
  const view = viewOf(blob);
  const at = codeDirectoryAt(view);
  const hashesAt = at + view.getUint32(at + 16);
  const limit = view.getUint32(at + 32);
  const isKnown = view.getUint8(at + 37) === 2 && 2 ** view.getUint8(at + 39) === pageBytes;
  if (!isKnown) throw new Error("its signature is of a kind that is not known here");
  if (limit !== found.from) return "does not fit";
  const pages = pagesOf(program.subarray(0, limit));
  const fits = pages.every((page, index) => {
    const from = hashesAt + index * hashBytes;
    return Buffer.from(hashOf(page)).equals(blob.subarray(from, from + hashBytes));
  });
  return fits ? "fits" : "does not fit";
}

function codeDirectoryAt(view: DataView): number {
  if (view.getUint32(0) !== superBlobMagic) throw new Error("its signature cannot be read");
  for (let index = 0; index < view.getUint32(8); index += 1) {
    const at = view.getUint32(12 + index * 8 + 4);
    if (view.getUint32(at) === codeDirectoryMagic) return at;
  }
  throw new Error("its signature has no code directory");
}

const pagesOf = (code: Uint8Array): readonly Uint8Array[] =>
  Array.from({ length: Math.ceil(code.length / pageBytes) }, (_, index) =>
    code.subarray(index * pageBytes, (index + 1) * pageBytes),
  );

/** The same program with an ad-hoc signature in place of the one it has. Throws when it has none to replace. */
export function signedAdHoc(program: Uint8Array): Uint8Array {
  const found = signatureOf(viewOf(program));
  if (found === null) throw new Error("it has no room for a signature");
  const pageCount = Math.ceil(found.from / pageBytes);
  const directoryBytes = directoryHeaderBytes + identifier.length + pageCount * hashBytes;
  const out = new Uint8Array(found.from + superBlobBytes + directoryBytes);
  out.set(program.subarray(0, found.from));
  const view = viewOf(out);
  const text = segment(view, "__TEXT");
  announce(view, found);
  putHeaders(view, { at: found.from, pageCount, directoryBytes, textBytes: text.fileBytes });
  const identifierAt = found.from + superBlobBytes + directoryHeaderBytes;
  out.set(new TextEncoder().encode(identifier), identifierAt);
  pagesOf(out.subarray(0, found.from)).forEach((page, index) =>
    out.set(hashOf(page), identifierAt + identifier.length + index * hashBytes),
  );
  return out;
}

function segment(
  view: DataView,
  name: string,
): { readonly at: number; readonly fileBytes: number } {
  for (const { at, type } of commandsOf(view)) {
    if (type !== segmentCommand) continue;
    const label = Array.from({ length: name.length + 1 }, (_, n) => view.getUint8(at + 8 + n));
    if (String.fromCharCode(...label) === `${name}\0`)
      return { at, fileBytes: Number(view.getBigUint64(at + 48, true)) };
  }
  throw new Error(`it has no segment ${name}`);
}

/** Writes the signature's new size where the loader looks for it. */
function announce(view: DataView, { commandAt, from }: CodeSignature): void {
  view.setUint32(commandAt + 12, view.byteLength - from, true);
  const { at } = segment(view, "__LINKEDIT");
  const bytes = view.byteLength - Number(view.getBigUint64(at + 40, true));
  const memoryPage = 16_384;
  view.setBigUint64(at + 48, BigInt(bytes), true);
  view.setBigUint64(at + 32, BigInt(Math.ceil(bytes / memoryPage) * memoryPage), true);
}

interface Headers {
  /** The offset of the signature, which is also how many bytes are signed. */
  readonly at: number;
  readonly pageCount: number;
  readonly directoryBytes: number;
  /** Bytes of the segment that holds the machine code. */
  readonly textBytes: number;
}

/** A super blob with one entry, the code directory (version 2.4, flags: ad-hoc, main binary). */
function putHeaders(view: DataView, { at, pageCount, directoryBytes, textBytes }: Headers): void {
  const put = (from: number, ...numbers: readonly number[]): void =>
    numbers.forEach((value, index) => view.setUint32(from + index * 4, value));
  put(at, superBlobMagic, superBlobBytes + directoryBytes, 1, 0, superBlobBytes);
  const directory = at + superBlobBytes;
  const hashesAt = directoryHeaderBytes + identifier.length;
  put(directory, codeDirectoryMagic, directoryBytes, 0x20400, 0x2, hashesAt, directoryHeaderBytes);
  put(directory + 24, 0, pageCount, at);
  view.setUint8(directory + 36, hashBytes);
  view.setUint8(directory + 37, 2); // SHA-256
  view.setUint8(directory + 39, Math.log2(pageBytes));
  view.setBigUint64(directory + 72, BigInt(textBytes));
  view.setBigUint64(directory + 80, 1n);
}

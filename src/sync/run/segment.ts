/**
 * Segments: entries of one device, packed (zstd), signed by the device and encrypted to the space. Each names the one
 * before by its hash, and how far its device has seen the others: what is missing, old or moved does not fit.
 */
import { decrypt, encrypt, hashOf, isSignedBy, signBytes } from "./crypt.ts";

export interface SegmentHead {
  readonly v: 1;
  readonly space: string;
  readonly device: string;
  readonly seq: number;
  /** Hash of the segment before as it is carried; empty = the first. */
  readonly prev: string;
  /** How far the device had read the others. */
  readonly seen: Readonly<Record<string, readonly [seq: number, hash: string]>>;
}

export interface Segment {
  readonly head: SegmentHead;
  readonly entries: readonly unknown[];
  /** Of the encrypted bytes. */
  readonly hash: string;
}

export const segmentName = (device: string, seq: number): string =>
  `log/${device}/${seq.toString().padStart(8, "0")}.age`;

/** Null for the name of something else. */
export function segmentAt(name: string): { readonly device: string; readonly seq: number } | null {
  const [, device, seq] = /^log\/([0-9a-f]{8})\/(\d{8})\.age$/.exec(name) ?? [];
  return device === undefined || seq === undefined ? null : { device, seq: Number(seq) };
}

const purpose = new TextEncoder().encode("continuity segment 1\n");
const signatureBytes = 64;
/** Unpacked; what was signed by a device of the space does not need to be larger. */
const plainBytesMax = 64 * 1_048_576;

export async function pack(
  head: SegmentHead,
  entries: readonly string[],
  by: { readonly secret: string; readonly recipients: readonly string[] },
): Promise<Uint8Array> {
  const text = [JSON.stringify(head), ...entries].join("\n");
  const packed = Bun.zstdCompressSync(Buffer.from(text));
  const signature = signBytes(Buffer.concat([purpose, packed]), by.secret);
  return encrypt(Buffer.concat([signature, packed]), by.recipients);
}

export type Unpacked =
  | { readonly ok: true; readonly segment: Segment }
  | { readonly ok: false; readonly why: string };

const refused = (why: string): Unpacked => ({ ok: false, why });

/** Reads nothing that was not signed by the device whose name it bears. */
export async function unpack(
  bytes: Uint8Array,
  by: {
    readonly identities: readonly string[];
    readonly verify: string;
    readonly space: string;
    readonly device: string;
    readonly seq: number;
  },
): Promise<Unpacked> {
  const plain = await decrypt(bytes, by.identities);
  if (plain === null) return refused("it is damaged, incomplete, or not encrypted for this space");
  const signature = plain.subarray(0, signatureBytes);
  const packed = plain.subarray(signatureBytes);
  if (!isSignedBy(Buffer.concat([purpose, packed]), signature, by.verify))
    return refused("its device did not sign it");
  const [first = "", ...lines] = unzipped(packed)?.split("\n") ?? [];
  const head = parsed(first) as SegmentHead | null;
  if (head === null) return refused("it cannot be read");
  if (head.v !== 1) return refused("a newer version of continuity wrote it");
  if (!isSound(head)) return refused("its head is damaged");
  if (head.space !== by.space || head.device !== by.device || head.seq !== by.seq)
    return refused(`it is segment ${head.seq} of device ${head.device} under another name`);
  return { ok: true, segment: { head, entries: lines.map(parsed), hash: hashOf(bytes) } };
}

/** Its device signed it, but may be broken: what is read or shown of a head must be what it should be. */
const isSound = ({ device, seq, prev, seen }: SegmentHead): boolean =>
  [device, prev].every((one) => typeof one === "string") &&
  Number.isInteger(seq) &&
  segmentAt(segmentName(device, seq)) !== null &&
  typeof seen === "object" &&
  Object.values(seen ?? [null]).every((one) => Array.isArray(one) && Number.isInteger(one[0]));

function unzipped(packed: Uint8Array): string | null {
  try {
    const plain = Bun.zstdDecompressSync(packed);
    return plain.length > plainBytesMax ? null : new TextDecoder().decode(plain);
  } catch {
    return null;
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return null;
  }
}

/**
 * Keys and the age format, and segments: entries of one device, packed (zstd), signed by the device and encrypted to
 * the space. Each names the one before by its hash, and how far its device has seen the others: what is missing, old
 * or moved does not fit.
 */
import { parseJson } from "#kit";
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";

// Keys, signatures and the age format (https://age-encryption.org). Nothing leaves this machine unencrypted.

export interface KeyPair {
  /** `AGE-SECRET-KEY-1…` */
  readonly identity: string;
  /** `age1…` */
  readonly recipient: string;
}

export async function newKeyPair(): Promise<KeyPair> {
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

export const recipientOf = (identity: string): Promise<string> => identityToRecipient(identity);

export async function encrypt(
  bytes: Uint8Array,
  recipients: readonly string[],
): Promise<Uint8Array> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  return encrypter.encrypt(bytes);
}

/** Null when it is for none of these identities, damaged, or no age file. */
export async function decrypt(
  bytes: Uint8Array,
  identities: readonly string[],
): Promise<Uint8Array | null> {
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  try {
    return await decrypter.decrypt(bytes);
  } catch {
    return null;
  }
}

export interface SigningPair {
  /** PKCS #8, base64. */
  readonly secret: string;
  /** SPKI, base64. */
  readonly verify: string;
}

const exported = (key: KeyObject): SigningPair => ({
  secret: key.export({ type: "pkcs8", format: "der" }).toString("base64"),
  verify: createPublicKey(key).export({ type: "spki", format: "der" }).toString("base64"),
});

export const newSigningPair = (): SigningPair =>
  exported(generateKeyPairSync("ed25519").privateKey);

/** PKCS #8 of an Ed25519 key, up to its 32 bytes. */
const pkcs8Start = Buffer.from("302e020100300506032b657004220420", "hex");

/** The key that whoever has the recovery key signs with. */
export function signingPairOf(recoveryKey: string): SigningPair {
  const seed = createHash("sha256").update(`continuity admin\n${recoveryKey}`).digest();
  const der = Buffer.concat([pkcs8Start, seed]);
  return exported(createPrivateKey({ key: der, format: "der", type: "pkcs8" }));
}

export const signBytes = (bytes: Uint8Array, secret: string): Uint8Array =>
  sign(
    null,
    bytes,
    createPrivateKey({ key: Buffer.from(secret, "base64"), format: "der", type: "pkcs8" }),
  );

export function isSignedBy(bytes: Uint8Array, signature: Uint8Array, key: string): boolean {
  try {
    const spki = { key: Buffer.from(key, "base64"), format: "der", type: "spki" } as const;
    return verify(null, bytes, createPublicKey(spki), signature);
  } catch {
    return false;
  }
}

export const hashOf = (bytes: Uint8Array): string =>
  createHash("sha256").update(bytes).digest("hex");

/** A value with its signature, as bytes; keys of objects keep their order. */
export function signed(purpose: string, value: object, secret: string): Uint8Array {
  const text = JSON.stringify(value);
  const signature = Buffer.from(signBytes(Buffer.from(`${purpose}\n${text}`), secret));
  return Buffer.from(JSON.stringify({ text, signature: signature.toString("base64") }));
}

/** The value, when `keyOf` it has signed it; null otherwise. */
export function openSigned(
  purpose: string,
  bytes: Uint8Array,
  keyOf: (value: Readonly<Record<string, unknown>>) => string | null,
): Readonly<Record<string, unknown>> | null {
  try {
    const { text, signature } = JSON.parse(new TextDecoder().decode(bytes)) as {
      readonly text: string;
      readonly signature: string;
    };
    const value = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const key = keyOf(value);
    const isOurs =
      key !== null &&
      isSignedBy(Buffer.from(`${purpose}\n${text}`), Buffer.from(signature, "base64"), key);
    return isOurs ? value : null;
  } catch {
    return null;
  }
}

export interface SegmentHead {
  readonly v: 1;
  readonly space: string;
  readonly device: string;
  readonly seq: number;
  /** Hash of the segment before as it is carried; empty = the first. */
  readonly prev: string;
  /** The positions up to which the device had read the others. */
  readonly seen: Readonly<Record<string, readonly [seq: number, hash: string]>>;
}

export interface Segment {
  readonly head: SegmentHead;
  readonly entries: readonly unknown[];
  /** The hash of the encrypted bytes. */
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

/** Reads nothing that was not signed by the device whose name it bears: the segment, or why it is refused. */
export async function unpack(
  bytes: Uint8Array,
  by: {
    readonly identities: readonly string[];
    readonly verify: string;
    readonly space: string;
    readonly device: string;
    readonly seq: number;
  },
): Promise<Segment | string> {
  const plain = await decrypt(bytes, by.identities);
  if (plain === null) return "it is damaged, incomplete, or not encrypted for this space";
  const packed = plain.subarray(signatureBytes);
  if (!isSignedBy(Buffer.concat([purpose, packed]), plain.subarray(0, signatureBytes), by.verify))
    return "its device did not sign it";
  const [head = null, ...entries] = (unzipped(packed) ?? "").split("\n").map(valueOf);
  const fault = headFault(head as SegmentHead | null, by);
  return fault ?? { head: head as SegmentHead, entries, hash: hashOf(bytes) };
}

const valueOf = (line: string): unknown => parseJson(line) ?? null;

function headFault(
  head: SegmentHead | null,
  by: { readonly space: string; readonly device: string; readonly seq: number },
): string | null {
  if (head === null) return "it cannot be read";
  if (head.v !== 1) return "a newer version of continuity wrote it";
  if (!isSound(head)) return "its head is damaged";
  return head.space === by.space && head.device === by.device && head.seq === by.seq
    ? null
    : `it is segment ${head.seq} of device ${head.device} under another name`;
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

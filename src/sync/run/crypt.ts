/** Keys, signatures and the age format (https://age-encryption.org). Nothing leaves this machine unencrypted. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from "node:crypto";
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";

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

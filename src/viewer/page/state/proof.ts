/**
 * Who listens on the port. A daemon that has ended leaves its port to whoever takes it, another account of this machine
 * included. So before a secret is sent, the server shows that it knows it: it answers a random number with a keyed hash
 * that only the secret's hash gives.
 */
const nonceBytes = 16;
const idChars = 16;
const encoder = new TextEncoder();

/** Does the server know this secret? Rejects, as `fetch` does, when nobody answers. Sends nothing of the secret. */
export async function isProved(secret: string): Promise<boolean> {
  const hash = await sha256(secret);
  const id = (await sha256(hash)).slice(0, idChars);
  const nonce = hex(crypto.getRandomValues(new Uint8Array(nonceBytes)));
  const reply = await fetch("/api/ui/proof", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ id, nonce }),
  });
  const body: unknown = await reply.json().catch(() => null);
  if (!reply.ok || typeof body !== "object" || body === null || !("proof" in body)) return false;
  return body.proof === (await keyedHash(hash, `${nonce} ${location.port}`));
}

async function sha256(text: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text))));
}

async function keyedHash(key: string, text: string): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", encoder.encode(key), algorithm, false, [
    "sign",
  ]);
  return hex(new Uint8Array(await crypto.subtle.sign("HMAC", imported, encoder.encode(text))));
}

const hex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

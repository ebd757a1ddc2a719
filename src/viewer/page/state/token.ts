/**
 * Gets the page's token and keeps it. `continuity ui` opens the page with a one-time code in the
 * fragment, which no server sees and no log holds; it is exchanged once and removed from the
 * address. The token is the page's own and ends with the daemon or after some hours. It lives in
 * sessionStorage: gone with the tab, and never sent by the browser of its own accord as a cookie
 * would be. Other tabs of the viewer get it from a tab that is open.
 */
import { memoryHref } from "./router.ts";

const storageKey = "continuity.token";
const wantedKey = "continuity.wanted";
/** `continuity ui URI` names the memory to begin at. */
const codeShape = /^#code=([\w-]{8,200})(&uri=[^&]{1,2000})?$/;
/** An open tab answers at once or not at all. */
const answerMs = 300;

export const holdsCode = (hash: string): boolean => codeShape.test(hash);
export const tokenOf = (): string | null => sessionStorage.getItem(storageKey);
export const forgetToken = (): void => sessionStorage.removeItem(storageKey);

/** `wantAddress` notes where to go once the page is open: the address that was asked for without a token. */
export const wantAddress = (hash: string): void => {
  if (!holdsCode(hash) && hash.length > 2) sessionStorage.setItem(wantedKey, hash);
};

/** Exchanges the code in the address for a token, if there is one. Resolves to whether the page holds a token. */
export async function unlock(): Promise<boolean> {
  const [, code, rest = ""] = codeShape.exec(location.hash) ?? [];
  if (code === undefined) return tokenOf() !== null || (await askOtherTabs());
  // Before the request: a reload must not send a code twice, and the history must not keep it.
  const uri = new URLSearchParams(rest).get("uri");
  const wanted = uri === null ? (sessionStorage.getItem(wantedKey) ?? "#/") : memoryHref(uri);
  history.replaceState(null, "", `${location.pathname}${wanted}`);
  const token = await exchange(code);
  if (token !== null) {
    sessionStorage.setItem(storageKey, token);
    sessionStorage.removeItem(wantedKey);
    tell({ token });
  }
  return tokenOf() !== null;
}

const channel = new BroadcastChannel("continuity");
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is heard by its own origin alone
const tell = (message: "ask" | { readonly token: string }): void => channel.postMessage(message);

/** Answers other tabs while this one is open, and calls back when one of them hands over a token. */
export function shareToken(isOpen: () => boolean, onToken: () => void): void {
  channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    const token = tokenOf();
    if (isOpen() && token !== null) {
      if (data === "ask") tell({ token });
    } else if (take(data)) onToken();
  });
}

/** Resolves to whether another tab of the viewer handed over its token. */
function askOtherTabs(): Promise<boolean> {
  return new Promise((resolve) => {
    const stop = (found: boolean): void => {
      clearTimeout(timer);
      channel.removeEventListener("message", listen);
      resolve(found);
    };
    const listen = ({ data }: MessageEvent<unknown>): void => {
      if (take(data)) stop(true);
    };
    const timer = setTimeout(() => stop(false), answerMs);
    channel.addEventListener("message", listen);
    tell("ask");
  });
}

function take(data: unknown): boolean {
  if (typeof data !== "object" || data === null || !("token" in data)) return false;
  if (typeof data.token !== "string" || data.token === "") return false;
  sessionStorage.setItem(storageKey, data.token);
  // This tab is where it wants to be.
  sessionStorage.removeItem(wantedKey);
  return true;
}

async function exchange(code: string): Promise<string | null> {
  try {
    if (!(await isProved(code))) return null;
    const reply = await fetch("/api/ui/token", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
    });
    const body: unknown = await reply.json();
    const isToken = typeof body === "object" && body !== null && "token" in body;
    return reply.ok && isToken && typeof body.token === "string" ? body.token : null;
  } catch {
    return null; // Nobody answers; an older token may still be good.
  }
}

// Proof of the listener. A daemon that has ended leaves its port to whoever takes it, another account of this machine
// included. So before a secret is sent, the server shows that it knows it: it answers a random number with a keyed hash
// that only the secret's hash gives.

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

/**
 * The way into the viewer. A one-time code, asked for over the Unix socket, is exchanged for a token of the page's own:
 * never the token of the home folder. Both live in this process's memory only, as hashes, and end with it, so that
 * whoever takes over the port of a daemon that is gone holds nothing of use. Before the page sends either, it lets the
 * server prove that it knows the secret (`prove`).
 */
import { createHmac } from "node:crypto";
import { msPerHour, msPerMinute, sha256, type ClockDep, type Random } from "#kit";

const codeLifeMs = msPerMinute;
const tokenLifeMs = 12 * msPerHour;
/** Links that may be open at a time, and pages that may be in; the oldest gives way. */
const secretsMax = 8;
/** 128 bits: nobody guesses one in a minute. */
const codeChars = 32;
const tokenChars = 64;
/** Enough to tell sixteen secrets apart; says nothing about them. */
const idChars = 16;

export interface Access {
  readonly mint: () => { readonly code: string; readonly expiresAtMs: number };
  /** A token for a code: once for each, in time. Null otherwise. */
  readonly redeem: (code: string) => string | null;
  /** Was this token given to a page, in time? */
  readonly opens: (token: string) => boolean;
  /** The answer to a nonce, on this port, that takes the secret of this id. Null when there is no such secret. */
  readonly prove: (
    challenge: { readonly id: string; readonly nonce: string },
    port: number,
  ) => string | null;
  /** Ends every code and every token. */
  readonly clear: () => void;
}

/** Secrets as hashes with the time they end, by the daemon's own clock. */
function createSecrets({ clock }: ClockDep, lifeMs: number) {
  const expiryByHash = new Map<string, number>();
  const holds = (hash: string): boolean => {
    const expiresAtMs = expiryByHash.get(hash);
    const nowMs = clock.nowMs();
    // A clock that jumped back makes no secret live longer.
    return expiresAtMs !== undefined && nowMs < expiresAtMs && nowMs >= expiresAtMs - lifeMs;
  };
  return {
    add: (secret: string): number => {
      const expiresAtMs = clock.nowMs() + lifeMs;
      const [oldest] = expiryByHash.keys();
      if (expiryByHash.size >= secretsMax && oldest !== undefined) expiryByHash.delete(oldest);
      expiryByHash.set(hashOf(secret), expiresAtMs);
      return expiresAtMs;
    },
    has: (secret: string): boolean => holds(hashOf(secret)),
    drop: (secret: string): boolean => expiryByHash.delete(hashOf(secret)),
    hashOfId: (id: string): string | undefined =>
      [...expiryByHash.keys()].find((hash) => sha256(hash, idChars) === id && holds(hash)),
    clear: () => expiryByHash.clear(),
  };
}

const hashOf = (secret: string): string => sha256(secret, 64);

export function createAccess(deps: ClockDep & { readonly random: Random }): Access {
  const codes = createSecrets(deps, codeLifeMs);
  const tokens = createSecrets(deps, tokenLifeMs);
  return {
    mint: () => {
      const code = deps.random.hex(codeChars);
      return { code, expiresAtMs: codes.add(code) };
    },
    redeem: (code) => {
      const isGood = codes.has(code);
      codes.drop(code);
      if (!isGood) return null;
      const token = deps.random.hex(tokenChars);
      tokens.add(token);
      return token;
    },
    opens: tokens.has,
    prove: ({ id, nonce }, port) => {
      const hash = codes.hashOfId(id) ?? tokens.hashOfId(id);
      if (hash === undefined) return null;
      return createHmac("sha256", hash).update(`${nonce} ${port}`).digest("hex");
    },
    clear: () => {
      codes.clear();
      tokens.clear();
    },
  };
}

/**
 * The one-time link: a code that was asked for over the Unix socket opens the token to whoever shows it first within a
 * minute. So the token itself is never part of an address, which browsers keep and other processes can see.
 */
import { msPerMinute, sha256, type ClockDep, type Random } from "#kit";

const codeLifeMs = msPerMinute;
/** Links that may be open at a time; the oldest gives way. */
const codesMax = 8;
/** 128 bits: nobody guesses one in a minute. */
const codeChars = 32;

export interface Access {
  readonly mint: () => { readonly code: string; readonly expiresAtMs: number };
  /** True once for each code, in time. */
  readonly redeem: (code: string) => boolean;
}

/** Codes live in memory only, as hashes, and by the daemon's own clock. */
export function createAccess({ clock, random }: ClockDep & { readonly random: Random }): Access {
  const expiryByHash = new Map<string, number>();
  return {
    mint: () => {
      const code = random.hex(codeChars);
      const expiresAtMs = clock.nowMs() + codeLifeMs;
      const [oldest] = expiryByHash.keys();
      if (expiryByHash.size >= codesMax && oldest !== undefined) expiryByHash.delete(oldest);
      expiryByHash.set(sha256(code, 64), expiresAtMs);
      return { code, expiresAtMs };
    },
    redeem: (code) => {
      const hash = sha256(code, 64);
      const expiresAtMs = expiryByHash.get(hash);
      expiryByHash.delete(hash);
      const nowMs = clock.nowMs();
      // A clock that jumped back makes no code live longer than its minute.
      return expiresAtMs !== undefined && nowMs < expiresAtMs && nowMs >= expiresAtMs - codeLifeMs;
    },
  };
}

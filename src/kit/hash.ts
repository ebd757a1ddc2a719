/** Hashes and random ids. `Bun.CryptoHasher` is native: it costs the hook path nothing to load. */

/** Hex SHA-256, cut to `chars` (default 32 = 128 bits, far beyond accidental collision). */
export const sha256 = (text: string, chars = 32): string =>
  new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, chars);

/** Random ids behind a port, so that tests can script them. */
export interface Random {
  /** A fresh lower-case hex string of `chars` characters. */
  readonly hex: (chars: number) => string;
}

export const systemRandom: Random = {
  hex: (chars) =>
    crypto
      .getRandomValues(new Uint8Array(Math.ceil(chars / 2)))
      .toHex()
      .slice(0, chars),
};

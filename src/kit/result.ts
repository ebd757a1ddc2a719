/** A value or an expected failure the caller can act on. Failures are plain objects with a dotted `type`. */

export type Result<Value, Failure> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Failure };

export const ok = <Value>(value: Value): { readonly ok: true; readonly value: Value } => ({
  ok: true,
  value,
});

export const err = <Failure>(error: Failure): { readonly ok: false; readonly error: Failure } => ({
  ok: false,
  error,
});

// Bugs are assertions.

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}

/** Proves to the compiler that a switch is exhaustive. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}

// Hashes and random ids. `Bun.CryptoHasher` is native: it costs the hook path nothing to load.

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
    Array.from(crypto.getRandomValues(new Uint8Array(Math.ceil(chars / 2))), (byte) =>
      byte.toString(16).padStart(2, "0"),
    )
      .join("")
      .slice(0, chars),
};

// Remembers what a pure function of a text said the last times it was asked.

/** Longer texts are computed anew unless the caller says otherwise: they seldom come twice, and would be held on to. */
const longTextChars = 2_000;

/**
 * The same function, with its last `max` answers kept (about as many kilobytes). Only for functions whose answer
 * depends on the text alone and is never changed by its callers.
 */
export function memoised<Value>(
  compute: (text: string) => Value,
  max = 1_000,
  textCharsMax = longTextChars,
): (text: string) => Value {
  const known = new Map<string, { readonly value: Value }>();
  return (text) => {
    if (text.length > textCharsMax) return compute(text);
    const found = known.get(text);
    if (found !== undefined) return found.value;
    const value = compute(text);
    // The oldest goes: a Map keeps the order in which keys came.
    if (known.size >= max) known.delete(known.keys().next().value ?? "");
    known.set(text, { value });
    return value;
  };
}

// What a process that we start is given of our environment.

type Env = Readonly<Record<string, string | undefined>>;

/** What any program needs to run and to find its folders; nothing of it says what a program does with texts. */
const baseNames: ReadonlySet<string> = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "LANG",
  "LANGUAGE",
  "TZ",
  "TMPDIR",
  "XDG_RUNTIME_DIR",
  // Windows finds its own libraries and folders through these.
  "SystemRoot",
  "SYSTEMROOT",
  "USERPROFILE",
  "LOCALAPPDATA",
  "TEMP",
  "TMP",
  "PATHEXT",
  "ComSpec",
]);

/** The variables that every process may have (names, places, the language), and those named beside them. No others. */
export function listedVariables(env: Env, more: ReadonlySet<string>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && (baseNames.has(name) || more.has(name) || name.startsWith("LC_")))
      kept[name] = value;
  return kept;
}

/**
 * Judges a value by its looks: a reference to a secret kept elsewhere, a word of code, or a secret itself.
 *
 * Errs towards hiding, but developer talk is full of keys and tokens that are none, and text with holes in the wrong
 * places is no memory.
 */
import { entropyOf } from "./spans.ts";

/**
 * Templates, variables and stand-ins: `${TOKEN}`, `$TOKEN`, `<your-key>`, `{{ key }}`, `%KEY%`, `****`, `...`,
 * `YOUR_API_KEY`, and tags of YAML: `!Ref`.
 */
const stencil = new RegExp(
  String.raw`^(?:\$\{[^}]*\}?|\$\([^)]*\)?|\$[A-Za-z_]\w*|\$\{\{[^}]*\}?\}?|\{\{?[^}]*\}?\}|<[^<>]*>?|%\w+%` +
    String.raw`|%[a-z]|[*•xX]{3,}|\.{2,}|…|-+|_+|![A-Z]\w*` +
    String.raw`|(?:YOUR|your)(?:[-_][A-Za-z]+){1,5}|[A-Z]+(?:_[A-Z]+){0,4}_HERE)$`,
);

/** The places from which code gets its secrets. */
const source = new RegExp(
  String.raw`^(?:process\.env|import\.meta\.env|os\.environ|os\.getenv|Deno\.env|Bun\.env|env[.([]|ENV\[` +
    String.raw`|getenv\(|System\.getenv|secrets\.|vault:|op:\/\/|ssm:|arn:|file:|\$\{?\{?\s*(?:secrets|env|vars)\.)`,
  "i",
);

/** A name, or a path of names, as code writes it: `user.password`, `config["token"]`, `hash(password)`. */
const reference =
  /^[A-Za-z_$][\w$]*(?:(?:\??\.|::|->)[A-Za-z_$#][\w$]*|\[[^\]]*\]?|\([^)]*\)?)*[!?;,)\]}]*$/;

const plainWords: ReadonlySet<string> = new Set(
  (
    "true false null nil none undefined void string str text number int integer bool boolean any unknown never " +
    "object " +
    "varchar char bytes buffer optional required hidden default empty missing invalid valid expired changed " +
    "unchanged " +
    "disabled enabled redacted masked omitted password passwd passphrase secret token key value username user email " +
    "changeme change_me change-me changeit replaceme replace_me " +
    "yes no todo tbd n/a na unset self this include omit same-origin"
  ).split(" "),
);

/** Names of algorithms and formats, which mix letters and digits as keys do. */
const jargon = new RegExp(
  String.raw`^(?:argon2\w*|bcrypt\w*|scrypt|pbkdf2\w*|sha-?\d+\w*|md5|hmac\S*|base-?\d+\w*|utf-?\d+\w*` +
    String.raw`|oauth-?[12](?:\.\d)?|oidc|[ehrp]s\d{3}|aes\S*|rsa\S*|ed25519|x25519|curve25519|secp\d+\w*` +
    String.raw`|http[s23]?|ipv[46]|x509|pkcs\S*|pbes2|u2f|fido2|webauthn|2fa|mfa|totp|jwt|v\d[\w.]*` +
    String.raw`|\d+(?:\.\d+)*[a-z]{0,12}|[a-z]{1,3}\d{1,2})$`,
  "i",
);

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** Hashes of git, SHA-1, MD5 and SHA-256, and integrity hashes of packages. */
const digest = /^(?:[0-9a-f]{7,12}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|sha\d{3}[-:]\S+)$/i;
const place =
  /^(?:\.{0,2}\/|~\/|[a-z]:\\|[a-z][\w+.-]*:\/\/|\/\/|[\w.-]+\/[\w.-]+\/|[\w./-]+\.[a-z]{2,4}$)/i;

/** Cannot be a secret whatever its name says: a stencil, a look-up, our own marker. */
export const isHarmless = (value: string): boolean =>
  value.startsWith("[redacted:") ||
  stencil.test(value) ||
  source.test(value) ||
  (value.includes("${") && value.replaceAll(/\$\{[^}]*\}?/g, "").length < 6);

/** A word of code or prose rather than a literal secret. */
export const isPlainWord = (value: string): boolean => {
  if (value.length > 24) return false;
  const word = value.replace(/[.,;:!?)\]}|]+$/, "").toLowerCase();
  return plainWords.has(word) || plainWords.has(word.replace(/\[\]$/, ""));
};

export const isReference = (value: string): boolean => reference.test(value);
export const isJargon = (value: string): boolean => jargon.test(value.replace(/[.,;:!?)]+$/, ""));
export const isPlace = (value: string): boolean => place.test(value) && !isDrawnByLot(value);
export const isUuid = (value: string): boolean => uuid.test(value);
export const isDigest = (value: string): boolean => digest.test(value);

export const hasLetterAndDigit = (value: string): boolean =>
  /[A-Za-z]/.test(value) && /\d/.test(value);

/**
 * Words and small numbers joined by punctuation or humps: `user-v2-list`, `createdAtDescending`, `en_US.auth.title`.
 */
export const isMadeOfWords = (value: string): boolean =>
  value
    .replaceAll(/([a-z])([A-Z])/g, "$1-$2")
    .split(/[-_./:@#\s]+/)
    .every((part) => /^(?:[A-Za-z]?[a-z]*|[A-Z]+|\d{1,4}|v\d+|[A-Za-z]+\d{1,2})$/.test(part));

const drawnCharsMin = 40;
const drawnBitsMin = 4.6;

/** Base64 of random bytes, in which slashes may stand as in a path, also at its head. */
export const isDrawnByLot = (value: string): boolean =>
  !isMadeOfWords(value) &&
  ((/^[A-Za-z0-9+/]+={0,2}$/.test(value) && isRandom(value, drawnCharsMin, drawnBitsMin)) ||
    (/^[/~.][\w+/=.~-]+$/.test(value) && !firstFolder.test(value) && entropyOf(value) > 3.4) ||
    picked.test(value));
/** `/Krzt9!vQ2`: all sorts of characters behind one slash. */
const picked = /^\/(?=.*[A-Z])(?=.*[a-z])(?=.*\d)(?=.*[!#$%^&*])[^\s/?=]{7,}$/;
/** `/tmp/`, `./dist/`, `~/.config/`, `/Users/`; a name with an ending. */
const firstFolder = /^[~.]{0,2}(?:\/\.{1,2})*\/?\.?[A-Za-z]?[a-z][a-z\d_-]*(?:\/|\.[a-z]{1,5}$)/;

/** Random to the eye: letters and digits, long enough, with at least `bitsMin` bits per character. */
export const isRandom = (value: string, charsMin: number, bitsMin: number): boolean =>
  value.length >= charsMin && hasLetterAndDigit(value) && entropyOf(value) >= bitsMin;

/** How much a name promises a secret: `DB_PASSWORD`, `apiKey`, `key`, `tokenBucketSize`. Pure. */

/** password: any literal value. key: a value that mixes letters and digits. weak: only what looks random. */
export type Trust = "password" | "key" | "weak";

const passwordWords: ReadonlySet<string> = new Set(
  "password passwords passwd passphrase passcode pwd pass secret secrets credential credentials cred creds pw".split(
    " ",
  ),
);
const keyWords: ReadonlySet<string> = new Set(
  (
    "apikey apitoken accesskey accesstoken secretkey privatekey authkey authtoken masterkey encryptionkey " +
    "signingkey accountkey sharedaccesskey sharedkey licensekey deploykey oauth auth pat jwt otp pin"
  ).split(" "),
);
const glued =
  /(?:password|passwd|passphrase|secret|(?:store|key|db|user|root|admin|smtp|mail|my)pass)$/;
const gluedKey = /(?:apikey|.token)$/;

/** Before `key` or `token`, these make it a credential. */
const credentialHeads: ReadonlySet<string> = new Set(
  (
    "api access auth private secret encryption signing sign master service session bearer refresh id bot app " +
    "deploy personal " +
    "account client storage shared license webhook admin root hmac jwt oauth user project consumer application " +
    "authentication authorization ssh ssl tls gpg pgp aes rsa dsa ecdsa openai anthropic github gitlab npm slack " +
    "stripe aws"
  ).split(" "),
);
/** Before `key` or `token`, these make it something else. */
const harmlessHeads: ReadonlySet<string> = new Set(
  (
    "public publishable primary foreign sort partition cache query idempotency i18n translation message lookup " +
    "index hash object " +
    "hot shortcut press sequence unique composite natural surrogate candidate group order map config row column " +
    "field json " +
    "next page cursor continuation sync max min total input output prompt completion cached num budget csrf xsrf " +
    "react list " +
    "arrow enter tab escape shift meta ctrl storagekey event dictionary property metric feature"
  ).split(" "),
);
/** After the word, these make it a fact about a secret. */
const harmlessTails: ReadonlySet<string> = new Set(
  (
    "id ids name names length len min max size count counts limit limits budget bucket field fields label reset " +
    "forgot flow policy strength " +
    "placeholder hint regex pattern url uri path file filename dir folder endpoint ttl expiry expires expired " +
    "expiration expire " +
    "timeout type types kind algorithm alg prompt env var variable stdin changed required visible enabled " +
    "disabled rotation " +
    "rotate manager store provider service validator validation validate rules rule error errors message messages " +
    "test tests " +
    "spec mock code codes board up down press frame pair ring usage used per window cost price rate izer ize " +
    "usage estimate " +
    "hashing encryption storage handling handler middleware component form input page screen view method methods " +
    "schema " +
    "column table index at on date time version format prefix suffix chain words word"
  ).split(" "),
);

/** Splits humps, underscores, hyphens and dots into lower-case words. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");

const bare = (word: string): string => word.replace(/\d+$/, "");

/** Too short or too common to mean anything unless the name ends with them: `passThrough`, `authMiddleware`. */
const onlyLast: ReadonlySet<string> = new Set("pass pw pin pat otp auth oauth cred jwt".split(" "));

const isTelling = (word: string): boolean =>
  passwordWords.has(word) ||
  keyWords.has(word) ||
  pluralOrLone.has(word) ||
  glued.test(word) ||
  gluedKey.test(word);

const pluralOrLone: ReadonlySet<string> = new Set(["key", "keys", "token", "tokens"]);

/** Null when the name promises nothing. */
export function promiseOf(name: string): Trust | null {
  const words = wordsOf(name).map(bare);
  const at = words.findLastIndex(isTelling);
  const word = words[at];
  if (word === undefined || (onlyLast.has(word) && at < words.length - 1)) return null;
  if (words.slice(at + 1).some((tail) => harmlessTails.has(tail))) return null;
  if (passwordWords.has(word) || glued.test(word)) return "password";
  if (!pluralOrLone.has(word)) return "key";
  return promiseOfHead(words[at - 1], word, name);
}

/** What the word before a `key` or `token` makes of it. */
function promiseOfHead(head: string | undefined, word: string, name: string): Trust | null {
  if (head === undefined) return word === "token" ? "key" : "weak";
  // `SECRET_KEY`: a password by another name, and often a chosen one.
  if (word === "key" && head === "secret") return "password";
  if (harmlessHeads.has(head)) return null;
  if (word === "keys" || word === "tokens") return "weak";
  // `VENDOR_TOKEN=`: an environment variable by its looks.
  if (credentialHeads.has(head) || /^[A-Z0-9_]+$/.test(name)) return "key";
  return word === "token" ? "key" : "weak";
}

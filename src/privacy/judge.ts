/**
 * Is the value given to a telling name a secret? Decided by what the name promises, how the two are joined and what
 * the value looks like. Pure.
 */
import { entropyOf } from "./spans.ts";
import {
  hasLetterAndDigit,
  isDigest,
  isDrawnByLot,
  isHarmless,
  isJargon,
  isMadeOfWords,
  isPlace,
  isPlainWord,
  isRandom,
  isReference,
  isUuid,
} from "./values.ts";

// Judges how much a name promises a secret: `DB_PASSWORD`, `apiKey`, `key`, `tokenBucketSize`. Pure.

/** password: any literal value. key: a value that mixes letters and digits. weak: only what looks random. */
export type Trust = "password" | "key" | "weak";

/** The kind of span that takes the place of a value so promised. */
export const kindOf = (trust: Trust | "pin"): string =>
  trust === "password" ? "password" : "secret";

const passwordWords: ReadonlySet<string> = new Set(
  (
    "password passwords passwd passphrase passcode pwd pass secret secrets credential credentials cred creds pw " +
    "psk"
  ).split(" "),
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
export const harmlessHeads: ReadonlySet<string> = new Set(
  (
    "public publishable primary foreign sort partition cache query idempotency i18n translation message lookup " +
    "index hash object " +
    "hot shortcut press sequence unique composite natural surrogate candidate group order config row column " +
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
const onlyLast: ReadonlySet<string> = new Set(
  "pass pw psk pin pat otp auth oauth cred jwt".split(" "),
);

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

/**
 * The way in which name and value are joined, which says how much to believe: `A=b`, `a: b`, `--a
 * b`, "the a is b", `("a", "b")` or `a("b")`, `<a>b</a>`.
 */
export type Joint = "env" | "code" | "flag" | "said" | "list" | "element";

export interface Assignment {
  readonly name: string;
  readonly joint: Joint;
  readonly quoted: boolean;
  readonly value: string;
  /** The offset of the value. */
  readonly start: number;
  /** The value is all that its line holds after the name. */
  readonly isWholeLine: () => boolean;
}

type Judge = (found: Assignment) => boolean;

/** Shorter values are words and counters; a password of three characters is none. */
const valueCharsMin = 4;

export function isSecret(found: Assignment, trust: Trust): boolean {
  const { value, quoted, joint } = found;
  if (value.length < valueCharsMin || isHarmless(value) || isPlainWord(value)) return false;
  if (!quoted && (isCode(found) || (/^[/~.]/.test(value) && !isDrawnByLot(value)))) return false;
  if (trust === "password") return (quoted ? isQuotedPassword : passwordJudges[joint])(found);
  if (trust === "key") return isKey(found);
  return isWeakKey(found);
}

/** Drawn by lot behind its last dot. */
const endsDrawn = (value: string): boolean => {
  const last = value.slice(value.lastIndexOf(".") + 1);
  return isRandom(last, 20, 3.6) && !isMadeOfWords(last);
};

/** Unquoted code: a look-up, a call, or a command. A lone word may be a YAML value, one with digits a password. */
function isCode({ value, joint }: Assignment): boolean {
  if (joint !== "element" && /\s/.test(value)) return true;
  if (joint === "env" || joint === "element")
    return /^[\w$.]+\(|^\w+(?:\.[A-Za-z_]\w*)+$/.test(value) && !endsDrawn(value);
  // A shell passes "Thimble.Oak27" as it stands.
  if (joint === "flag" && /^\p{Lu}\p{Ll}+(?:\.\p{Lu}\p{Ll}+)+\d+$/u.test(value)) return false;
  if (!isReference(value)) return false;
  if (/[.([:>]/.test(value)) return true;
  return joint === "code" && !/\d/.test(value) && !/^[a-z]+$/.test(value);
}

const functionWords =
  /\b(?:must|required|invalid|is|are|at|your|enter|please|the|be|should|a|of|for|not|no|to|and|or)\b/i;

/** A message about a password, unlike a passphrase of several words. */
const isSentence = (value: string): boolean =>
  /\s/.test(value) && (functionWords.test(value) || /[!?.]$/.test(value));

const isEnvName = (name: string): boolean => /^[A-Z0-9_.]+$/.test(name);

/** Holds what a word of code or prose would not. */
const isMarked = (value: string): boolean => /[\d!@#$%^&*+=]/.test(value);

const isQuotedPassword: Judge = ({ value, joint }) =>
  !isSentence(value) && (joint !== "list" || (isRandom(value, 6, 2.5) && !isNameInCode(value)));

/** `s3_host`, in `config.get("Credentials", "s3_host")`. */
const isNameInCode = (value: string): boolean => /^[a-z]+\d{0,2}(?:_[a-z]+\d{0,2})+$/.test(value);

const isSaidPassword: Judge = ({ value }) =>
  isMarked(value) &&
  value.length > 5 &&
  !isJargon(value) &&
  !/^\d{1,5}$/.test(value) &&
  !/[()]/.test(value);

/** Judges of an unquoted password. */
const passwordJudges: Readonly<Record<Joint, Judge>> = {
  env: ({ name, value }) =>
    !isJargon(value) && (isMarked(value) || isEnvName(name) || !isReference(value)),
  element: ({ value }) => !isSentence(value),
  flag: (found) => !isJargon(found.value) && (isMarked(found.value) || isWordForFlag(found)),
  code: (found) =>
    !isJargon(found.value) &&
    (isMarked(found.value) ? !/^\d{1,3}$/.test(found.value) : isYamlPassword(found)),
  said: isSaidPassword,
  list: isSaidPassword,
};

/** Alone on its line: odd characters, or `password: correcthorse`. Types and states were sorted out before. */
const isYamlPassword: Judge = ({ name, value, isWholeLine }) =>
  isWholeLine() &&
  value.length > 5 &&
  (!isMadeOfWords(value) ||
    (/(?:passw(?:or)?d|pwd|passphrase)$/i.test(name) && /^[a-z]+$/.test(value)));

/**
 * `--password correcthorse` gives a password. Behind a name like `--prod-secret` a bare word is talk unless it ends the
 * command.
 */
const isWordForFlag: Judge = ({ name, value, isWholeLine }) =>
  !flagTalk.has(value.toLowerCase()) &&
  (/(?:passw(?:or)?d|pwd|passphrase|pass)$/i.test(name) || isWholeLine());

/** Words that follow a flag's name when people talk about it. */
export const flagTalk: ReadonlySet<string> = new Set(
  (
    "flag flags option options argument arguments parameter parameters switch is are was and or to from for in on " +
    "with without of as " +
    "instead value values file prompt when if then but it that this which can must should will does not via by at " +
    "also only before " +
    "after until unless during while whenever because since once always never again first last here there now " +
    "then too not " +
    "so such like than about into onto through instead until needs does do did has have had means works fails " +
    "failed breaks " +
    "came comes must may might we you i they everywhere anywhere today"
  ).split(" "),
);

const isTightKey: Judge = ({ name, value }) => {
  if (/\s/.test(value)) return false;
  if (hasLetterAndDigit(value) && value.length >= 8) return true;
  const [charsMin, bitsMin] = isEnvName(name) ? [16, 3] : [20, 3.5];
  return (
    value.length >= charsMin &&
    entropyOf(value) >= bitsMin &&
    !isReference(value) &&
    !isMadeOfWords(value)
  );
};

const isSaidKey: Judge = ({ value }) => isRandom(value, 12, 3) && !isMadeOfWords(value);

const keyJudges: Readonly<Record<Joint, Judge>> = {
  env: isTightKey,
  element: isTightKey,
  flag: ({ value }) => hasLetterAndDigit(value) && value.length >= 6,
  code: ({ value }) => isRandom(value, 10, 2.8) && !/[()[\]{}]/.test(value),
  said: isSaidKey,
  list: isSaidKey,
};

function isKey(found: Assignment): boolean {
  const { joint, quoted, value } = found;
  if (isPlace(value) || (!quoted && isJargon(value))) return false;
  return (quoted && joint !== "list" ? isTightKey : keyJudges[joint])(found);
}

function isWeakKey({ joint, value }: Assignment): boolean {
  if (joint === "said" || joint === "flag" || joint === "list") return false;
  if (isUuid(value) || isDigest(value) || isPlace(value) || isMadeOfWords(value)) return false;
  return /^[\w+/=.~-]+$/.test(value) && isRandom(value, 20, 3.6);
}

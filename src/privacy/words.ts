/**
 * Words for a password in many languages, and what they announce. Passwords that are words, and credentials whose
 * place alone tells them: behind a label and a colon, in a pair of user and password, in the options of a command, as
 * a value of `terraform output -json`. Each look is bounded.
 */
import { type Detector, type Shape, valuesOf } from "./spans.ts";
import {
  isHarmless,
  isJargon,
  isMadeOfWords,
  isPlace,
  isPlainWord,
  isRandom,
  isUuid,
} from "./values.ts";
import { harmlessHeads, promiseOf, type Trust } from "./judge.ts";

// Words for a password or a key in English, German, French, Spanish, Portuguese, Russian, Chinese and Japanese, and
// whether a value that directly follows such a label is a secret. Pure.

/** Lower-case beginnings of words for what a person chose. */
export const passwordLabels: readonly string[] = (
  "passwor|passwört|passwd|passphrase|passcode|kennwort|kennwört|zugangscode|mot de passe|" +
  "mots de passe|mdp|phrase secrète|contraseñ|contrasen|clave|senha|парол|密码|密碼|口令|パスワード"
).split("|");

/** … and for what was drawn by lot. */
export const keyLabels: readonly string[] = (
  "zugangstoken zugriffstoken schlüssel jeton clé clave chave токен ключ секрет " +
  "密钥 密鑰 令牌 トークン"
).split(" ");

/** Lower-case beginnings of any of these, and of the English words for a key: where a label may stand. */
export const labelBeginnings: readonly string[] = [
  ...new Set(["key", "token", "secret", "pwd", ...passwordLabels, ...keyLabels]),
];

const isForeign = (text: string, labels: readonly string[]): boolean =>
  labels.some((label) => text.includes(label));

/** `promiseOfLabel` judges a label: a name as code writes it, or a word for one in another language. */
export function promiseOfLabel(label: string): Trust | null {
  const lower = label.toLowerCase();
  if (isForeign(lower, keyLabels) && !lower.startsWith("clave")) return "key";
  const named = promiseOf(label.trim().replaceAll(/\s+/g, "_"));
  if (named !== null) return named;
  // English was judged by name: `password_id` is no password.
  return isForeign(lower, passwordLabels) && !/^[\x20-\x7e]*$/.test(lower.replace("ñ", "n"))
    ? "password"
    : foreignAscii.test(lower)
      ? "password"
      : null;
}

/** The same of a heading: "API keys" stands above keys. */
export const promiseOfHeading = (label: string): Trust | null =>
  promiseOfLabel(label.replace(/(?<=key|token)s(?![a-z])/iu, ""));

const foreignAscii =
  /(?:passw[oö]rt|kennw[oö]rt|mots? de passe|\bmdp|contrasen|contraseñ|\bclave|\bsenha)(?!\s*(?:vergessen|oublié))/;

const isMarked = (value: string): boolean =>
  /[\d!@#$%^&*+=~?]/.test(value.slice(0, -1) + value.slice(-1).replace(/[?!]/, ""));

/** A password's length or age: "12-character", "30days". */
const measure =
  /^\d{1,3}(?:[-+]\p{L}+|\+|(?:min|max|sec|day|hour|week|month|char|zeichen|tage|bit|byte)\p{L}*)$/iu;

const isLabelledPassword = (value: string): boolean =>
  isMarked(value) &&
  /[A-Za-z]|^\d{6,}$/.test(value) &&
  !isJargon(value) &&
  !measure.test(value) &&
  !/[()[\]{}<>|]|^[-*#=_.]+$|::|:$|^\d+[.,:/-]\d+/.test(value);

/** A value that stands for itself behind a label: as its cell, its line, or what the label "is". */
export function isLabelled(value: string, trust: Trust): boolean {
  if (value.length < 6 || isHarmless(value) || isPlainWord(value) || isPlace(value)) return false;
  if (trust === "password") return isLabelledPassword(value);
  if (trust === "weak") return isRandom(value, 20, 3.6) && !isUuid(value) && !isMadeOfWords(value);
  return (
    (isUuid(value) || (isRandom(value, 12, 2.8) && !isMadeOfWords(value))) &&
    !/[()[\]{}]/.test(value)
  );
}

/** Capitalised words and a number: `Blue.Moon.41`. */
export const numberedNames = /^\p{Lu}\p{L}{2,20}(?:[-._]\p{Lu}\p{L}{2,20}){1,5}[-._]?\d{1,4}$/u;

/** One word and a number: `Walnutgrove.12`, told from a version by what stands before. */
export const numberedName = /^\p{Lu}\p{Ll}{3,20}[-._]\d{2,4}$/u;

export const detectWords: Detector = (hay) => valuesOf(hay, shapes);

/** Words joined by hyphens, dots or underscores, perhaps with a number: `correct-horse-battery`, `Blue.Moon.41`. */
const joined = String.raw`\p{L}{2,20}(?:[-._]\p{L}{2,20}){1,6}(?:[-._]?\d{1,4})?[!?*#]?`;
const lineEnd = String.raw`["'\x60»”]{0,2}[.]?[ \t\r]{0,4}(?:\n|$)`;
const lead = String.raw`["'\x60«“*]{0,3}`;
const isWords = (value: string): boolean =>
  value.length >= 8 && !isPlace(value) && !isHarmless(value) && !fileName.test(value);
/** A sentence about a passphrase: "must be at least …". */
export const tellsOfPassphrase = new RegExp(
  String.raw`(?<!\p{L})(?:must|should|needs?|be|is|are|was|has|have|will|can|may|not|please|used?|least|required` +
    String.raw`|optional|stored|missing|wrong|invalid|empty)(?!\p{L})`,
  "u",
);
/** Before an id or a hash that is no secret. */
const idWord =
  "(?:ids?|uuid|request|session|trace|run|job|commit|hash|version|build|scan|row|sha|digest|revision|checksum" +
  "|etag|tree|blob)";
const fileName = /\.(?:[a-z]{2,4}|local|internal|example)$/u;

/** Two to five words in small letters: "marble-falcon", "marmalade-on-toast". */
const joinedWords = String.raw`\p{Ll}{2,16}(?:-\p{Ll}{2,16}){1,4}`;

/** Adjectives and participles at the end of what says what a password is like: "write-only", "env-driven". */
const qualities =
  "only|time|side|text|level|case|long|short|term|wide|free|safe|proof|like|known|new|old|strong|weak|empty|random" +
  "|in|out|up|off|on|to|date|end|hash|key|chars?|characters?|digits?|words?|bits?|arg|args|var|vars|env|param|params" +
  "|driven|bound|built|given|held|kept|made|run|sent|set|shown|written|hidden|broken|stolen|chosen|forgotten|specific" +
  "|agnostic|generic|dynamic|static|friendly|daily|weekly|monthly|yearly|hourly|local|global|internal|external|manual" +
  "|optional|literal|minimal|identical|equal|universal|special|temporary|arbitrary|binary|necessary|dependent" +
  "|independent|consistent|persistent|permanent|transparent|different|equivalent|compliant|resistant|relevant" +
  "|redundant|tolerant|invariant";
/** Nouns with the ending of a participle or an adjective, of which people make passwords: "green-olive". */
const nouns =
  String.raw`\p{Ll}{0,3}eed|(?:\p{Ll}{3,5})?(?:bed|shed)|sled|hundred|moped|(?:vege|cons|s)?table` +
  "|cable|fable|gable|sable|parable|bible|crucible|olive|hive|(?:over)?drive|dive|five|native";

/**
 * True of words that say what a password is like: "write-only", "non-empty", "env-gesteuert". English and German build
 * them with a participle or an adjective at the end; nouns side by side describe nothing.
 */
const ofQuality = new RegExp(
  "^(?:non|self|auto|multi|semi|pre|pré|pós|post|re|co|up|out|on|off|in|by|well|all|too|so|not|per|half)-" +
    String.raw`|^(?:case|time|long|never|ever|format)-\p{Ll}{3,}ing$` +
    String.raw`|-(?:${qualities}|(?!(?:${nouns})$)\p{Ll}{2,}(?:ed|able|ible|ive|less|ous|ful)` +
    String.raw`|(?:ge\p{Ll}{3,}|\p{Ll}{3,}ier)t|abhängig|spezifisch|\p{Ll}{3,}(?:bar|lich|weit))$`,
  "u",
);

/** Three words or more joined by points, as nothing in code is called: "dog.green.rain". */
const pointedWords = String.raw`\p{Ll}{3,16}(?:\.\p{Ll}{3,16}){2,5}`;
/** Parts of look-ups, hosts and files. */
const ofCode = new RegExp(
  "(?:^|[.])(?:config|settings?|env|process|users?|forms?|req|request|res|response|body|params|props|state|data" +
    "|database|app|apps|auth|session|context|args|opts|options|secrets?|vault|password|passwd|pass|token|key|value" +
    "|example|tests?|local|internal|localhost|com|org|net|dev|cloud|tech|info|www|api|json|yml|yaml|toml|conf|ini" +
    "|txt|cfg|xml|csv|log|pdf|zip|html|lua|java|svg|png|class|main|index|this|self|spec|modules?|files?|fields?|input" +
    "|event|target|node|items?|window|document|accounts?|credentials|creds|login|email|name|prod|production|staging" +
    "|server|client|svc|service|cluster)(?:[.]|$)",
  "u",
);
const isPointed = new RegExp(`^${pointedWords}$`, "u");

/** Code behind a statement: "x = 1; password=form.password", "cd /tmp;pwd=process.cwd()". */
const isLookUp = /[(){}<>[\]]|^[a-z_$][A-Za-z_$]*(?:\.[A-Za-z_$]+)+$/u;

/** One word of letters and digits, perhaps with marks. */
const chosen = String.raw`((?=[^\s]{0,40}\d)(?=[^\s]{0,40}\p{L})[^\s"'\x60,;()<>/]{5,40}[\p{L}\p{N}!?*#])`;

const shapes: readonly Shape[] = [
  {
    // The value ends its line: what is said about a password goes on.
    anchors: passwordLabels,
    pattern: new RegExp(
      String.raw`\p{L}{2,16}(?:[ \t]\p{L}{2,12}){0,3}[*_]{0,2}[ \t]?[:：][ \t]{1,3}${lead}(${joined})${lineEnd}`,
      "uy",
    ),
    kind: "password",
    isIt: isWords,
  },
  {
    anchors:
      "creds|credential|zugangsdaten|identifiants|credenciales|credenciais|учётные данные|учетные данные".split(
        "|",
      ),
    pattern: new RegExp(
      String.raw`[\p{L} ]{5,24}[:：]?[ \t]{1,3}${lead}[\w.@-]{2,40}:(?![/\d])([^\s"'\x60,;]{6,80}[\p{L}\p{N}!?*#])`,
      "uy",
    ),
    before: /(?:^|[^\p{L}\p{N}_."'])$/u,
    kind: "password",
    isIt: (value) => !isHarmless(value) && !/[/\\(){}<>]/u.test(value),
  },
  {
    anchors: ["passphrase", "seed phrase", "recovery phrase", "mnemonic"],
    pattern: new RegExp(
      String.raw`[\p{L} ]{8,16}(?:[ \t]\p{L}{2,16}){0,6}[:：][ \t]{1,3}${lead}` +
        String.raw`((?:\p{Ll}{2,12}[ -]){3,23}\p{Ll}{2,12})${lineEnd}`,
      "uy",
    ),
    kind: "password",
    isIt: (value) => !tellsOfPassphrase.test(value),
  },
  {
    // "secret_id to try: …", "el secreto de la app es …"; what a secret's request is called is none.
    anchors: ["secret"],
    pattern: new RegExp(
      String.raw`secret(?:[_ -]?id|\p{L}{1,4})?(?:(?:[ \t](?!${idWord}(?!\p{L}))\p{L}{2,16}){0,5}` +
        String.raw`(?:[ \t]?[:=：]|[ \t](?:is|ist|est|es|é|è))[ \t]{0,3}|[ \t])["'\x60]?` +
        String.raw`([\da-f]{24,64}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?![\w-])`,
      "iuy",
    ),
    kind: "secret",
  },
  {
    // "the key to use: …", "my key is …"; a cache's key is none, and a key of a map may be any hash.
    anchors: ["key", "schlüssel", "clé", "clave", "chave", "ключ"],
    pattern: new RegExp(
      String.raw`(?<!(?:${[...harmlessHeads].join("|")}|s3|hash)[ \t_-])(?<=\P{L}|^)` +
        String.raw`(?:key|schlüssel|clé|clave|chave|ключ)(?:(?:[ \t](?:to|for|of|that|we|you|i|on|from` +
        String.raw`|für|zu[mr]?|von|der|die|à|pour|` +
        String.raw`de|du|que|para|del|a|для|к|от)(?:[ \t](?!${idWord}(?!\p{L}))[\p{L}’'-]{1,16}){0,5})` +
        String.raw`|(?<=(?<!\p{L})(?:my|our|your|this|that|new|mein|unser|ma|mi|minha|мой)[ \t]\p{L}{3,9}))` +
        String.raw`(?:[ \t]?[:=：]|[ \t](?:is|ist|est|es|é|è|это|lautet))[ \t]{0,3}["'\x60]?` +
        String.raw`([\da-f]{32,64})(?![\w-]|\.\w)`,
      "iuy",
    ),
    kind: "secret",
  },
  {
    // "admin key …", "the write key is …": keys that services hand out, by what they are for.
    anchors: [" key"],
    pattern: new RegExp(
      String.raw` key(?:[ \t]?[:=]|[ \t](?:is|ist|est|es|é|è))?[ \t]{1,3}["'\x60]?` +
        String.raw`([\da-f]{32}|[\da-f]{40}|[\da-f]{64})(?![\w-]|\.\w)`,
      "iuy",
    ),
    before: new RegExp(
      String.raw`(?<!\p{L})(?:admin|master|account|access|write|service|license|licence|client|auth|app|storage` +
        String.raw`|ingest|deploy|subscription|webhook|search)$`,
      "iu",
    ),
    kind: "secret",
  },
  {
    // "The wifi password is marble-falcon, ask me": at the end of its clause.
    anchors: [...passwordLabels, "pw", "pwd"],
    pattern: new RegExp(
      String.raw`(?<![\p{sc=Latin}\p{sc=Cyrillic}])(?:${[...passwordLabels, "pwd?"].join("|")})\p{L}{0,6}?` +
        String.raw`(?:[ \t](?:for|of|on|to|für|vom|von|pour|du|de|del|para|do|da|для|от)` +
        String.raw`(?:[ \t][\p{L}\p{N}'._-]{1,24}){1,4}?)?` +
        String.raw`(?:(?:[ \t]?[:：]|[ \t](?:is|ist|lautet|est|es|é|è|это|[—–-])(?:[ \t](?:now|jetzt))?)[ \t]{1,3}` +
        String.raw`|[ \t]?[是为は][ \t]?)${lead}(${joinedWords}|${pointedWords})(?=["'\x60»”]?(?:[,;.!)]?(?:\s|$)))`,
      "iuy",
    ),
    kind: "password",
    isIt: (value) =>
      isPointed.test(value)
        ? !ofCode.test(value)
        : isWords(value) && !ofQuality.test(value) && !isJargon(value),
  },
  {
    // A part of a connection string: "…;user=sa;password=Gr4nite.Moth;encrypt=true".
    anchors: ["password=", "pwd="],
    pattern: /(?:password|pwd)=([^;\s"'\x60]{4,100})(?=;[\w ]{2,30}=|["']|\s|$)/iuy,
    before: /;[ ]?$/u,
    kind: "password",
    isIt: (value) => !isHarmless(value) && !isPlainWord(value) && !isLookUp.test(value),
  },
  {
    anchors: ["pass: ", "pass is ", "pw: ", "pw is "],
    pattern: new RegExp(
      String.raw`(?<![\p{L}\p{N}_-])p(?:ass|w)(?:: | is )["'\x60]?` + String.raw`${chosen}`,
      "uy",
    ),
    kind: "password",
  },
  {
    anchors: ["curl"],
    pattern: new RegExp(
      String.raw`curl\b[^\n]{0,400}?\s(?:-b|--cookie)[ =]?(?:\$?["'])?` +
        String.raw`([\w.-]{1,60}=[^\s"'][^"'\n]{5,2000}?)(?=["'\n]|\s-|\shttp|$)`,
      "uy",
    ),
    kind: "cookie",
  },
  {
    anchors: ["http -a", "https -a", "http --auth", "https --auth", "xh -a"],
    pattern: /(?:https?|xh) (?:-a|--auth)[ =]["']?[^\s:"']{1,60}:([^\s"']{3,200})/uy,
    kind: "password",
  },
  {
    anchors: ["codecov", "snyk"],
    pattern:
      /(?:codecov\b[^\n]{0,100}\s-t|snyk auth)[ =]["']?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})/iuy,
    kind: "secret",
  },
  {
    // "auth token …", "the api token is …"; the token of a page or a build may be any hash.
    anchors: [" token", " secret"],
    pattern: new RegExp(
      String.raw` (?:token|secret)(?:[ \t]?[:=]|[ \t](?:is|ist|est|es|é|è))?[ \t]{1,3}["'\x60]?` +
        String.raw`([\da-f]{32}|[\da-f]{40}|[\da-f]{64})(?![\w-]|\.\w)`,
      "iuy",
    ),
    before: new RegExp(
      String.raw`(?<!\p{L})(?:auth|access|api|bearer|refresh|admin|personal|deploy|bot|client|app|twilio)$`,
      "iu",
    ),
    kind: "secret",
  },
  {
    // "Sign in with Google and OAuth2" names services: only an address stands behind "with".
    anchors: ["in as ", "in with "],
    pattern: new RegExp(
      String.raw`in (?:as [\w.@-]{1,40}|with [\w.+-]{1,40}@[\w.-]{1,60})(?: with| and| using|,| [/|])` +
        String.raw`(?: the)?(?: password| pass| pw)? ["'\x60]?${chosen}`,
      "iuy",
    ),
    before: /(?:log|sign|logged|signed) ?$/iu,
    kind: "password",
  },
  {
    // Two words and a number: "get in with regenbogen-zebra-44".
    anchors: ["get in", "unlock", "luks"],
    pattern: new RegExp(
      String.raw`[\p{L} ]{4,8}[^\n]{0,40}? (?:with|using|mit) ["'\x60]?` +
        String.raw`(\p{L}{4,20}(?:[-._]\p{L}{3,20}){1,5}[-._]?\d{2,4})(?![\w-])`,
      "uy",
    ),
    kind: "password",
  },
  {
    // "The safe opens with left-44-right-12": words and numbers in turn.
    anchors: ["open", "combination", "unlock"],
    pattern: new RegExp(
      String.raw`(?:opens?|unlocks?|combination)(?:[ \t]\S{1,24}){0,6}?(?::|[ \t](?:with|using|is|by))[ \t]["'\x60]?` +
        String.raw`((?:\p{L}{2,12}-\d{1,3}-){1,5}\p{L}{2,12}-\d{1,3})(?![\w-])`,
      "iuy",
    ),
    kind: "password",
  },
  {
    anchors: ["wpa"],
    pattern: new RegExp(
      String.raw`wpa\d?[ -](?:key|psk|schlüssel)[ :]{1,3}["'\x60]?${chosen}`,
      "iuy",
    ),
    kind: "password",
  },
  {
    anchors: ["password "],
    pattern: /password (?:is )?["'`]?([\da-f]{32})(?!\w)/iuy,
    kind: "password",
  },
  {
    // Twelve words and more of a wallet; a sentence of as many has a small word among them.
    anchors: ["seed", "mnemonic", "wallet", "recovery phrase"],
    pattern: new RegExp(
      String.raw`(?:seed|mnemonic|wallet|recovery)[\w -]{0,24}?(?: |[:=] ?)["'\x60]?` +
        String.raw`((?!(?:[a-z]+ ){0,23}(?:the|and|for|with|that|this|not|are|was|has|from|when|then)\b)` +
        String.raw`(?:[a-z]{3,8} ){11,23}[a-z]{3,8})(?![a-z])`,
      "iuy",
    ),
    kind: "seed-phrase",
  },
  {
    // terraform output -json
    anchors: ['"sensitive"'],
    pattern: new RegExp(
      String.raw`"sensitive"\s{0,4}:\s{0,4}true\s{0,4},\s{0,12}` +
        String.raw`(?:"type"\s{0,4}:\s{0,4}"\w{1,20}"\s{0,4},\s{0,12})?"value"\s{0,4}:\s{0,4}` +
        String.raw`"((?:[^"\\\n]|\\.){3,2000})"`,
      "uy",
    ),
    kind: "secret",
  },
];

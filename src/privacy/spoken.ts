/**
 * Secrets that people say in a sentence, in several languages: "the password she whispered is X", "mein Token ist X".
 * Behind a word that announces one, the first thing on the line that looks made for it goes. Linear: a bounded look
 * behind each word.
 */
import { isUuid } from "./values.ts";
import { isLabelled, keyLabels, numberedName, numberedNames, passwordLabels } from "./words.ts";
import {
  hits,
  sentenceTail,
  type Detector,
  type Haystack,
  type Shape,
  type Span,
  valuesOf,
} from "./spans.ts";

/** Beginnings of words for a password, lower case. */
const passwordWords: readonly string[] =
  "passwor|passphrase|passcode|kennwort|contrase|senha|mot de passe|mdp |pw |pw,|парол|密码|密碼|口令|パスワード|合言葉".split(
    "|",
  );
/** … and for a key, which has to look drawn by lot. */
const keyWords: readonly string[] =
  "token|api-key|api key|api_key|apikey|secret|schlüssel|clave|chave|clé |ключ|密钥|キー|issuer".split(
    "|",
  );

/** The distance behind the word within which it may stand. */
const reachChars = 90;
const valueCharsMax = 120;

export const detectSpoken: Detector = (hay) => [
  ...behind(hay, {
    words: passwordWords,
    kind: "password",
    isIt: (value) => isChosen(value) || numberedNames.test(value),
  }),
  ...behind(hay, { words: keyWords, kind: "secret", isIt: isDrawn }),
  ...behind(hay, { words: ["api key", "api-key", "issuer"], kind: "secret", isIt: isUuid }),
  ...behind(hay, {
    words: ["private key", "private_key", "private-key"],
    kind: "secret",
    isIt: isWholeKey,
  }),
  ...behind(hay, { words: [" key"], kind: "secret", isIt: isMixed }),
  ...behind(hay, { words: seedWords, kind: "secret", isIt: isSeed }),
  ...behind(hay, { words: recoveryWords, kind: "secret", isIt: isRecoveryCode }),
  ...behind(hay, { words: ["--pin "], kind: "secret", isIt: isPin }),
  ...behind(hay, { words: unkept, kind: "secret", isIt: isChosen, opensWith: /[:：]\s*$/u }),
  ...staged(hay),
  ...valuesOf(hay, shapes),
];

/** Seeds of one-time codes, in base32. */
const seedWords = ["totp", "otp secret", "2fa s", "mfa s", "authenticator"];
const isSeed = (value: string): boolean => /^(?=[A-Z]*[2-7])[A-Z2-7]{16,64}=*$/u.test(value);

const recoveryWords = (
  "recovery code|backup code|rescue code|wiederherstellungscode|code de récupération|" +
  "código de recuperación|código de recuperação|код восстановления|恢复码|リカバリーコード"
).split("|");
const isRecoveryCode = (value: string): boolean =>
  /^(?=.*\d)(?=.*[a-z])[a-z\d]{4,8}(?:-[a-z\d]{4,8}){1,7}$/iu.test(value);

/** … and of what opens something else than an account. */
const placeLabels = [
  "code du wifi",
  "wifi code",
  "wlan-code",
  "community string",
  "keystore phrase",
];
const pinLabels = ["pin", "door code", "türcode", "code de la porte", "暗証番号"];

/** Behind a label: its ending, what it is for, and "is" in its language or a mark. */
const joint =
  String.raw`[\p{L}]{0,8}(?:[ \t]{1,2}[\p{L}\p{N}'’._@-]{1,24}){0,7}?` +
  String.raw`(?:[ \t]{0,3}[:：=]|[ \t]{1,2}(?:changed|set|reset) to(?=[ \t])|[ \t]{1,3}(?:[—–-]|->|→)(?=[ \t])` +
  String.raw`|[ \t]{1,2}(?:is|ist|lautet|heißt|heisst|wäre|est|c['’]est|es|é|è|это)` +
  String.raw`(?:[ \t](?:now|jetzt|nun|maintenant|ahora|теперь|still|noch))?(?=[ \t:])[ \t]{0,2}:?` +
  String.raw`|[ \t]{0,2}(?:是|为|為|は|として)[ \t]{0,2}[:：]?)[ \t]{0,4}["'\x60*«“„「]{0,3}`;
/** Four to twelve digits behind a flag that asks for them. */
const isPin = (value: string): boolean => /^\d{4,12}(?:[#*]\d{0,4})?$/u.test(value);

/** A password of capitalised words: "is Sparrow-Nine-Hill". */
const joinedNames = /^\p{Lu}\p{Ll}+(?:[-_.]\p{Lu}\p{Ll}+){2,5}$/u;

/** Words for a key, which is a network's where one is named before. */
const networkKeys = "schlüssel key clé clave chave ключ 密钥 キー".split(" ");

/** "Das Passwort lautet X", "пароль: X", "密码是X". */
const told = (labels: readonly string[], kind: string, isIt: Shape["isIt"]): Shape => ({
  anchors: labels,
  pattern: new RegExp(
    String.raw`(?:${labels.join("|")})${joint}([^\s"'\x60*»”“」,，;；。、]{4,160})`,
    "iuy",
  ),
  kind,
  tail: sentenceTail,
  isIt,
});

/** The second of a pair that ends its line: "ops / Blue.Moon.41". */
const pairAtLineEnd = /[ ]\/[ \t]+(\S{8,80})(?=[ \t\r]*$)/muy;

const wordStart = /(?:^|[^\p{L}\p{N}_-])$/u;

const handedLabels = passwordLabels.filter((label) => !/^pass(?!wor)/.test(label));

const shapes: readonly Shape[] = [
  {
    // "口令 X": nothing between, and nothing that a field would be called.
    anchors: ["口令", "密码", "密碼", "パスワード", "合言葉"],
    pattern:
      /(?:口令|密码|密碼|パスワード|合言葉)[ \t]?(?:は|是|为|為)?[ \t]?((?=[\w.-]*[A-Za-z])(?=[\w.-]*\d)[\w.-]{8,40})/uy,
    kind: "password",
    isIt: (value) =>
      isLabelled(value, "password") && !/(?:pw|pass|pwd|user|hash|field)/iu.test(value),
  },
  told(
    [...passwordLabels, ...placeLabels],
    "password",
    (value) => isLabelled(value, "password") || joinedNames.test(value),
  ),
  {
    ...told(["pwd", "pw"], "password", (value) => isLabelled(value, "password")),
    before: wordStart,
  },
  told(keyLabels, "secret", (value) => isLabelled(value, "key")),
  { ...told(pinLabels, "password", isPin), before: /(?:^|[^A-Za-z])$/u },
  {
    // "мой пароль X": nothing between, in languages whose word for it says nothing else; in English the word stands
    // before many others: "password policy2024".
    anchors: handedLabels,
    pattern: new RegExp(
      String.raw`(?!password)(?:${handedLabels.join("|")})\p{L}{0,3}[ \t]` +
        String.raw`(?=[A-Za-z]*\d[A-Za-z0-9]*\d)([A-Za-z0-9]{8,40})(?![\w./(-])`,
      "iuy",
    ),
    kind: "password",
    isIt: (value) => /[A-Za-z]/.test(value) && isLabelled(value, "password"),
  },
  {
    // A line that is a name, a slash and a password: `rig-svc / Vq7#…`, `ops / Blue.Moon.41`. At the end a mark is a
    // sentence's, or a version's.
    anchors: [" / "],
    pattern: pairAtLineEnd,
    before: /^[ \t]*[\w.@-]{2,40}[ \t]*$/u,
    kind: "password",
    isIt: (value) =>
      (isChosen(value) && /[!#$%^&*?~](?=.)/u.test(value)) || numberedNames.test(value),
  },
  {
    // "- anna / Walnutgrove.12", an entry of a list.
    anchors: [" / "],
    pattern: pairAtLineEnd,
    before: /^[ \t]*(?:[-*•][ \t]+)?[\p{Ll}\d][\w.@-]{1,40}$/u,
    kind: "password",
    isIt: (value) => numberedName.test(value),
  },
  {
    // "netz LAGER5 und der schlüssel Haferflocke-88": the key of a network is chosen by somebody.
    anchors: networkKeys,
    pattern: new RegExp(
      String.raw`(?:${networkKeys.join("|")})(?:[ \t]?[:：=是为はé]|[ \t](?:is|ist|est|es|это))?[ \t]{0,2}["'\x60«„]?` +
        String.raw`([^\s"'\x60,;。、]{8,63})`,
      "iuy",
    ),
    before:
      /(?:netz|network|ssid|wlan|wi-?fi|réseau|(?<!\p{L})rede?|сет[ьи]|网络|ネットワーク)(?!\p{L}*list)[^\n]{0,60}$/iu,
    kind: "password",
    tail: sentenceTail,
    isIt: (value) => isChosen(value) || numberedName.test(value),
  },
  {
    // "unlock the phone with pin 739164": a number alone tells nothing, so what stands before must.
    anchors: ["pin "],
    pattern: /pin (?:code )?(\d{4,12})(?![\w.])/iuy,
    before:
      /(?<!\p{L})(?:with|using|mit|avec|con|com|с)[ \t](?:(?:the|my|its|der|dem|le|code|el|o)[ \t])?$/iu,
    kind: "password",
  },
  {
    anchors: ["-passin", "-passout", " pass:"],
    pattern: /(?:-pass(?:in|out)[ =])?[ ]?pass:([^\s"'\x60]{4,120})/iuy,
    before: /(?<!\p{L})(?:openssl[ ][^\n]{0,200})$/iu,
    kind: "password",
  },
  {
    // The private part of a JSON Web Key.
    anchors: ['"d"'],
    pattern: /"d"\s{0,3}:\s{0,3}"([\w-]{40,700})"/uy,
    before: /"kty"[^}]{0,60}$/u,
    kind: "secret",
  },
  {
    // `accounts: ["0x…"]`: keys of a test chain.
    anchors: ["accounts"],
    pattern: /accounts["']?\s{0,3}[:=]\s{0,3}\[\s{0,3}["'](0x[\da-f]{64})["']/iuy,
    kind: "secret",
  },
  {
    // `requests.get(url, auth=("svc", "…"))`.
    anchors: ["auth=(", "auth = (", "basicauth("],
    pattern:
      /(?:auth ?= ?|basicauth)\(\s{0,4}["'][^"'\n]{1,80}["'],\s{0,4}["']([^"'\s]{4,120})["']/iuy,
    kind: "password",
    isIt: (value) => isLabelled(value, "password") || /^[A-Za-z]{12,}$/u.test(value),
  },
];

/** The objects that are to be written down nowhere, behind a colon. */
const unkept: readonly string[] =
  "put it in a file|put it in the repo|nicht ins repo|nicht einchecken|pas dans le dépôt|別記|别落盘|别进仓库".split(
    "|",
  );

/** Up to a mark, or a letter of a script in which "is" stands before the value without a space. */
const wordsOfLine = /[^\s"'`,;：:=(<，。、；）「」\u3040-\u30ff\u3400-\u9fff]+/gu;

interface Announced {
  readonly words: readonly string[];
  readonly kind: string;
  readonly isIt: (value: string) => boolean;
  /** The words that have to stand right before it. */
  readonly opensWith?: RegExp;
}

/** "Key fingerprint SHA256:…": the fingerprint of a public key is no secret. */
const namesDigest = /(?<![A-Za-z])(?:sha-?(?:1|256|384|512)|md5)[:=]$/iu;

const marker = "[redacted:";

const isAnnounced = ({ isIt, opensWith }: Announced, value: string, before: string): boolean =>
  isIt(value) && !namesDigest.test(before) && opensWith?.test(before) !== false;

function behind(hay: Haystack, announced: Announced): readonly Span[] {
  const found: Span[] = [];
  let [reached, read] = [0, 0];
  for (const at of hits(hay, announced.words).toSorted((a, b) => a - b)) {
    // One look serves words that stand close together; what an earlier round left announces nothing.
    if (at < reached || hay.text.startsWith(marker, at - marker.length)) continue;
    const line = hay.text.slice(at, at + reachChars + valueCharsMax).split("\n", 1)[0] ?? "";
    for (const { 0: raw, index } of line.matchAll(wordsOfLine)) {
      if (index > reachChars) break;
      // The look before has judged it.
      if (index > 0 && at + index < read) continue;
      const value = raw.replace(sentenceTail, "");
      if (isAnnounced(announced, value, line.slice(0, index)))
        found.push({ start: at + index, end: at + index + value.length, kind: announced.kind });
    }
    reached = at + 8;
    read = Math.max(read, at + Math.min(reachChars + 1, line.length));
  }
  return found;
}

/** A key of 256 bits, hexadecimal or base64. */
const isWholeKey = (value: string): boolean =>
  /^(?:0x)?[0-9a-f]{64}$/iu.test(value) ||
  (/^[A-Za-z0-9+/]{43}$/u.test(value) && /\d/u.test(value));

/** Keys that name their stage: `bs_live_…`, `geo_test_…`, `crm_sbx_…`. */
const stages: readonly string[] = ["_live_", "_test_", "_sbx_", "_sandbox_"];
const stagedKey =
  /[A-Za-z][A-Za-z0-9]{0,11}_(?:live|test|sbx|sandbox)_([A-Za-z0-9]{12,80})(?![A-Za-z0-9_])/uy;
const stageHeadMax = 12;

function staged(hay: Haystack): readonly Span[] {
  return hits(hay, stages).flatMap((at): readonly Span[] => {
    let start = at;
    while (start > 0 && at - start < stageHeadMax && /[A-Za-z0-9]/u.test(hay.text[start - 1] ?? ""))
      start -= 1;
    stagedKey.lastIndex = start;
    const match = stagedKey.exec(hay.text);
    if (match === null || (match[1]?.match(/\d/gu)?.length ?? 0) < 3) return [];
    return [{ start, end: start + match[0].length, kind: "secret" }];
  });
}

/** Paths, addresses, calls, names in code, and regions: "eu-central-1". */
const isCode = (value: string): boolean =>
  /[/\\(){}[\]<>@|]|\.\p{L}|_\p{Ll}+_|::|\$\{|^[a-z]{2}-[a-z]{4,9}-?\d$/u.test(value);

const sortsIn = (value: string): number =>
  [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[!#$%^&*+?~-]/u].filter((sort) => sort.test(value)).length;

/** Eight characters or more of at least three sorts, with a digit or a mark that no word has inside. */
const isChosen = (value: string): boolean =>
  value.length >= 8 &&
  !isCode(value) &&
  sortsIn(value) >= 3 &&
  /\p{N}|[!#$%^&*+?~]/u.test(value) &&
  /\p{L}/u.test(value);

/** Sixteen or more, small and capital letters mixed with at least three digits. */
const isDrawn = (value: string): boolean =>
  value.length >= 16 &&
  /^[\w-]+$/u.test(value) &&
  /[a-z]/u.test(value) &&
  /[A-Z]/u.test(value) &&
  (value.match(/\d/gu)?.length ?? 0) >= 3 &&
  /\d[A-Za-z]|[A-Za-z]\d/u.test(value);

/** The same behind a dotted name, where letters and digits take turns more often than in any name. */
function isMixed(value: string): boolean {
  const last = value.slice(value.lastIndexOf(".") + 1);
  const turns = last.match(/(?<=\d)[A-Za-z]|(?<=[A-Za-z])\d/gu)?.length ?? 0;
  return turns >= turnsMin && /^[\w.-]+$/u.test(value) && isDrawn(last);
}

const turnsMin = 6;

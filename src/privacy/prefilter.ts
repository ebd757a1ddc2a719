/**
 * Could this text hold a secret? A look at literals only, so that a hook can leave the ruleset unloaded.
 *
 * Says yes too often by design and never no for a text in which the gate would find something (tested against every
 * rule). Knows beginnings and names, no rules.
 */
import { seenPartOf } from "#kit";
import { encodedRuns } from "./encoded.ts";
import { haystack, holds, type Haystack } from "./spans.ts";
import { detectPayment } from "./payment.ts";
import { detectProse } from "./prose.ts";
import anchors from "./gitleaks-anchors.json";

/** Beginnings of tokens (tokens.ts), always with more behind them. */
const ownPrefixes = (
  "goog_ fw_ sk_ hrku- nrak- dp. pcsk_ csk- aqe akia asia abia acca a3t sk_live_ " +
  "sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ whsec_ ghp_ gho_ ghu_ ghs_ ghr_ " +
  "github_pat_ " +
  "glpat- gldt- glft- glrt- glptt- glsoat- glcbt- glimt- glagent- gloas- npm_ xox xapp- hooks.slack.com/ " +
  "/webhooks/ aiza ya29. " +
  "gocspx- 1//0 sk- xai- gsk_ r8_ hf_ api_org_ nvapi- tvly- lsv2_ sbp_ sb_secret_ dckr_ dapi figd_ lin_api_ ntn_ " +
  "secret_ sg. " +
  "hvs. hvb. hvr. tskey- cfpat- sntrys_ sntryu_ oy2 cio napi_ rnd_ re_ atatt3 atctt3 atbb pplx- phx_ fo1_ fm1_ " +
  "fm2_ nfp_ " +
  "apify_api_ ccip hooks.zapier.com/ webhook.office.com/ :apa91b key- pypi- sig= x-amz- $2a$ $2b$ $2y$ $apr1$ $5$ " +
  "$6$ $y$ $argon2 age-secret-key _gitlab_session connect.sid= sessid= sessionid= _session= " +
  "session-token= sid= eyj"
).split(" ");

/**
 * Words around credentials (urls.ts, private-keys.ts, encoded.ts), and shapes without a long literal: first what
 * the text must hold, then the shape.
 */
const contexts: readonly (readonly [literal: string, shape: string])[] = [
  ["authorization", "authorization"],
  ["bearer", String.raw`bearer\s`],
  ["basic", String.raw`basic(?:\s{1,3}[a-z0-9+/]{12}|[ -]auth)`],
  ["openssl", "openssl"],
  ["totp", "totp"],
  ["2fa", "2fa s"],
  ["mfa", "mfa s"],
  ["authenticator", "authenticator"],
  ["code", "(?:backup|rescue) code|wiederherstellungscode|code de récupération"],
  ["código de recupera", "código de recupera"],
  ["восстановления", "код восстановления"],
  ["恢复码", "恢复码"],
  ["リカバリー", "リカバリーコード"],
  ["cookie", String.raw`cookie\W`],
  ["curl", "curl"],
  ["sshpass", "sshpass"],
  ["credential", "credential"],
  ["zugangsdaten", "zugangsdaten"],
  ["identifiants", "identifiants"],
  ["credencia", "credencia"],
  ["данные", "данные"],
  ["pass", String.raw`pass(?:: | is )`],
  ["pw", String.raw`pw(?:: | is )`],
  ["http", String.raw`https? -(?:a|-auth)`],
  ["xh", "xh -a"],
  ["codecov", "codecov"],
  [" / ", String.raw` / \w{3,20}[-._]`],
  ["in as ", "(?:log|sign)(?:ged)? ?in as "],
  ["seed", "seed"],
  ["mnemonic", "mnemonic"],
  ["wallet", "wallet"],
  ["recovery", "recovery"],
  ["snyk", "snyk auth"],
  ["twilio", "twilio"],
  ["sensitive", '"sensitive"'],
  ["password", String.raw`(?:login|user)\s+\S{1,100}\s+password`],
  ["mysql", "mysql"],
  ["mariadb", "mariadb"],
  ["in with ", String.raw`(?:log|sign)(?:ged)? ?in with \S+@`],
  ["-----begin", "-----begin"],
  ["-----end", "-----end"],
  // Commands (commands.ts).
  ...[
    "login",
    "credential",
    "creds",
    "zugang",
    "identifiants",
    "credencia",
    "acces",
    "acess",
    "доступ",
    "账号",
  ].map((word) => [word, String.raw`${word}[^\n]{0,140}\S\s{0,3}[/|]\s{0,3}\S`] as const),
  ...["login", "signin", "auth"].map(
    (word) => [word, String.raw`${word}[^\n]{0,300}(?:[\w+=-]{16}|\s-|\S@\S)`] as const,
  ),
  [" -", String.raw` -{1,2}(?:[ktp]|key|auth) ["']?[\w+=-]{16}`],
  ["config", String.raw`config[ :]set \S`],
  ["kv put ", "kv put "],
  ["variable set ", "variable set "],
  ["env", String.raw`env[ :](?:set|add) \S`],
  ["sops", "sops set "],
  ["put-parameter", "put-parameter"],
  ["http-basic.", String.raw`http-basic\.`],
  ["redis-cli", "redis-cli"],
  ["htpasswd", "htpasswd"],
  ["chpasswd", "chpasswd"],
  ["sudo", String.raw`\|\s*sudo`],
  ["cryptsetup", "cryptsetup"],
  ["ldap", String.raw`ldap\w{3,10}\s[^\n]{0,300}-w`],
  ["mongo", String.raw`mongo\w{0,10}\s[^\n]{0,300}\s-p`],
  ["zip", String.raw`zip\s[^\n]{0,300}-P`],
  ["7z", String.raw`7za?\s[^\n]{0,300}-p`],
  ["sqlcmd", "sqlcmd"],
  ["bcp", String.raw`bcp\s[^\n]{0,300}-P`],
  ["mosquitto_", "mosquitto_"],
  ["psftp", "psftp"],
  ["plink", "plink"],
  ["pscp", "pscp"],
  ["psexec", "psexec"],
  ["cmdkey", "cmdkey"],
  ["xfreerdp", "xfreerdp"],
  ["smbclient", "smbclient"],
  ["sqlplus", "sqlplus"],
  ["expdp", "expdp"],
  ["impdp", "impdp"],
  ["lftp", "lftp"],
  ["wpa_passphrase", "wpa_passphrase"],
  ["net use", String.raw`net\s+user?\s`],
  ["convertto-securestring", "convertto-securestring"],
  ["identified ", "identified "],
  ["requirepass", "requirepass"],
  ["masterauth", "masterauth"],
  ["jdbc:oracle:", "jdbc:oracle:"],
  // Wallets (payment.ts).
  ["prv", "[xyztuv]prv[1-9a-z]{50}"],
  ...["seed", "recovery", "mnemonic", "backup", "wallet", "secret"].map(
    (word) => [word, String.raw`${word}[^]{0,60}?(?:\b[a-z]{3,8}[ \t]{1,2}){11}`] as const,
  ),
  [":5432:", ":5432:"],
  ["@tcp(", String.raw`@tcp\(`],
  ["@unix(", String.raw`@unix\(`],
  [":*:", String.raw`:\*:`],
  ["-us", String.raw`[0-9a-f]{32}-us\d`],
  ["private-lines:", "private-lines:"],
  ["secret", String.raw`kind:\s{0,4}["']?secret`],
  ["_mmk", "_mmk"],
  ["<add key=", "<add key="],
  ["q~", String.raw`q~[\w~.-]{20}`],
  ["sk", "sk[0-9a-f]{32}"],
  ["s.", String.raw`s\.[a-z0-9]{24}`],
  ["private", "private[ _-]key"],
  ["pat", "pat[0-9a-z]{14}"],
  ["2/", String.raw`2/\d{13}`],
  ["sid=00d", "sid=00d"],
  ["bkua_", "bkua_"],
  // The literals of what people say (spoken.ts).
  ["passwor", "passwor"],
  // A login before "pass", and headings of lists (prose.ts, lists.ts).
  ["pass", String.raw`(?<![\p{L}_])pass[ \t]+["'\x60]?\S{6}`],
  ["pw", String.raw`(?<![\p{L}_])pwd?[ \t]+["'\x60]?\S{6}`],
  ["login", String.raw`login[^\n]{0,40}\n`],
  ["credencial", "credencial"],
  ["credenciai", "credenciai"],
  ["zugänge", "zugänge"],
  ["anmeldedaten", "anmeldedaten"],
  ["accès", String.raw`accès[^\n]{0,40}\n`],
  ["accesos", "accesos"],
  ["acessos", "acessos"],
  ["учётн", "учётн"],
  ["учетн", "учетн"],
  ["凭据", "凭据"],
  ["登录", "登录"],
  // Ordinary words (plain.ts).
  ["login", "login (?:is|ist|est|es) "],
  ["creds", "creds"],
  ["zugang", String.raw`zugang\w{0,10} ?: ?\S+ ?[/|]`],
  ["in ", "(?:sign|log)(?:ged|ed)? in (?:with|as) "],
  [" the ", String.raw`[/:] ?\S{4,32} (?:is|are) (?:the|our|my) `],
  [" das ", String.raw`[/:] ?\S{4,32} (?:ist|sind) (?:das|die|unser) `],
  [" les ", String.raw`[/:] ?\S{4,32} (?:est|sont) (?:le|les) `],
  [" es ", String.raw`[/:] ?\S{4,32} es (?:el|la) `],
  ["passphrase", "passphrase"],
  ["frase", "frase (?:secreta|de paso)"],
  [" key", String.raw` key(?:\s?[:=]|\s(?:is|ist|est|es|é))?\s{1,3}["'\x60]?[\da-f]{32}`],
  ["passcode", "passcode"],
  ["passwör", "passwör"],
  ["kennwort", "kennwort"],
  ["kennwört", "kennwört"],
  ["contrase", "contrase"],
  ["senha", "senha"],
  ["mot de passe", "mot de passe"],
  ["mdp", String.raw`mdp\W`],
  ["парол", "парол"],
  ["密码", "密码"],
  ["密碼", "密碼"],
  ["口令", "口令"],
  ["パスワード", "パスワード"],
  ["pw ", "pw "],
  ["--pin ", "--pin "],
  ["pin", String.raw`pin\b`],
  ["wifi", "wifi"],
  ["wlan-", "wlan-code"],
  ["community string", "community string"],
  ["keystore phrase", "keystore phrase"],
  ["code", "(?:door |tür)code|code de la porte"],
  ["暗証番号", "暗証番号"],
  ["get in", "get in"],
  ["unlock", "unlock"],
  ["open", String.raw`opens?\b[^\n]*-\d`],
  ["combination", "combination"],
  ["luks", "luks"],
  ["wpa", "wpa"],
  ["_live_", "_live_"],
  ["_test_", "_test_"],
  ["_sbx_", "_sbx_"],
  ["_sandbox_", "_sandbox_"],
  ["token", "token"],
  ["api", "api[ _-]?key"],
  ["secret", "secret"],
  ["schlüssel", "schlüssel"],
  ["clave", "clave"],
  ["chave", "chave"],
  ["clé", "clé"],
  ["ключ", "ключ"],
  ["секрет", "секрет"],
  ["токен", "токен"],
  ["доступ", "доступ"],
  ["jeton", "jeton"],
  ["zugangs", "zugangs"],
  ["zugriffs", "zugriffs"],
  ["identifiants", "identifiants"],
  ["令牌", "令牌"],
  ["密鑰", "密鑰"],
  ["账号", "账号"],
  ["トークン", "トークン"],
  ["phrase secr", "phrase secr"],
  ["mots de passe", "mots de passe"],
  ["密钥", "密钥"],
  ["キー", "キー"],
];

/** Names that matter only with a value behind them (tellingWords of assignments.ts). */
const ownNames = "key token secret pass pwd cred auth jwt otp pin pw psk".split(" ");

/** Literals that ordinary words begin with; `contexts` has their shapes. */
const tooCommon: ReadonlySet<string> = new Set(["pat", "_mmk"]);

const distinct = (literals: readonly string[]): readonly string[] =>
  [...new Set(literals)].filter((literal) => !tooCommon.has(literal) && !literal.startsWith("<"));

const prefixes = distinct([...anchors.prefixes, ...ownPrefixes]);
const names = distinct([...anchors.names, ...ownNames]);

/**
 * False = the gate would find no secret in it. `[privacy] redact` patterns are not looked at.
 *
 * Literals first: one expression over all of them costs a hook 0.9 ms before it has seen a text, looking for two
 * hundred words in a short text takes microseconds. Expressions are built for the few words that are there.
 */
export function mayHoldSecret(original: string): boolean {
  const text = seenPartOf(original)?.text ?? original;
  const hay = haystack(text);
  return (
    holdsToken(hay) ||
    contexts.some(([literal, shape]) => holds(hay, literal) && matches(shape, text)) ||
    holdsNamed(hay) ||
    (text.includes("@") && /:\/\/[^\s"'<>]{1,400}?@/.test(text)) ||
    unnamed.test(text) ||
    detectProse(hay).length > 0 ||
    detectPayment(hay).length > 0 ||
    encodedRuns(text).some((run) => mayHoldSecret(run.text))
  );
}

/** Tokens without a word or a beginning: a bot's, a wallet's, a line of a key without its header. */
const unnamed = new RegExp(
  String.raw`\d{8}:[\w-]{35}|[5KL][1-9A-HJ-NP-Za-km-z]{50}|[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27}` +
    String.raw`|(?<![^\n])[ \t>]{0,8}[A-Za-z0-9+/]{64}(?:[A-Za-z0-9+/]{6})?\r?\n`,
);

/** A beginning, with more behind it. */
function holdsToken(hay: Haystack): boolean {
  const found = prefixes.filter((prefix) => holds(hay, prefix));
  return found.length > 0 && matches(`(?:${anyOf(found)})\\S{5}`, hay.text);
}

/** A name, and not far behind it what joins it to a value; or a command's option of that name. */
function holdsNamed(hay: Haystack): boolean {
  const { text } = hay;
  const found = names.filter((name) => holds(hay, name)).map(escaped);
  if (holds(hay, "pat")) found.push(String.raw`pat\W`, "_pat");
  if (found.length === 0) return false;
  const joined = String.raw`(?:${found.join("|")})[^]{0,60}?(?:[=:>|,;\\t(→]|\s(?:is|was|equals|be|to)\s)`;
  // Alone on a line, and one word below it.
  const below =
    String.raw`(?:${found.join("|")})[^\n]{0,40}\n\s{0,8}` +
    String.raw`(?:\x60{3}\w{0,10}\s{1,2})?[>"'\x60*]{0,4}[ \t]?\S{6,300}[ \t\r]{0,4}(?:\n|$)`;
  const own = ownNames.filter((name) => holds(hay, name));
  return (
    matches(joined, text) ||
    matches(below, text) ||
    (own.length > 0 && matches(String.raw`--?\w{0,20}(?:${anyOf(own)})`, text))
  );
}

const matches = (expression: string, text: string): boolean =>
  new RegExp(expression, "i").test(text);

const escaped = (literal: string): string =>
  literal.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

const anyOf = (literals: readonly string[]): string => literals.map(escaped).join("|");

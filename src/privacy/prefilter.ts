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

/** Words around credentials (urls.ts, private-keys.ts, encoded.ts), of commands (commands.ts), and what people say. */
const words = (
  "auth=(|auth = (|basicauth(|" +
  "authorization|openssl|totp|2fa s|mfa s|authenticator|código de recupera|код восстановления|恢复码|リカバリーコード|" +
  "curl|sshpass|credential|identifiants|credencia|данные|xh -a|codecov|seed|mnemonic|wallet|recovery|snyk auth|" +
  'twilio|"sensitive"|mysql|mariadb|-----begin|-----end|kv put |variable set |sops set |put-parameter|' +
  "http-basic.|redis-cli|htpasswd|chpasswd|cryptsetup|sqlcmd|mosquitto_|psftp|plink|pscp|psexec|cmdkey|" +
  "xfreerdp|smbclient|sqlplus|expdp|impdp|lftp|convertto-securestring|identified |requirepass|masterauth|" +
  "jdbc:oracle:|:5432:|@tcp(|@unix(|:*:|private-lines:|_mmk|<add key=|sid=00d|bkua_|passwor|zugänge|" +
  "anmeldedaten|accesos|acessos|учётн|учетн|凭据|登录|creds|passphrase|passcode|passwör|kennwort|kennwört|contrase|" +
  "senha|mot de passe|парол|密码|密碼|口令|パスワード|合言葉|pw |pw,|-passin|-passout|--pin |" +
  "wifi|wlan-code|community string|keystore phrase|暗証番号|" +
  "get in|unlock|combination|luks|wpa|_live_|_test_|_sbx_|_sandbox_|token|secret|schlüssel|clave|chave|clé|" +
  "ключ|секрет|токен|доступ|jeton|zugangs|zugriffs|令牌|密鑰|账号|トークン|phrase secr|mots de passe|密钥|キー"
).split("|");

/** Shapes without a long literal, for what else these and prose.ts, lists.ts, plain.ts and payment.ts know. */
const contexts: readonly (readonly [literal: string, shape: string])[] = [
  ["bearer", String.raw`bearer\s`],
  ["basic", String.raw`basic(?:\s{1,3}[a-z0-9+/]{12}|[ -]auth)`],
  ["code", "(?:backup|rescue) code|wiederherstellungscode|code de récupération"],
  ["cookie", String.raw`cookie\W`],
  ["pass", "pass(?:: | is )"],
  ["pw", "pw(?:: | is )"],
  ["pass:", "openssl "],
  ["accounts", String.raw`accounts["']?\s{0,3}[:=]\s{0,3}\[`],
  ["kty", '"d"'],
  ["key", String.raw`(?:netz|network|ssid|rede?)\P{L}[^\n]{0,60}key`],
  ["http", "https? -(?:a|-auth)"],
  [" / ", String.raw` / \w{3,20}[-._]`],
  ["in as ", "(?:log|sign)(?:ged)? ?in as "],
  ["in with ", String.raw`(?:log|sign)(?:ged)? ?in with \S+@`],
  ["login", String.raw`login[^\n]{0,140}\S\s{0,3}[/|]\s{0,3}\S`],
  ["zugang", String.raw`zugang[^\n]{0,140}\S\s{0,3}[/|]\s{0,3}\S`],
  ["acces", String.raw`acces[^\n]{0,140}\S\s{0,3}[/|]\s{0,3}\S`],
  ["acess", String.raw`acess[^\n]{0,140}\S\s{0,3}[/|]\s{0,3}\S`],
  ["login", String.raw`login[^\n]{0,300}(?:[\w+=-]{16}|\s-|\S@\S)`],
  ["signin", String.raw`signin[^\n]{0,300}(?:[\w+=-]{16}|\s-|\S@\S)`],
  ["auth", String.raw`auth[^\n]{0,300}(?:[\w+=-]{16}|\s-|\S@\S)`],
  [" -", String.raw` -{1,2}(?:[ktp]|key|auth) ["']?[\w+=-]{16}`],
  ["config", String.raw`config[ :]set \S`],
  ["env", String.raw`env[ :](?:set|add) \S`],
  ["sudo", String.raw`\|\s*sudo`],
  ["ldap", String.raw`ldap\w{3,10}\s[^\n]{0,300}-w`],
  ["mongo", String.raw`mongo\w{0,10}\s[^\n]{0,300}\s-p`],
  ["zip", String.raw`zip\s[^\n]{0,300}-P`],
  ["7z", String.raw`7za?\s[^\n]{0,300}-p`],
  ["bcp", String.raw`bcp\s[^\n]{0,300}-P`],
  ["net use", String.raw`net\s+user?\s`],
  ["prv", "[xyztuv]prv[1-9a-z]{50}"],
  ["backup", String.raw`backup[^]{0,60}?(?:\b[a-z]{3,8}[ \t]{1,2}){11}`],
  ["-us", String.raw`[0-9a-f]{32}-us\d`],
  ["q~", String.raw`q~[\w~.-]{20}`],
  ["sk", "sk[0-9a-f]{32}"],
  ["s.", String.raw`s\.[a-z0-9]{24}`],
  ["private", "private[ _-]key"],
  ["pat", "pat[0-9a-z]{14}"],
  ["2/", String.raw`2/\d{13}`],
  ["pass", String.raw`(?<![\p{L}_])pass[ \t]+["'\x60]?\S{6}`],
  ["pw", String.raw`(?<![\p{L}_])pwd?[ \t]+["'\x60]?\S{6}`],
  ["login", String.raw`login[^\n]{0,40}\n`],
  ["accès", String.raw`accès[^\n]{0,40}\n`],
  ["login", "login (?:is|ist|est|es) "],
  ["zugang", String.raw`zugang\w{0,10} ?: ?\S+ ?[/|]`],
  ["in ", "(?:sign|log)(?:ged|ed)? in (?:with|as) "],
  [" the ", String.raw`[/:] ?\S{4,32} (?:is|are) (?:the|our|my) `],
  [" das ", String.raw`[/:] ?\S{4,32} (?:ist|sind) (?:das|die|unser) `],
  [" les ", String.raw`[/:] ?\S{4,32} (?:est|sont) (?:le|les) `],
  [" es ", String.raw`[/:] ?\S{4,32} es (?:el|la) `],
  ["frase", "frase (?:secreta|de paso)"],
  [" key", String.raw` key(?:\s?[:=]|\s(?:is|ist|est|es|é))?\s{1,3}["'\x60]?[\da-f]{32}`],
  ["mdp", String.raw`mdp\W`],
  ["pin", String.raw`pin\b`],
  ["code", "(?:door |tür)code|code de la porte"],
  ["open", String.raw`opens?\b[^\n]*-\d`],
  ["api", "api[ _-]?key"],
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
    words.some((word) => holds(hay, word)) ||
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

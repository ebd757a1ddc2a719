/**
 * Could this text hold a secret? A look at literals only, so that a hook can leave the ruleset unloaded.
 *
 * Says yes too often by design and never no for a text in which the gate would find something (tested against every
 * rule). Knows beginnings and names, no rules.
 */
import anchors from "./gitleaks-anchors.json";

/** Beginnings of tokens (tokens.ts), always with more behind them. */
const ownPrefixes = (
  "akia asia abia acca a3t sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ whsec_ ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ " +
  "glpat- gldt- glft- glrt- glptt- glsoat- glcbt- glimt- glagent- gloas- npm_ xox xapp- hooks.slack.com/ /webhooks/ aiza ya29. " +
  "gocspx- 1//0 sk- xai- gsk_ r8_ hf_ api_org_ nvapi- tvly- lsv2_ sbp_ sb_secret_ dckr_ dapi figd_ lin_api_ ntn_ secret_ sg. " +
  "key- pypi- :aa sig= x-amz- $2a$ $2b$ $2y$ $apr1$ $5$ $6$ $y$ $argon2 age-secret-key _gitlab_session eyj"
).split(" ");

/**
 * Words around credentials (headers.ts, private-keys.ts, kubernetes.ts), and shapes without a long literal: first what
 * the text must hold, then the shape.
 */
const contexts: readonly (readonly [literal: string, shape: string])[] = [
  ["authorization", "authorization"],
  ["bearer", String.raw`bearer\s`],
  ["basic", String.raw`basic\s{1,3}[a-z0-9+/]{12}`],
  ["cookie", String.raw`cookie\W`],
  ["curl", "curl"],
  ["sshpass", "sshpass"],
  ["password", String.raw`(?:login|user)\s+\S{1,100}\s+password`],
  ["mysql", "mysql"],
  ["-----begin", "-----begin"],
  ["-----end", "-----end"],
  ["private-lines:", "private-lines:"],
  ["secret", String.raw`kind:\s{0,4}["']?secret`],
  ["_mmk", "_mmk"],
  ["<add key=", "<add key="],
  ["q~", String.raw`q~[\w~.-]{20}`],
  ["sk", "sk[0-9a-f]{32}"],
  ["s.", String.raw`s\.[a-z0-9]{24}`],
  ["pat", "pat[0-9a-z]{14}"],
  // What people say (spoken.ts).
  ["passwor", "passwor"],
  ["passphrase", "passphrase"],
  ["passcode", "passcode"],
  ["kennwort", "kennwort"],
  ["contrase", "contrase"],
  ["senha", "senha"],
  ["mot de passe", "mot de passe"],
  ["mdp ", "mdp "],
  ["парол", "парол"],
  ["密码", "密码"],
  ["密碼", "密碼"],
  ["口令", "口令"],
  ["パスワード", "パスワード"],
  ["pw ", "pw "],
  ["--pin ", "--pin "],
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
  ["clé ", "clé "],
  ["ключ", "ключ"],
  ["密钥", "密钥"],
  ["キー", "キー"],
];

/** Names that matter only with a value behind them (tellingWords of assignments.ts). */
const ownNames = "key token secret pass pwd cred auth jwt otp pin pw".split(" ");

/** Literals that ordinary words begin with; `contexts` has their shapes. */
const tooCommon: ReadonlySet<string> = new Set(["pat", "_mmk"]);

const distinct = (literals: readonly string[]): readonly string[] =>
  [...new Set(literals)].filter((literal) => !tooCommon.has(literal) && !literal.startsWith("<"));

const prefixes = distinct([...anchors.prefixes, ...ownPrefixes]);
const names = distinct([...anchors.names, ...ownNames]);

/**
 * False = the gate would find no secret in it. `[privacy] redact` patterns are not looked at.
 *
 * Literals first: one expression over all of them costs a hook 0.9 ms before it has seen a text, looking for two hundred
 * words in a short text takes microseconds. Expressions are built for the few words that are there.
 */
export function mayHoldSecret(text: string): boolean {
  const lower = text.toLowerCase();
  return (
    holdsToken(text, lower) ||
    contexts.some(([literal, shape]) => lower.includes(literal) && matches(shape, text)) ||
    holdsNamed(text, lower) ||
    (text.includes("@") && /:\/\/[^\s"'<>]{1,400}?@/.test(text))
  );
}

/** A beginning, with more behind it. */
function holdsToken(text: string, lower: string): boolean {
  const found = prefixes.filter((prefix) => lower.includes(prefix));
  return found.length > 0 && matches(`(?:${anyOf(found)})\\S{5}`, text);
}

/** A name, and not far behind it what joins it to a value; or a command's option of that name. */
function holdsNamed(text: string, lower: string): boolean {
  const found = names.filter((name) => lower.includes(name)).map(escaped);
  if (lower.includes("pat")) found.push(String.raw`pat\W`, "_pat");
  if (found.length === 0) return false;
  const joined = String.raw`(?:${found.join("|")})[^]{0,60}?(?:[=:>|,(→]|\s(?:is|was|equals|be|to)\s)`;
  const own = ownNames.filter((name) => lower.includes(name));
  return (
    matches(joined, text) ||
    (own.length > 0 && matches(String.raw`--?\w{0,20}(?:${anyOf(own)})`, text))
  );
}

const matches = (expression: string, text: string): boolean =>
  new RegExp(expression, "i").test(text);

const escaped = (literal: string): string =>
  literal.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

const anyOf = (literals: readonly string[]): string => literals.map(escaped).join("|");

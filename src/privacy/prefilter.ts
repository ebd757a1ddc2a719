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

/** Words around credentials (headers.ts, private-keys.ts, kubernetes.ts), and shapes without a long literal. */
const contexts = [
  "authorization",
  String.raw`bearer\s`,
  String.raw`basic\s{1,3}[a-z0-9+/]{12}`,
  String.raw`cookie\W`,
  "curl",
  "sshpass",
  String.raw`(?:login|user)\s+\S{1,100}\s+password`,
  "mysql",
  "-----begin",
  "-----end",
  "private-lines:",
  String.raw`kind:\s{0,4}["']?secret`,
  "_mmk",
  "<add key=",
  String.raw`q~[\w~.-]{20}`,
  "sk[0-9a-f]{32}",
  String.raw`s\.[a-z0-9]{24}`,
  "pat[0-9a-z]{14}",
];

/** Names that matter only with a value behind them (tellingWords of assignments.ts). */
const ownNames = "key token secret pass pwd cred auth jwt otp pin pw".split(" ");

/** Literals that ordinary words begin with; `contexts` has their shapes. */
const tooCommon: ReadonlySet<string> = new Set(["pat", "_mmk"]);

const anyOf = (literals: readonly string[]): string =>
  [...new Set(literals)]
    .filter((literal) => !tooCommon.has(literal) && !literal.startsWith("<"))
    .map((literal) => literal.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
    .join("|");

const token = new RegExp(`(?:${anyOf([...anchors.prefixes, ...ownPrefixes])})\\S{5}`, "i");
const context = new RegExp(contexts.join("|"), "i");
/** A name, and not far behind it what joins it to a value. */
const named = new RegExp(
  `(?:${anyOf([...anchors.names, ...ownNames])}|pat\\W|_pat)[^]{0,60}?(?:[=:>|,(→]|\\s(?:is|was|equals|be|to)\\s)|--?\\w{0,20}(?:${anyOf(ownNames)})`,
  "i",
);
const addressWithUser = /:\/\/[^\s"'<>]{1,400}?@/;

/** False = the gate would find no secret in it. `[privacy] redact` patterns are not looked at. */
export const mayHoldSecret = (text: string): boolean =>
  token.test(text) ||
  context.test(text) ||
  named.test(text) ||
  (text.includes("@") && addressWithUser.test(text));

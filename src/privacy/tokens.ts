/**
 * Our own rules for tokens that are recognised by how they begin.
 *
 * Looser than gitleaks' on purpose: any length from a handful of characters, any neighbour, no word list of
 * harmless examples. A fake key costs nothing when it is hidden; a real one that "looked fake" does.
 */
import {
  type Detector,
  entropyOf,
  type Haystack,
  hits,
  matchAt,
  type Shape,
  type Span,
  valuesOf,
} from "./spans.ts";

const wordStart = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[nrt]|%[0-9A-Fa-f]{2}))`;

/**
 * A token by its beginnings and what stands behind them; the secret is the group in that, else the whole. `before`: a
 * look at what stands before.
 */
const ruleFor =
  (before: string) =>
  (kind: string, beginnings: string, behind: string, flags = ""): Shape => {
    const all = beginnings.split(" ");
    const source = `(?:${all.map((one) => RegExp.escape(one)).join("|")})${behind}`;
    const isGrouped = /\((?!\?)/.test(behind);
    return {
      kind,
      anchors: all.map((one) => one.toLowerCase()),
      pattern: new RegExp(`${before}${isGrouped ? source : `(${source})`}`, `y${flags}`),
      // `ghp_xxxxxxxx` stands for a token.
      isIt: (_, { 0: token }) => entropyOf(token) >= standInBits && !standIn.test(token),
    };
  };
const standInBits = 1.6;
const standIn = /[_-]([xX0*])\1{5,}$/;

const rule = ruleFor("");
/** For beginnings that ordinary words share: only at the start of a word. */
const atWordStart = ruleFor(wordStart);

/** Twenty characters and more, a digit among them. */
const cookieValue = "(?=[\\w%.+/=-]{0,60}\\d)([\\w%.+/=-]{20,4000})";
const uuid = "[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}";

export const tokenRules: readonly Shape[] = [
  rule("aws-access-key", "AKIA ASIA ABIA ACCA", "[A-Z0-9]{8,40}"),
  rule("aws-access-key", "A3T", "[A-Z0-9]{17}"),
  rule(
    "stripe-key",
    "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_",
    "[A-Za-z0-9_]{6,250}",
    "i",
  ),
  rule(
    "paypal-token",
    "access_token$",
    "(?:production|sandbox)\\$[a-z0-9]{6,32}\\$[0-9a-f]{16,64}",
  ),
  rule("buildkite-token", "bkua_", "[0-9a-f]{20,100}"),
  atWordStart("asana-token", "2/", "\\d{13,20}/\\d{13,20}:[0-9a-f]{32}"),
  {
    ...rule("salesforce-session", "sid=00D", ""),
    pattern: /sid=(00D[A-Za-z0-9]{12}![\w.]{40,200})/y,
  },
  rule("stripe-key", "whsec_", "[A-Za-z0-9+/=_-]{8,250}"),
  rule("github-token", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", "[A-Za-z0-9_]{10,255}"),
  rule(
    "gitlab-token",
    "glpat- gldt- glft- glrt- glptt- glsoat- glcbt- glimt- glagent- gloas-",
    "[\\w.-]{10,320}",
  ),
  rule("npm-token", "npm_", "(?=[A-Za-z]{0,40}[0-9A-Z])[A-Za-z0-9]{20,100}"),
  rule(
    "slack-token",
    "xox",
    "[a-z](?:-|\\.xox[a-z]-)(?=[A-Za-z%-]{0,200}\\d)[A-Za-z0-9%-]{8,300}",
    "i",
  ),
  rule("slack-token", "xapp-", "[A-Za-z0-9-]{10,300}", "i"),
  rule(
    "slack-webhook",
    "hooks.slack.com/",
    "(?:services|workflows|triggers)/([A-Za-z0-9+/_-]{8,200})",
    "i",
  ),
  rule(
    "discord-webhook",
    "discord.com/api/webhooks/ discordapp.com/api/webhooks/",
    "(\\d{5,25}/[\\w-]{10,200})",
    "i",
  ),
  rule(
    "algolia-api-key",
    "algoliasearch(",
    "\\s*[\"'`]\\w{10}[\"'`],\\s*[\"'`]([\\da-f]{32})",
    "i",
  ),
  rule("wifi-password", "WIFI:", '(?:[A-OQ-Z]:[^;\\n]{0,100};){0,4}P:"?([^;"\\n]{1,100})'),
  rule("google-key", "AIza", "[\\w-]{20,100}"),
  rule("google-token", "ya29.", "[\\w.-]{16,1000}"),
  rule("google-secret", "GOCSPX-", "[\\w-]{12,100}"),
  atWordStart("google-token", "1//0", "[\\w-]{20,200}"),
  rule("anthropic-key", "sk-ant-", "[\\w-]{6,300}", "i"),
  atWordStart(
    "openai-key",
    "sk-proj- sk-svcacct- sk-admin- sk-or- sk-live- sk-test-",
    "[\\w-]{8,300}",
    "i",
  ),
  atWordStart("api-key", "sk-", `[a-z]{2,12}-${uuid}`),
  atWordStart("openai-key", "sk-", "(?=[a-z]{0,60}[A-Z0-9])[A-Za-z0-9]{16,200}"),
  atWordStart("openai-key", "sk-", "(?=[\\w-]{0,80}[0-9])(?=[\\w-]{0,80}[A-Z])[\\w-]{24,300}"),
  atWordStart("hubspot-token", "pat-na pat-eu pat-ap", `\\d-${uuid}`, "i"),
  atWordStart("xai-key", "xai-", "[A-Za-z0-9]{24,200}"),
  atWordStart("groq-key", "gsk_", "[A-Za-z0-9]{20,200}"),
  atWordStart("replicate-token", "r8_", "[A-Za-z0-9]{20,100}"),
  atWordStart("hugging-face-token", "hf_ api_org_", "(?=\\w{0,60}[A-Z0-9])[A-Za-z0-9]{20,100}"),
  atWordStart("nvidia-key", "nvapi-", "[\\w-]{20,200}"),
  atWordStart("search-key", "tvly-", "[\\w-]{16,100}"),
  atWordStart("langsmith-key", "lsv2_", "(?:pt|sk)_[A-Za-z0-9_]{16,100}"),
  atWordStart("google-key", "goog_", "[A-Za-z0-9]{20,100}"),
  atWordStart("fireworks-key", "fw_", "(?=[A-Za-z]{0,40}\\d)[A-Za-z0-9]{20,80}"),
  atWordStart("elevenlabs-key", "sk_", "[a-f0-9]{40,64}(?!\\w)"),
  atWordStart("heroku-token", "HRKU-", "[\\w-]{30,80}"),
  atWordStart("newrelic-key", "NRAK-", "[A-Z0-9]{20,60}", "i"),
  atWordStart(
    "doppler-token",
    "dp.",
    "(?:st|ct|sa|pt|scim|audit)\\.(?:[\\w-]{2,35}\\.)?[A-Za-z0-9]{30,60}",
  ),
  atWordStart("pinecone-key", "pcsk_", "[A-Za-z0-9_]{20,120}"),
  atWordStart("cerebras-key", "csk-", "[a-z0-9]{24,80}"),
  atWordStart("adyen-key", "AQE", "[a-z][A-Za-z0-9+/=.-]{40,400}"),
  atWordStart("supabase-key", "sbp_ sb_secret_", "[A-Za-z0-9_-]{16,100}"),
  atWordStart("docker-token", "dckr_pat_ dckr_oat_", "[\\w-]{12,100}"),
  atWordStart("databricks-token", "dapi", "[a-f0-9]{32}(?:-\\d)?"),
  atWordStart("figma-token", "figd_", "[\\w-]{20,100}"),
  atWordStart("linear-key", "lin_api_", "[A-Za-z0-9]{16,100}"),
  atWordStart("notion-token", "ntn_ secret_", "(?=[A-Za-z]{0,60}\\d)[A-Za-z0-9]{32,100}"),
  atWordStart("sendgrid-key", "SG.", "[\\w-]{8,100}\\.[\\w-]{8,100}"),
  atWordStart("mailgun-key", "key-", "[0-9a-f]{32}"),
  atWordStart("pypi-token", "pypi-", "[\\w-]{40,1000}"),
  atWordStart("azure-signature", "sig=", "([A-Za-z0-9%+/=]{30,200})"),
  rule(
    "aws-signature",
    "x-amz-signature= x-amz-security-token= x-amz-credential=",
    "([^\\s&\"']{10,2000})",
    "i",
  ),
  rule("password-hash", "$2a$ $2b$ $2y$", "\\d\\d\\$[./A-Za-z0-9]{20,60}"),
  rule("password-hash", "$apr1$ $5$ $6$ $y$", "[./A-Za-z0-9$=,+]{20,300}"),
  rule("password-hash", "$argon2", "\\w{1,2}\\$[./A-Za-z0-9$=,+]{20,300}"),
  atWordStart("vault-token", "hvs. hvb. hvr.", "(?=[\\w-]{0,60}\\d)[\\w-]{20,300}"),
  atWordStart("tailscale-key", "tskey-", "[a-z]{2,12}-[A-Za-z0-9]{8,40}(?:-[A-Za-z0-9]{12,80})?"),
  atWordStart("contentful-token", "CFPAT-", "[\\w-]{30,60}"),
  atWordStart("sentry-token", "sntrys_ sntryu_", "[\\w+/=-]{40,400}"),
  atWordStart("nuget-key", "oy2", "[a-z0-9]{43}(?!\\w)"),
  atWordStart("cargo-token", "cio", "[A-Za-z0-9]{32}(?!\\w)"),
  atWordStart("neon-key", "napi_", "[a-z0-9]{40,80}"),
  atWordStart("render-key", "rnd_", "(?=[a-z]{0,40}[A-Z0-9])[A-Za-z0-9]{24,60}"),
  atWordStart("resend-key", "re_", "(?=\\w{0,12}[A-Z0-9])[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,40}"),
  atWordStart("atlassian-token", "ATATT3 ATCTT3 ATBB", "[\\w=-]{24,300}"),
  atWordStart("perplexity-key", "pplx-", "[A-Za-z0-9]{32,80}"),
  atWordStart("posthog-key", "phx_", "[A-Za-z0-9]{32,80}"),
  atWordStart("fly-token", "fo1_ fm1_ fm2_", "(?=[\\w-]{0,60}\\d)[\\w+/=-]{40,1000}"),
  atWordStart("netlify-token", "nfp_", "[A-Za-z0-9]{32,60}"),
  atWordStart("apify-token", "apify_api_", "[A-Za-z0-9]{30,60}"),
  atWordStart("circleci-token", "ccipat_ ccipra_ ccipri_ ccipj_", "[A-Za-z0-9_]{30,100}", "i"),
  rule(
    "zapier-webhook",
    "hooks.zapier.com/",
    "hooks/(?:catch|standard)/(\\d{3,12}/\\w{5,60})",
    "i",
  ),
  rule(
    "teams-webhook",
    "webhook.office.com/",
    "webhookb?2?/([\\w@-]{20,100}(?:/\\w{3,40}/[\\w-]{10,80}(?:/[\\w-]{10,80}){0,2})?)",
    "i",
  ),
  rule("age-key", "age-secret-key-1", "[A-Z0-9]{20,100}", "i"),
  rule("cookie", "_gitlab_session=", "([0-9a-f]{16,})"),
  // Cookies of sessions, by the names that servers give them.
  rule("cookie", "connect.sid= sessid= sessionid= _session= session-token=", cookieValue, "i"),
  atWordStart("cookie", "sid=", cookieValue),
];

/** Tokens whose mark stands in the middle or at the end; looked for only where the mark is. */
interface MarkedToken {
  readonly kind: string;
  /** Lower case. */
  readonly mark: string;
  /** The distance before the mark at which it may begin. */
  readonly before: number;
  readonly pattern: RegExp;
}

const marked = (kind: string, mark: string, before: number, source: string): MarkedToken => ({
  kind,
  mark,
  before,
  pattern: new RegExp(`(?<![A-Za-z0-9])${source}(?![\\w-])`, "g"),
});

const markedTokens: readonly MarkedToken[] = [
  marked("mailchimp-key", "-us", 32, "[0-9a-f]{32}-us\\d{1,2}"),
  marked("firebase-key", ":apa91b", 12, "[\\w-]{8,12}:APA91b[\\w-]{80,200}"),
];

/** `<digits>:<35 characters>`, bare or behind `bot` in an address. */
const telegramToken = /(?<!\d)\d{8,12}:(?=[\w-]{0,34}[A-Z])(?=[\w-]{0,34}[a-z])[\w-]{35}(?![\w-])/g;
const discordToken = /(?<![\w-])[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,45}(?![\w-])/g;

/** Everything that is made like a token of a known service. */
export const detectTokens: Detector = (hay) => [
  ...markedTokens.flatMap((token) => Array.from(tokensAround(hay, token))),
  ...matchesOf(hay, "telegram-token", telegramToken),
  ...matchesOf(hay, "discord-token", discordToken),
  ...valuesOf(hay, tokenRules),
];

function* tokensAround(
  hay: Haystack,
  { kind, mark, before, pattern }: MarkedToken,
): Generator<Span> {
  for (const at of hits(hay, [mark])) {
    const from = Math.max(0, at - before - 1);
    for (const { 0: token, index } of hay.text.slice(from, at + 220).matchAll(pattern)) {
      if (from + index > at) break;
      yield { start: from + index, end: from + index + token.length, kind };
    }
  }
}

const matchesOf = ({ text }: Haystack, kind: string, pattern: RegExp): readonly Span[] =>
  [...text.matchAll(pattern)].map(({ 0: token, index }) => ({
    start: index,
    end: index + token.length,
    kind,
  }));

// The secret half of an AWS key pair, which has no mark of its own: forty random characters near a key id.

const keyId = /(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{8,40}/y;
const near = 300;
/** Forty characters, or a session token of hundreds. */
const candidate =
  /(?<![A-Za-z0-9+/])(?:[A-Za-z0-9+/]{38,44}|[A-Za-z0-9+/]{100,2000})={0,2}(?![A-Za-z0-9+/])/g;

export const detectAwsPairs: Detector = (hay) => {
  const spans: Span[] = [];
  let searched = 0;
  const positions = hits(hay, ["akia", "asia", "abia", "acca", "a3t"]).toSorted((a, b) => a - b);
  for (const at of positions) {
    if (matchAt(keyId, hay.text, at) === null) continue;
    const from = Math.max(searched, at - near);
    const to = Math.min(hay.text.length, at + near);
    for (const match of hay.text.slice(from, to + 100).matchAll(candidate)) {
      const start = from + match.index;
      if (isRandom(match[0]))
        spans.push({ start, end: start + match[0].length, kind: "aws-secret-key" });
    }
    searched = Math.max(searched, at);
  }
  return spans;
};

/** Mixed case and digits: no git hash, no path of words. */
const isRandom = (text: string): boolean =>
  /[a-z]/.test(text) && /[A-Z]/.test(text) && /[\d+/]/.test(text) && entropyOf(text) > 3.2;

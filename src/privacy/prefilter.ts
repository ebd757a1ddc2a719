/**
 * Could this text hold a secret? A look at literals only, so that a hook can leave the ruleset unloaded.
 *
 * Says yes too often by design and never no for a text in which the gate would find something (tested against every
 * rule). Knows beginnings and names, no rules.
 */
import anchors from "./gitleaks-anchors.json";

const ownPrefixes =
  "akia asia abia acca a3t sk_ rk_ whsec_ gh github_pat_ gl npm_ xox xapp- slack.com/ /webhooks/ aiza ya29. gocspx- 1//0 sk- xai- gsk_ r8_ hf_ " +
  "api_org_ nvapi- tvly- lsv2_ sbp_ sb_secret_ dckr_ dapi figd_ lin_api_ ntn_ secret_ sg. key- pypi- :aa sig= x-amz- $2a$ $2b$ $2y$ $apr1$ $5$ $6$ " +
  "$y$ $argon2 age-secret-key _gitlab_session eyj -----begin -----end private-lines: authorization bearer basic cookie curl sshpass login mysql kind:";

/** Names that matter only with a value behind them (tellingWords of assignments.ts). */
const ownNames =
  "key token secret passw passphrase passcode pass pwd cred auth jwt otp _pat pat pin pw";

const escaped = (literals: readonly string[]): string =>
  literals.map((literal) => literal.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)).join("|");

const prefixes = escaped([...new Set([...anchors.prefixes, ...ownPrefixes.split(" ")])]);
const names = escaped([...new Set([...anchors.names, ...ownNames.split(" ")])]);

/** gitleaks' rules whose beginnings have two characters only. */
const shapes = String.raw`q~[\w~.-]{20}|sk[0-9a-f]{32}|s\.[a-z0-9]{24}`;
/** An address with a user part. */
const address = String.raw`://[^\s"'<>]{1,400}?@`;

const pattern = new RegExp(`${prefixes}|${shapes}`, "i");
const named = new RegExp(
  `(?:${names})[^]{0,60}?(?:[=:>|,→]|\\s(?:is|was|equals|be|to)\\s)|--?(?:${names})`,
  "i",
);
const withUser = new RegExp(address, "i");

/** False = the gate would find no secret in it. `[privacy] redact` patterns are not looked at. */
export const mayHoldSecret = (text: string): boolean =>
  pattern.test(text) || named.test(text) || (text.includes("@") && withUser.test(text));

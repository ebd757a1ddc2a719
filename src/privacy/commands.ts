/**
 * Passwords on command lines, behind options that do not say so: `docker login -p X`, `redis-cli -a X`, `echo X | sudo
 * -S`.
 */
import { flagTalk } from "./judge.ts";
import { isLabelled } from "./words.ts";
import { isDigest, isHarmless, isPlainWord, isRandom, isUuid } from "./values.ts";
import { hits, matchAt, type Detector, type Shape, type Span, valuesOf } from "./spans.ts";

/** A value in quotes or up to the next blank. Not an option, a pipe or a variable. */
const value = String.raw`(?:"([^"\r\n]{3,200})"|'([^'\r\n]{3,200})'|((?![-|&;<>"'$])[^\s"'|;&]{3,200}))`;
/** The rest of a command up to an option. */
const upTo = String.raw`\b[^\r\n|;]{0,300}?\s`;

/** `isRun`: the words before the pattern are a program where a command begins. */
type IsIt = (value: string, isRun: boolean) => boolean;

const rule = (anchors: string, source: string, flags = "", isIt: IsIt = () => true): Shape => ({
  anchors: anchors.split("|"),
  pattern: new RegExp(source, `y${flags}`),
  kind: "password",
  isIt: (value, { index, input }) => !isTalk(value) && isIt(value, isRunAt(input, index)),
});

/** A program with an option that takes a password. */
const option = (programs: string, options: string): Shape =>
  rule(programs, `(?:${programs})${upTo}(?:${options})${value}`);

const registries =
  "docker login|podman login|nerdctl login|buildah login|skopeo login|helm registry login|oras login";

// `X login VALUE`, `X auth -t VALUE`, `X login -u bob -p VALUE`, of any program.

const login = String.raw`(?:login|signin|auth(?:enticate|[ :]token|[ :]login|[ :]init|token)?)`;
/** Options, with a value or without, and what has a mark inside: a server, an account. */
const given =
  String.raw`(?:[ \t]+--?[\w-]{1,40}(?:[= ](?!-)[^\s"'\x60]{1,80})?` +
  String.raw`|[ \t]+[\w-]{1,80}[.@:/][^\s"'\x60]{1,120})`;
const drawnValue = String.raw`["']?([\w+=-]{16,200})(?![\w./@:%+-]*[\w/@:%+-])`;

/** Drawn by lot, of capital and small letters among which digits stand: no id, no hash, no name in code. */
const isDrawn = (value: string): boolean =>
  isRandom(value, 20, 3.6) &&
  /[a-z]/.test(value) &&
  /[A-Z]/.test(value) &&
  (value.match(/(?<=\d)[A-Za-z]|(?<=[A-Za-z])\d/g)?.length ?? 0) >= turnsMin;
const turnsMin = 5;
/** Ids and hashes are keys where a command takes nothing else. */
const isKey = (value: string, isRun: boolean): boolean =>
  isDrawn(value) || (isRun && value.length >= 32 && (isUuid(value) || isDigest(value)));
const isChosen = (value: string): boolean =>
  isLabelled(value, "password") && !/^[\d:]+$/.test(value);

const loginRules: readonly Shape[] = [
  rule("login|signin|auth", `${login}${given}{0,4}?[ \\t]+${drawnValue}`, "", isKey),
  rule(
    "login|signin|auth",
    String.raw`${login}${given}{0,5}?[ \t]+(?:-[ptkas]|--(?:key|auth|secret|pass))[ =]${value}`,
    "",
    (secret, isRun) => isKey(secret, isRun) || (isRun && isChosen(secret)),
  ),
  rule(
    "login|signin|auth",
    String.raw`${login}${given}{0,3}?[ \t]+(?:-u|-l|--user(?:name)?|--login|--email)[ =]\S{1,80}` +
      String.raw`${given}{0,3}?[ \t]+-p[ =]${value}`,
    "",
    (secret, isRun) => isRun && !/^\d{2,5}(?::\d+)?$/.test(secret),
  ),
  rule(
    "login|signin",
    String.raw`(?:login|signin)[ \t]+[\w.+-]{1,60}@[\w.-]{1,80}[ \t]+${value}`,
    "",
    (secret, isRun) => isRun && (isKey(secret, isRun) || isChosen(secret)),
  ),
  rule(
    " -k | -t | -p | --key | --auth ",
    `[ ]-{1,2}(?:[ktp]|key|auth)[ ]${drawnValue}`,
    "",
    isDrawn,
  ),
  rule(
    "config set ",
    String.raw`config set [\w./:@-]{0,80}(?:token|secret|_auth|key)[ =]${value}`,
    "i",
    isKey,
  ),
];

/** Before a command in a sentence; and what stands before "login" and is no program. */
const cues = "bash|sudo|npx|bunx|run|use|do|try|exec|via|with|mit|per|avec|con|com|через";
const noProgram =
  "git|the|a|an|this|that|my|our|your|each|every|after|before|since|until|on|at|in|of|for|to|and|fix|fixed" +
  "|revert|merge|see|user|failed|first|last|new|old|broken|successful|session";
/** A program's name where a command begins. */
const commandBefore = new RegExp(
  String.raw`(?:^|[\n\x60"'$>&|;(:：。，、）」\u3040-\u30ff\u3400-\u9fff][ \t]{0,2}|(?<![\w-])(?:${cues})[ ])` +
    String.raw`(?!(?:${noProgram}|${cues})[ ])[a-z][\w.-]{1,30}(?:[ ]config)?[ ]$`,
  "iu",
);
const commandCharsMax = 80;
const isRunAt = (text: string, at: number): boolean =>
  commandBefore.test(text.slice(Math.max(0, at - commandCharsMax), at));

const rules: readonly Shape[] = [
  ...loginRules,
  rule(
    "curl",
    String.raw`curl${upTo}(?:-u|--user|--proxy-user)[=\s]{0,3}["']?[^\s:"']{1,100}:([^\s"']{2,200})`,
    "i",
  ),
  rule("sshpass", String.raw`sshpass\s+-p\s{0,3}${value}`, "i"),
  rule("login |user ", String.raw`(?:login|user)\s+\S{1,100}\s+password\s+(\S{3,200})`, "i"),
  rule(
    "mysql|mariadb",
    String.raw`(?:mysql|mariadb)(?:-?dump|-?admin)?${upTo}-p(?!ort\b|assword\b|rotocol\b)["']?` +
      String.raw`([^\s"'$-][^\s"']{3,200})`,
    "i",
  ),
  option(registries, String.raw`(?:-p|--password)[\s=]{1,3}`),
  option("redis-cli", String.raw`(?:-a|--pass)[\s=]{1,3}`),
  option("ldapsearch|ldapadd|ldapmodify|ldapdelete|ldappasswd|ldapwhoami", String.raw`-w\s{0,3}`),
  option("az login", String.raw`(?:-p|--password)[\s=]{1,3}`),
  option("mongosh|mongodump|mongorestore", String.raw`-p\s{1,3}`),
  option("unzip|zip", String.raw`-P\s{1,3}`),
  option("sqlcmd|bcp", String.raw`-P\s{0,3}`),
  option("mosquitto_pub|mosquitto_sub", String.raw`(?:-P|--pw)\s{1,3}`),
  option("plink|pscp|psftp", String.raw`-pw\s{1,3}`),
  option("7z|7za", String.raw`-p(?=\S*\d)`),
  option("openssl", String.raw`-[kK]\s{1,3}`),
  option("psexec", String.raw`-p\s{1,3}`),
  option("cmdkey", String.raw`/pass:`),
  option("xfreerdp", String.raw`/p:`),
  rule(
    "htpasswd",
    String.raw`htpasswd\s+(?:-\w+\s+){0,4}?-(?=\w*b)(?:\w*n\w*|[^\sn]+\s+\S{1,100})\s+\S{1,100}\s+${value}`,
  ),
  rule(
    "smbclient",
    String.raw`smbclient${upTo}(?:-U|--user)[\s=]{0,3}["']?[^\s%"']{1,60}%([^\s"']{3,200})`,
  ),
  rule(
    "sqlplus|expdp|impdp",
    String.raw`(?:sqlplus|expdp|impdp)\s+(?:-\w+\s+){0,3}["']?\w{1,60}/([^\s@"'/]{3,200})`,
  ),
  rule(
    "lftp|wpa_passphrase",
    String.raw`(?:lftp${upTo}-u\s+[^\s,]{1,60},|wpa_passphrase\s+\S{1,60}\s+)${value}`,
  ),
  rule("net use", String.raw`net\s+use${upTo}(?!\\)([^\s"'/*:\\]{4,100})\s+/user:`, "i"),
  rule("net use", String.raw`net\s+use${upTo}/user:\S{1,100}\s+(?!/)${value}`, "i"),
  rule("net user", String.raw`net\s+user\s+\S{1,60}\s+(?!/)${value}(?=\s+/add|\s*$)`, "im"),
  rule("convertto-securestring", String.raw`convertto-securestring\s+(?:-string\s+)?${value}`, "i"),
  rule(
    "basic auth|basic-auth",
    String.raw`basic[ -]auth(?:entication)?(?:[ \t]*[:=]|[ \t]+(?:is|are|uses|with|creds?|credentials|login))*[ \t]+` +
      String.raw`["'\x60]?[^\s:"'\x60/]{1,60}:([^\s"'\x60]{4,80})`,
    "i",
  ),
  rule("password '|password \"", String.raw`password\s+['"]([^'"\s]{4,200})['"]`, "i"),
  rule("requirepass|masterauth", String.raw`(?:requirepass|masterauth)\s+${value}`),
  rule("jdbc:oracle:", String.raw`jdbc:oracle:\w{1,10}:\w{1,60}/([^\s@"'/]{3,200})@`),
  rule(
    "identified ",
    String.raw`identified\s+(?:with\s+\S{1,40}\s+)?(?:by|as)\s+['"]([^'"\r\n]{3,200})['"]`,
    "i",
  ),
  rule(
    "echo |printf ",
    String.raw`(?:echo|printf)\s+(?:-\w+\s+)?["']?[^\s:"']{1,60}:([^\s"'|\\]{3,200})(?:\\n)?["']?\s*\|\s*` +
      String.raw`(?:sudo\s+)?\S{0,30}chpasswd`,
  ),
  rule(
    "echo |printf ",
    String.raw`(?:echo|printf)\s+(?:-\w+\s+|["']%s\S*\s+)?${value}\s*\|\s*(?:sudo\s+(?:-\w+\s+)*-\w*S` +
      String.raw`|[^\r\n|]{1,80}--(?:password-stdin|stdin|with-token)` +
      String.raw`|[^\r\n|]{0,60}\bsecrets?[ :](?:set|put|add|create)|cryptsetup)\b`,
  ),
];

export const detectCommands: Detector = (hay) => [
  ...valuesOf(hay, rules),
  ...hits(hay, storeAnchors).flatMap((at) => storedAt(hay.text, at)),
];

const isTalk = (secret: string): boolean =>
  isHarmless(secret) || isPlainWord(secret) || /^\d{1,3}$/.test(secret);

// Commands that store a secret: `pulumi config set --secret NAME VALUE`, `fly secrets set NAME=VALUE`, `gh secret set
// NAME --body VALUE`, `vault kv put PATH NAME=VALUE`.

const storeAnchors: readonly string[] = (
  "secret|config set |config:set |env:set |env set |env add |kv put |put-parameter |variable set |" +
  "http-basic.|sops set "
).split("|");
const store = new RegExp(
  String.raw`(?:secrets?[ :](?:set|put|add|create|update)|(?:config|env)[ :](?:set|add)` +
    String.raw`(?=[^\r\n|;]{0,300}\s(?:--(?:secret|sensitive)\b|<<<))|kv put|variable set` +
    String.raw`|put-parameter(?=[^\r\n|;]{0,300}\sSecureString\b)|secretsmanager (?:create|put)-secret\S{0,8}` +
    String.raw`|http-basic\.\S{1,80}|sops set \S{1,80})(?=\s)([^\r\n|;\x60]{3,600})`,
  "diy",
);
const argument = /(?:"[^"]*"|'[^']*'|[^\s"'])+/g;
/** Takes the value behind it. */
const valueOption =
  /^(?:<<<$|(?:-[bv]|--(?:body|value|secret-string|plaintext|string-value|data|from-literal))(?:=|$))/;
/** Takes another word behind it. */
const wordOption =
  /^(?:-[aseCRp]|--(?:stack|app|env|repo|project|scope|cwd|org|config|vault|type|category|mount))$/;

interface Argument {
  readonly raw: string;
  readonly at: number;
}

function storedAt(text: string, at: number): readonly Span[] {
  const match = matchAt(store, text, at);
  const [from = 0] = match?.indices?.[1] ?? [];
  const all = [...(match?.[1] ?? "").matchAll(argument)].map(({ 0: raw, index }): Argument => ({
    raw,
    at: from + index,
  }));
  const lone = secondWord(all, /^(?:kv|variable)/i.test(match?.[0] ?? ""));
  return all
    .filter((one, n) => one === lone || holdsValue(one.raw, all[n - 1]?.raw ?? ""))
    .flatMap(({ raw, at: start }): readonly Span[] => {
      const named = beforeValue.exec(raw)?.[0].length ?? 0;
      const secret = raw.slice(named).replace(/["',]+$/, "");
      if (secret.length < 4 || /^[-$<@]/.test(secret) || isTalk(secret)) return [];
      return [{ start: start + named, end: start + named + secret.length, kind: "password" }];
    });
}

/** An option's or a name's `=`, and quotes. */
const beforeValue = /^(?:-{1,2}[\w-]+=)?(?:[\w.:/-]+=)?["']{0,2}/;

const holdsValue = (raw: string, before: string): boolean =>
  valueOption.test(before) && !before.includes("=")
    ? !raw.startsWith("-")
    : /^(?!-)[\w.:/-]+=/.test(raw) || (valueOption.test(raw) && raw.includes("="));

/** The word behind the name. In a sentence other words go on there; where variables are set, it may be any value. */
function secondWord(all: readonly Argument[], mayBeAny: boolean): Argument | undefined {
  const isWord = ({ raw }: Argument, n: number): boolean =>
    !raw.startsWith("-") && raw !== "<<<" && !wordOption.test(all[n - 1]?.raw ?? "");
  const [name, value] = all.filter(isWord);
  if (name === undefined || value === undefined || flagTalk.has(name.raw.toLowerCase())) return;
  return flagTalk.has(value.raw.toLowerCase()) || (mayBeAny && !/\d/.test(value.raw))
    ? undefined
    : value;
}

/**
 * Passwords on command lines, behind options that do not say so: `docker login -p X`, `redis-cli -a X`, `echo X | sudo
 * -S`.
 */
import { isHarmless, isPlainWord } from "./values.ts";
import { hits, mayHold, type Detector, type Haystack, type Span } from "./spans.ts";

interface CommandRule {
  /** Lower case; the pattern begins with one of them. */
  readonly anchors: readonly string[];
  readonly pattern: RegExp;
}

/** A value in quotes or up to the next blank. Not an option, a pipe or a variable. */
const value = String.raw`(?:"([^"\r\n]{3,200})"|'([^'\r\n]{3,200})'|((?![-|&;<>"'$])[^\s"'|;&]{3,200}))`;
/** The rest of a command up to an option. */
const upTo = String.raw`\b[^\r\n|;]{0,300}?\s`;

const rule = (anchors: string, source: string, flags = ""): CommandRule => ({
  anchors: anchors.split("|"),
  pattern: new RegExp(source, `dy${flags}`),
});

/** A program with an option that takes a password. */
const option = (programs: string, options: string): CommandRule =>
  rule(programs, `(?:${programs})${upTo}(?:${options})${value}`);

const registries =
  "docker login|podman login|nerdctl login|buildah login|skopeo login|helm registry login|oras login";

const rules: readonly CommandRule[] = [
  rule(
    "curl",
    String.raw`curl${upTo}(?:-u|--user|--proxy-user)[=\s]{0,3}["']?[^\s:"']{1,100}:([^\s"']{2,200})`,
    "i",
  ),
  rule("sshpass", String.raw`sshpass\s+-p\s{0,3}${value}`, "i"),
  rule("login |user ", String.raw`(?:login|user)\s+\S{1,100}\s+password\s+(\S{3,200})`, "i"),
  rule(
    "mysql",
    String.raw`mysql(?:dump|admin)?${upTo}-p(?!ort\b|assword\b|rotocol\b)([^\s"'-][^\s"']{3,200})`,
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
      String.raw`|[^\r\n|]{1,80}--(?:password-stdin|stdin|with-token)|cryptsetup)\b`,
  ),
];

export const detectCommands: Detector = (hay) =>
  rules.flatMap(({ anchors, pattern }) =>
    anchors.flatMap((anchor) =>
      mayHold(hay, anchor) ? Array.from(passwordsAt(hay, anchor, pattern)) : [],
    ),
  );

const isTalk = (secret: string): boolean =>
  isHarmless(secret) || isPlainWord(secret) || /^\d{1,3}$/.test(secret);

function* passwordsAt(hay: Haystack, anchor: string, pattern: RegExp): Generator<Span> {
  let reached = 0;
  for (const at of hits(hay, [anchor])) {
    if (at < reached) continue;
    pattern.lastIndex = at;
    const match = pattern.exec(hay.text);
    const group = match?.findIndex((part, index) => index > 0 && part !== undefined) ?? -1;
    const [start, end] = match?.indices?.[group] ?? [0, 0];
    const secret = hay.text.slice(start, end);
    if (match === null || secret === "") continue;
    reached = at + match[0].length;
    if (!isTalk(secret)) yield { start, end, kind: "password" };
  }
}

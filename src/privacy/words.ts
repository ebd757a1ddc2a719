/**
 * Passwords that are words, and credentials whose place alone tells them: behind a label and a colon, in a pair of
 * user and password, in the options of a command, as a value of `terraform output -json`. Each look is bounded.
 */
import { passwordLabels } from "./labels.ts";
import { hits, matchAt, type Detector, type Haystack, type Span } from "./spans.ts";
import { isHarmless, isPlace } from "./values.ts";

export const detectWords: Detector = (hay) => shapes.flatMap((shape) => found(hay, shape));

interface Shape {
  readonly anchors: readonly string[];
  /** Sticky; its first group is the secret. */
  readonly pattern: RegExp;
  readonly kind: string;
  readonly isIt?: (value: string) => boolean;
}

/** Words joined by hyphens, dots or underscores, perhaps with a number: `correct-horse-battery`, `Blue.Moon.41`. */
const joined = String.raw`\p{L}{2,20}(?:[-._]\p{L}{2,20}){1,6}(?:[-._]?\d{1,4})?[!?*#]?`;
const lineEnd = String.raw`["'\x60»”]{0,2}[.]?[ \t\r]{0,4}(?:\n|$)`;
const lead = String.raw`["'\x60«“*]{0,3}`;
const isWords = (value: string): boolean =>
  value.length >= 8 && !isPlace(value) && !isHarmless(value) && !fileName.test(value);
/** A sentence about a passphrase: "must be at least …". */
const tellsOfPassphrase = new RegExp(
  String.raw`(?<!\p{L})(?:must|should|needs?|be|is|are|was|has|have|will|can|may|not|please|used?|least|required` +
    String.raw`|optional|stored|missing|wrong|invalid|empty)(?!\p{L})`,
  "u",
);
const fileName = /\.(?:[a-z]{2,4}|local|internal|example)$/u;

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
    anchors: [
      "credential",
      "zugangsdaten",
      "identifiants",
      "credenciales",
      "credenciais",
      "учётные данные",
      "учетные данные",
    ],
    pattern: new RegExp(
      String.raw`[\p{L} ]{6,24}[:：]?[ \t]{1,3}${lead}[\w.@-]{2,40}:(?![/\d])([^\s"'\x60,;]{6,80}[\p{L}\p{N}!?*#])`,
      "uy",
    ),
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
    anchors: ["secret"],
    pattern:
      /secret(?:[ \t]\p{L}{2,16}){0,5}(?:[ \t]?[:=]|[ \t](?:is|ist|est|es|é))[ \t]{1,3}["'`]?([\da-f]{24,64})(?!\w)/uy,
    kind: "secret",
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
    anchors: ["twilio"],
    pattern:
      /twilio[\w ]{0,20}(?:token|secret)[ \t]?[:=]?[ \t]?(?:is )?["'`]?([\da-f]{32})(?!\w)/iuy,
    kind: "secret",
  },
  {
    // A line that is a name, a slash and words with a number: `ops / Blue.Moon.41`.
    anchors: [" / "],
    pattern: new RegExp(
      String.raw`(?<=^[ \t]{0,8}[\w.@-]{2,40}) / ` +
        String.raw`(\p{Lu}\p{L}{2,20}(?:[-._]\p{Lu}\p{L}{2,20}){1,5}[-._]?\d{1,4})[ \t\r]{0,4}$`,
      "muy",
    ),
    kind: "password",
  },
  {
    anchors: ["log in as ", "login as ", "sign in as ", "logged in as "],
    pattern: new RegExp(
      String.raw`(?:log|sign)(?:ged)? ?in as [\w.@-]{1,40}(?: with| and| using|,)` +
        String.raw`(?: the)?(?: password| pass| pw)? ["'\x60]?${chosen}`,
      "iuy",
    ),
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

function found(hay: Haystack, { anchors, pattern, kind, isIt }: Shape): readonly Span[] {
  return hits(hay, anchors).flatMap((at): readonly Span[] => {
    const match = matchAt(pattern, hay.text, at);
    const value = match?.[1];
    if (match === null || value === undefined || isIt?.(value) === false) return [];
    const start = at + match[0].lastIndexOf(value);
    return [{ start, end: start + value.length, kind }];
  });
}

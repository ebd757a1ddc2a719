/** A login and its password in one sentence: "user admin pass X", "the login is anna and the password X". */
import { isLabelled, passwordLabels } from "./labels.ts";
import { hits, holds, matchAt, type Detector, type Haystack, type Span } from "./spans.ts";

export const detectLogins: Detector = (hay) => [...announced(hay), ...told(hay)];

/** "Zugangsdaten: anna / X" */
const loginWords: readonly string[] = [
  "zugangsdaten",
  "credentials",
  "identifiants",
  "creds",
  "login",
  "доступ",
  "账号",
];
const login =
  /\p{L}{0,4}[ \t]{0,2}[:：][ \t]{0,3}[\w.@+-]{2,60}[ \t]{1,3}[/|][ \t]{1,3}(\S{6,80})/uy;

const announced = (hay: Haystack): readonly Span[] =>
  loginWords.flatMap((word) =>
    hits(hay, [word]).flatMap((at): readonly Span[] =>
      spansOf(matchAt(login, hay.text, at + word.length)),
    ),
  );

/** Words for a password that mean other things as well, unless a login stands before them. */
const passWords: readonly string[] = ["pass", "pw", "pwd", ...passwordLabels];

/** Every word that `loginBefore` begins with holds one of these. */
const loginStems: readonly string[] = [
  "user",
  "login",
  "log-in",
  "account",
  "benutzer",
  "konto",
  "nutzer",
  "utilisateur",
  "compte",
  "identifiant",
  "usu",
  "cuenta",
  "conta",
  "логин",
  "пользовател",
  "юзер",
  "учётк",
  "用户",
  "账号",
  "账户",
  "帐号",
  "登录",
];

const lookBehind = 70;
/** Behind "user" these go on with the sentence: "the user must pass". */
const noNames =
  "and|or|but|must|can|cannot|could|may|might|should|shall|will|would|has|have|had|does|did|do|to|who" +
  "|changed|changes|forgot|reset|resets|entered|enters|typed|types" +
  "|that|which|then|if|when|for|from|in|on|of|und|oder|muss|kann|soll|et|ou|doit|peut|y|o|debe|puede";

/** A login and its name, right before the word for the password. */
const loginBefore = new RegExp(
  String.raw`(?:(?<![\p{L}\p{N}_])(?:user(?:name)?|login|log-?in|account|benutzer(?:name)?|konto|nutzer` +
    String.raw`|utilisateur|compte` +
    String.raw`|identifiant|usuario|cuenta|usuário|conta|логин|пользователь|юзер|учётка)|用户名?|账号|账户|帐号|登录名)` +
    String.raw`(?:[ \t]{0,2}[:：=是为]|[ \t]{1,2}(?:is|ist|est|es|é|heißt` +
    String.raw`|lautet))?[ \t]{0,2}["'\x60]?(?!(?:${noNames})\b)[\w.@+-]{1,40}["'\x60]?` +
    String.raw`[ \t]{0,2}[,;，、/]?[ \t]{0,2}(?:(?:and|with|und|mit|et|avec|y|con|e|com|и|с|和)[ \t]{1,2})?` +
    String.raw`(?:(?:the|its|my|his|her|their|das|dem|sein|le|la|el|su|son|o|a)[ \t]{1,2})?$`,
  "iu",
);
/** "the pass X": the noun, not what one does. */
const nounBefore =
  /(?<![\p{L}\p{N}_])(?:my|his|her|their|our|your|its|the|admin|root)[ \t]{1,2}(?:[\w-]{1,20}[ \t]{1,2})?$/iu;
/** The word's ending, "is" or a mark or a blank, and the value. */
const valueBehind = new RegExp(
  String.raw`\p{L}{0,6}?(?:[ \t]{0,2}[:：=是为][ \t]{0,3}` +
    String.raw`|[ \t]{1,2}(?:(?:is|ist|lautet|est|es|é|это)[ \t]{1,2}(?:(?:still|now|noch|jetzt)[ \t]{1,2})?)?` +
    String.raw`|(?<=[码碼令]))` +
    String.raw`["'\x60]?([^\s"'\x60,;，、；。]{6,120})`,
  "uy",
);

function told(hay: Haystack): readonly Span[] {
  const { text } = hay;
  const isLoginNamed = loginStems.some((stem) => holds(hay, stem));
  let reached = 0;
  return hits(hay, isLoginNamed ? passWords : ["pass"])
    .toSorted((a, b) => a - b)
    .flatMap((at): readonly Span[] => {
      if (at < reached) return [];
      const label = passWords
        .filter((one) => hay.lower.startsWith(one, at))
        .toSorted((a, b) => b.length - a.length)[0];
      if (label === undefined) return [];
      reached = at + label.length;
      const before = text.slice(Math.max(0, at - lookBehind), at);
      const isPaired = isLoginNamed && loginBefore.test(before);
      if (!isPaired && !(label === "pass" && nounBefore.test(before))) return [];
      // "passes", "passive": another word.
      if (label === "pass" && /[\p{L}\p{N}_]/u.test(text[at + label.length] ?? "")) return [];
      const found = spansOf(matchAt(valueBehind, text, at + label.length));
      return isPaired ? found : found.filter((span) => isDrawnUp(text.slice(span.start, span.end)));
    });
}

/** Nothing says that it is a password but an article before "pass". */
const isDrawnUp = (value: string): boolean =>
  value.length >= 8 &&
  [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[!#$%^&*+?~]/u].filter((sort) => sort.test(value)).length >= 3;

function spansOf(match: RegExpExecArray | null): readonly Span[] {
  const raw = match?.[1] ?? "";
  const value = raw.replace(/[.!?)\]}>]+$/u, "");
  if (match === null || !isLabelled(value, "password")) return [];
  const start = match.index + match[0].length - raw.length;
  return [{ start, end: start + value.length, kind: "password" }];
}

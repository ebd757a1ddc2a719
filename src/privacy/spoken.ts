/**
 * Passwords that people say in a sentence, in several languages: "password for the console, it is asking: X", "passwort X".
 * Only what looks chosen as a password counts: letters with digits and marks, no path, no address, no code. Linear.
 */
import { hits, matchAt, type Detector, type Span } from "./spans.ts";

/** Beginnings of the words, lower case. */
const spokenWords: readonly string[] = [
  "passwor",
  "passphrase",
  "passcode",
  "kennwort",
  "contrase",
  "senha",
  "mot de passe",
  "mdp ",
  "парол",
  "密码",
  "密碼",
  "口令",
  "パスワード",
];

/** To the value: the rest of the word, then a colon somewhere on the line, or nothing but a blank and a small word. */
const joint =
  /\p{L}{0,12}(?:[^\n]{0,60}?[:：=]\s{0,3}|\s{1,3}(?:(?:is|ist|lautet|es|é|est|это|now|jetzt|ahora|agora)\s{1,3})?)["'`]?/uy;
const valueCharsMax = 80;

export const detectSpoken: Detector = (hay) => {
  const spans: Span[] = [];
  for (const at of hits(hay, spokenWords)) {
    const match = matchAt(joint, hay.text, at);
    if (match === null) continue;
    const start = at + match[0].length;
    const value = (
      /^[^\s"'`,;]{1,80}/u.exec(hay.text.slice(start, start + valueCharsMax))?.[0] ?? ""
    ).replace(/[.:!?)\]}]+$/u, "");
    if (isChosen(value)) spans.push({ start, end: start + value.length, kind: "password" });
  }
  return spans;
};

/** Eight characters or more of at least three sorts, one of them a digit or a mark that no word has inside. */
function isChosen(value: string): boolean {
  if (value.length < 8 || /[/\\(){}<>@]|\.\p{L}|_\p{Ll}+_|::|\$\{/u.test(value)) return false;
  const sorts = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[!#$%^&*+=?~-]/u].filter((sort) =>
    sort.test(value),
  );
  return sorts.length >= 3 && /[\p{N}!#$%^&*+=?~]/u.test(value) && /\p{L}/u.test(value);
}

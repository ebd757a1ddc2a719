/**
 * Words for a password or a key in English, German, French, Spanish, Portuguese, Russian, Chinese and Japanese, and
 * whether a value that directly follows such a label is a secret. Pure.
 */
import { promiseOf, type Trust } from "./names.ts";
import {
  isHarmless,
  isJargon,
  isMadeOfWords,
  isPlace,
  isPlainWord,
  isRandom,
  isUuid,
} from "./values.ts";

/** Lower-case beginnings of words for what a person chose. */
export const passwordLabels: readonly string[] = [
  "passwor",
  "passwört",
  "passwd",
  "passphrase",
  "passcode",
  "kennwort",
  "kennwört",
  "zugangscode",
  "mot de passe",
  "mots de passe",
  "mdp",
  "phrase secrète",
  "contraseñ",
  "contrasen",
  "clave",
  "senha",
  "парол",
  "密码",
  "密碼",
  "口令",
  "パスワード",
];

/** … and for what was drawn by lot. */
export const keyLabels: readonly string[] = [
  "zugangstoken",
  "zugriffstoken",
  "schlüssel",
  "jeton",
  "clé",
  "clave",
  "chave",
  "токен",
  "ключ",
  "секрет",
  "密钥",
  "密鑰",
  "令牌",
  "トークン",
];

/** Lower-case beginnings of any of these, and of the English words for a key: where a label may stand. */
export const labelBeginnings: readonly string[] = [
  ...new Set(["key", "token", "secret", "pwd", ...passwordLabels, ...keyLabels]),
];

const isForeign = (text: string, labels: readonly string[]): boolean =>
  labels.some((label) => text.includes(label));

/** What a label promises: a name as code writes it, or a word for one in another language. */
export function promiseOfLabel(label: string): Trust | null {
  const lower = label.toLowerCase();
  if (isForeign(lower, keyLabels) && !lower.startsWith("clave")) return "key";
  const named = promiseOf(label.trim().replaceAll(/\s+/g, "_"));
  if (named !== null) return named;
  // English was judged by name: `password_id` is no password.
  return isForeign(lower, passwordLabels) && !/^[\x20-\x7e]*$/.test(lower.replace("ñ", "n"))
    ? "password"
    : foreignAscii.test(lower)
      ? "password"
      : null;
}

/** The same of a heading: "API keys" stands above keys. */
export const promiseOfHeading = (label: string): Trust | null =>
  promiseOfLabel(label.replace(/(?<=key|token)s(?![a-z])/iu, ""));

const foreignAscii =
  /(?:passw[oö]rt|kennw[oö]rt|mots? de passe|\bmdp|contrasen|contraseñ|\bclave|\bsenha)(?!\s*(?:vergessen|oublié))/;

const isMarked = (value: string): boolean =>
  /[\d!@#$%^&*+=~?]/.test(value.slice(0, -1) + value.slice(-1).replace(/[?!]/, ""));

/** What is said about a password's length or age: "12-character", "30days". */
const measure =
  /^\d{1,3}(?:[-+]\p{L}+|\+|(?:min|max|sec|day|hour|week|month|char|zeichen|tage|bit|byte)\p{L}*)$/iu;

const isLabelledPassword = (value: string): boolean =>
  isMarked(value) &&
  /[A-Za-z]|^\d{6,}$/.test(value) &&
  !isJargon(value) &&
  !measure.test(value) &&
  !/[()[\]{}<>|]|^[-*#=_.]+$|::|:$|^\d+[.,:/-]\d+/.test(value);

/** A value that stands for itself behind a label: as its cell, its line, or what the label "is". */
export function isLabelled(value: string, trust: Trust): boolean {
  if (value.length < 6 || isHarmless(value) || isPlainWord(value) || isPlace(value)) return false;
  if (trust === "password") return isLabelledPassword(value);
  if (trust === "weak") return isRandom(value, 20, 3.6) && !isUuid(value) && !isMadeOfWords(value);
  return (
    (isUuid(value) || (isRandom(value, 12, 2.8) && !isMadeOfWords(value))) &&
    !/[()[\]{}]/.test(value)
  );
}

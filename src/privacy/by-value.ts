/**
 * Tells which redacted values are looked for in the rest of their session. A gate that hides a piece of code by mistake
 * hides it once; known by value, `AWS_SECRET_ACCESS_KEY` or `@property` would go from every later text. Pure.
 */
import { promiseOf } from "./judge.ts";
import { isJargon, isMadeOfWords, isPlace } from "./values.ts";

/** True for a value that is a secret wherever it stands. */
export const isSecretByValue = (value: string): boolean =>
  !isNameOfSecret(value) &&
  !isPieceOfCode(value) &&
  !isNameOfCode(value) &&
  !isAddressed(value) &&
  !(startsPlace.test(value) && isPlace(value) && isMadeOfWords(value.replace(/^~/, "")));

/** `AWS_SECRET_ACCESS_KEY`, `client_secret`: the name of a variable or field that holds one. */
const isNameOfSecret = (value: string): boolean =>
  /^[A-Za-z][A-Za-z\d]*(?:_[A-Za-z\d]+)+$/.test(value) &&
  isMadeOfWords(value) &&
  promiseOf(value) !== null;

/** Begins with a closing bracket, ends with an opening one, is a decorator, an argument by name, or was cleaned. */
const isPieceOfCode = (value: string): boolean =>
  /^\s*[)\]}>]|[([{<]$/.test(value) ||
  /^@[a-z]+(?:[_.][a-z]+)*$/.test(value) ||
  /^[a-z]+(?:_[a-z]+)*=["']?[A-Za-z]+(?:[_.][A-Za-z]+)*["']?$/.test(value) ||
  value.includes("[redacted:");

/** `Uint8Array`, a global of the language, and `argon2Async`: an algorithm with a word behind it. */
const isNameOfCode = (value: string): boolean =>
  Object.hasOwn(globalThis, value) || (/^[a-z]+\d*[A-Z][a-z]+$/.test(value) && isJargon(value));

/** `myproject-123`, `localhost:5432`, `projects/acme-42/secrets/db`, `oauth2:secrets#ns`: where it runs or lies. */
const isAddressed = (value: string): boolean =>
  /^[a-z]+(?:-[a-z]+)*-\d{1,4}$/.test(value) ||
  /^[a-z][a-z\d]*(?:[:#][a-z]+){2,}$/.test(value) ||
  /^(?:localhost|[a-z\d-]+(?:\.[a-z\d-]+)+):\d{2,5}$/.test(value) ||
  (/^[a-z][\w.-]*(?:\/[\w.-]+){3,}$/.test(value) && isMadeOfWords(value));

/** Paths from a root and addresses; other words may have slashes between them. */
const startsPlace = /^(?:~?\/|[a-z][\w+.-]*:\/\/)/i;

/**
 * Secrets that a later text repeats bare: "the password is Plum.Harbor.7", "ok, using Plum.Harbor.7". Shorter than the
 * runs by which private text is known, they are found as whole words. Pure, linear in the text.
 */

const charsMin = 6;
const charsMax = 200;

/** The secret as a word of its own; null for one of several words, and for a word that anybody may use. */
export function secretTokenOf(secret: string): string | null {
  const token = bare(secret.trim());
  const isWord = token.length < charsMin || token.length > charsMax || /\s/u.test(token);
  return isWord || /^\p{L}\p{Ll}*$|^\d{1,7}$/u.test(token) ? null : token;
}

const bare = (token: string): string => token.replace(/^[^\p{L}\p{N}]+|[.,:;?)\]}"'`»”]+$/gu, "");

const word = /[^\s"'`“”„«»‘’(){}[\]<>|,;，。；、「」（）]{6,200}/gu;
/** Before the value in "password=X", "user:X". */
const joined = /^.*[=:/]/u;

/** Places of a text's words that are secrets, ascending. */
export function secretTokensIn(
  text: string,
  isSecret: (token: string) => boolean,
): readonly { readonly start: number; readonly end: number }[] {
  return [...text.matchAll(word)].flatMap(({ 0: found, index }) => {
    const token = [found, bare(found), bare(found.replace(joined, ""))].find(
      (one) => secretTokenOf(one) !== null && isSecret(one),
    );
    const start = index + found.lastIndexOf(token ?? "");
    return token === undefined ? [] : [{ start, end: start + token.length }];
  });
}

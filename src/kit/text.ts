/** Text measures shared by every budget in the product. Pure. */

/** CJK scripts, whose characters cost about a token each. */
const cjk = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]/gu;

/**
 * Tokens of a text as every budget here counts them: characters / 4, CJK characters counted whole, rounded up.
 */
export function tokensOf(text: string): number {
  const wide = text.match(cjk)?.length ?? 0;
  return Math.ceil((text.length - wide) / 4 + wide);
}

/** Cuts at a word boundary so that at most `charsMax` UTF-16 units remain, an ellipsis included. */
export function cutAtWord(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const head = text.slice(0, Math.max(0, charsMax - 1));
  const space = head.search(/\s\S*$/);
  const kept = space > charsMax / 2 ? head.slice(0, space) : head;
  return `${wellFormed(kept.trimEnd())}…`;
}

/** Cuts at a word boundary so that the text costs at most `tokensMax` tokens. */
export function cutToTokens(text: string, tokensMax: number): string {
  if (tokensOf(text) <= tokensMax) return text;
  let charsMax = Math.min(text.length, tokensMax * 4);
  let cut = cutAtWord(text, charsMax);
  while (tokensOf(cut) > tokensMax && charsMax > 1) {
    charsMax = Math.floor(charsMax * 0.8);
    cut = cutAtWord(text, charsMax);
  }
  return cut;
}

/** Drops a lone surrogate that a cut may have left at the end. */
const wellFormed = (text: string): string => text.replace(/[\ud800-\udbff]$/, "");

/** One word of a shell's command line; quoted only where a shell would read it differently. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** Words as one line that a shell reads as these words. */
export const shellLine = (words: readonly string[]): string => words.map(shellWord).join(" ");

const leftOut = "\n…\n";
/** A cut this close to the next line begins there. */
const lineCharsMax = 1_000;

/**
 * Head and tail, so that at most `charsMax` UTF-16 units remain: what people ask stands before or after what they
 * paste, and a command's output says at its end how it went.
 */
export function bothEnds(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const half = Math.floor((charsMax - leftOut.length) / 2);
  const tail = text.slice(-half);
  const nextLine = tail.indexOf("\n") + 1;
  const from = nextLine > 0 && nextLine <= Math.min(lineCharsMax, half / 2) ? nextLine : 0;
  return `${wellFormed(text.slice(0, half))}${leftOut}${tail.slice(from).replace(/^[\udc00-\udfff]/, "")}`;
}

/** `lastAccess` as `last_access`. */
export const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** One line: every run of white space is a single space. */
export const oneLine = (text: string): string => text.replace(/\s+/gu, " ").trim();

/** `hasUnspaced` tells whether a text holds letters of a script without spaces between its words: Chinese, Japanese. */
export const hasUnspaced = (text: string): boolean => /[\u3040-\u30ff\u3400-\u9fff]/u.test(text);

/** `unspacedLetters` counts the letters of such scripts; two are about one word. */
export const unspacedLetters = (text: string): number =>
  text.match(/[\u3040-\u30ff\u3400-\u9fff]/gu)?.length ?? 0;

/** Each picture (🎯, a flag) as a word that an index keeps: `u1f3af`. */
export const pictureWords = (text: string): readonly string[] =>
  (text.match(/[\p{Extended_Pictographic}\p{RI}]/gu) ?? []).map(
    (picture) => `u${(picture.codePointAt(0) ?? 0).toString(16)}`,
  );

/** Every pair of neighbouring letters, in order (配置文件 → 配置 置文 文件): how text without spaces is compared and indexed. */
export function letterPairs(run: string): readonly string[] {
  const letters = Array.from(run);
  return letters.length < 2
    ? letters
    : letters.slice(1).map((letter, i) => `${letters[i] ?? ""}${letter}`);
}

// The parts of a text that may stand for themselves.

/** Parts of a text that are looked at, from its beginning. */
const spansMax = 5_000;

/** A text, its lines and its sentences, each once and without white space around it. */
export function spansOf(text: string): readonly string[] {
  const lines = text.split("\n");
  const sentences = lines.flatMap((line) => line.split(/(?<=[.!?;:])\s+/));
  return [...new Set([text, ...lines, ...sentences].map((span) => span.trim()))]
    .filter((span) => span !== "")
    .slice(0, spansMax);
}

/** `1 session`, `2 sessions`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** WordPiece, as BERT models use it: a word is cut from its beginning into the longest pieces that are known. */

export interface WordPieceSettings {
  readonly ids: ReadonlyMap<string, number>;
  readonly unknown: number;
  /** In front of pieces that go on a word: `##`. */
  readonly continuing: string;
  /** Longer words are unknown as a whole. */
  readonly wordCharsMax: number;
}

/** What the `BertNormalizer` of a tokenizer.json does. */
export interface BertNormal {
  readonly cleanText: boolean;
  readonly spaceIdeographs: boolean;
  readonly stripAccents: boolean;
  readonly lowerCase: boolean;
}

export function bertNormalise(text: string, settings: BertNormal): string {
  let out = text;
  if (settings.cleanText)
    out = out.replace(/[\0\uFFFD]|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}]/gu, "").replace(/\s/gu, " ");
  if (settings.spaceIdeographs) out = out.replace(ideograph, " $& ");
  if (settings.stripAccents) out = out.normalize("NFD").replace(/\p{Mn}/gu, "");
  // Letter by letter, as the original does: a sigma at a word's end is no other letter.
  return settings.lowerCase ? out.replace(/\P{Ll}/gu, (letter) => letter.toLowerCase()) : out;
}

/** The blocks that BERT takes for words of their own; kana and hangul are not among them. */
const ideograph = new RegExp(
  String.raw`[\u4E00-\u9FFF\u3400-\u4DBF\u{20000}-\u{2A6DF}\u{2A700}-\u{2B81F}\u{2B920}-\u{2CEAF}` +
    String.raw`\uF900-\uFAFF\u{2F800}-\u{2FA1F}]`,
  "gu",
);

/** Words, and each mark of punctuation for itself; of ASCII every symbol is one. */
export const bertWords = (text: string): readonly string[] =>
  text.match(/[!-/:-@[-`{-~\p{P}]|[^\s!-/:-@[-`{-~\p{P}]+/gu) ?? [];

/** Ids of the pieces of one word. */
export function wordPieces(word: string, settings: WordPieceSettings): readonly number[] {
  const { ids, unknown, continuing, wordCharsMax } = settings;
  const letters = Array.from(word);
  if (letters.length > wordCharsMax) return [unknown];
  const pieces: number[] = [];
  for (let from = 0; from < letters.length;) {
    let to = letters.length;
    let id: number | undefined;
    for (; to > from; to -= 1) {
      id = ids.get((from > 0 ? continuing : "") + letters.slice(from, to).join(""));
      if (id !== undefined) break;
    }
    // A word of which one piece is unknown is unknown as a whole.
    if (id === undefined) return [unknown];
    pieces.push(id);
    from = to;
  }
  return pieces;
}

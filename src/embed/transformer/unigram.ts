/** Unigram, as SentencePiece models use it: of all ways to cut a text into known pieces, the most likely one. */

export interface UnigramSettings {
  readonly ids: ReadonlyMap<string, number>;
  /** Logarithms of probabilities, by id. */
  readonly scores: Float64Array;
  readonly unknown: number;
}

/** How much less likely than the rarest piece a character is that no piece has. */
const unknownPenalty = 10;

/** Cuts stretches of text into ids; unknown characters in a row are one. */
export function createUnigram({
  ids,
  scores,
  unknown,
}: UnigramSettings): (text: string) => readonly number[] {
  let longest = 1;
  for (const piece of ids.keys()) longest = Math.max(longest, piece.length);
  const unknownScore = scores.reduce((least, one) => Math.min(least, one), 0) - unknownPenalty;
  return (text) => {
    const score = new Float64Array(text.length + 1).fill(-Infinity);
    const from = new Int32Array(text.length + 1);
    const piece = new Int32Array(text.length + 1).fill(unknown);
    const reach = (start: number, end: number, id: number, by: number): void => {
      const reached = (score[start] ?? 0) + by;
      if (reached <= (score[end] ?? 0)) return;
      score[end] = reached;
      from[end] = start;
      piece[end] = id;
    };
    score[0] = 0;
    for (let start = 0; start < text.length; start += widthAt(text, start)) {
      const width = widthAt(text, start);
      let isSingle = false;
      for (let end = start + width; end <= Math.min(text.length, start + longest); end += 1) {
        const id = ids.get(text.slice(start, end));
        if (id === undefined || id === unknown) continue;
        isSingle ||= end === start + width;
        reach(start, end, id, scores[id] ?? 0);
      }
      if (!isSingle) reach(start, start + width, unknown, unknownScore);
    }
    return pathTo(text.length, from, piece).filter(
      (id, at, all) => id !== unknown || all[at - 1] !== unknown,
    );
  };
}

/** UTF-16 units of the character: a pair is never cut. */
const widthAt = (text: string, at: number): number =>
  (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;

function pathTo(end: number, from: Int32Array, piece: Int32Array): readonly number[] {
  const path: number[] = [];
  for (let at = end; at > 0; at = from[at] ?? 0) path.push(piece[at] ?? 0);
  return path.toReversed();
}

/** Bytes as lines, each within a bound. */

/** No tool takes more than a long text to remember; the API refuses above 1 MB. */
export const lineBytesMax = 4 * 1_024 * 1_024;
const lineFeed = 10;

/** Lines of a stream of bytes, empty ones left out; null for one above the limit, whose bytes are not kept. */
export async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string | null> {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  const finish = (): readonly (string | null)[] => {
    const line = bytes > lineBytesMax ? null : Buffer.concat(parts).toString("utf8").trim();
    parts = [];
    bytes = 0;
    return line === "" ? [] : [line];
  };
  const add = (piece: Uint8Array): void => {
    bytes += piece.length;
    if (bytes <= lineBytesMax) parts.push(piece);
    else parts = [];
  };
  for await (const chunk of input) {
    let from = 0;
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, from)) {
      add(chunk.subarray(from, at));
      yield* finish();
      from = at + 1;
    }
    add(chunk.subarray(from));
  }
  yield* finish();
}

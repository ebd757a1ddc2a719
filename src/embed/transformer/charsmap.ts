/**
 * The table of replacements that a SentencePiece model brings along (`precompiled_charsmap`): mostly NFKC, with a few
 * rules of its own. A trie as a double array over UTF-8 bytes, then the replacements, each ended by a zero byte.
 */

const wordBytes = 4;
/** Longer ones are looked up character by character. */
const clusterBytesMax = 5;

/** Null for a table that cannot be read. */
export function createCharsmap(base64: string): ((text: string) => string) | null {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length < wordBytes) return null;
  const trieBytes = bytes.readUInt32LE(0);
  if (trieBytes === 0 || wordBytes + trieBytes > bytes.length) return null;
  const units = Uint32Array.from({ length: trieBytes / wordBytes }, (_, i) =>
    bytes.readUInt32LE(wordBytes + i * wordBytes),
  );
  const replacements = bytes.subarray(wordBytes + trieBytes);
  const replaced = (part: string): string | null => {
    const at = firstValue(units, Buffer.from(part));
    if (at === null) return null;
    const end = replacements.indexOf(0, at);
    return replacements.toString("utf8", at, end < 0 ? replacements.length : end);
  };
  const clusters = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return (text) => {
    let out = "";
    for (const { segment } of clusters.segment(text)) {
      const whole = Buffer.byteLength(segment) <= clusterBytesMax ? replaced(segment) : null;
      out += whole ?? Array.from(segment, (character) => replaced(character) ?? character).join("");
    }
    return out;
  };
}

/** What the shortest entry that the bytes begin with is worth; the original takes that one too. */
function firstValue(units: Uint32Array, bytes: Uint8Array): number | null {
  const offset = (unit: number): number => (unit >>> 10) << ((unit & 0x2_00) >>> 6);
  let at = offset(units[0] ?? 0);
  for (const byte of bytes) {
    at ^= byte;
    const unit = units[at] ?? 0;
    if (byte === 0 || (unit & 0x80_00_00_ff) >>> 0 !== byte) return null;
    at ^= offset(unit);
    if ((unit & 0x1_00) !== 0) return (units[at] ?? 0) & 0x7f_ff_ff_ff;
  }
  return null;
}

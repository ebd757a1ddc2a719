/**
 * A look at the bytes of a line, so that the client's own bookkeeping is neither decoded nor parsed: a quarter of a
 * transcript. What parse.ts takes from it is the same with and without this look.
 */

/** Shorter lines cost less to parse than to look at. */
const lookBytes = 256;
const typeKey = Buffer.from('"type":"');
const quote = 34;
/** What opens a value inside the line's own object. */
const openings = [123, 91] as const;

/** Lines of these types are read, see parse.ts. */
const readTypes: ReadonlySet<string> = new Set([
  "user",
  "assistant",
  "attachment",
  "queue-operation",
  "system",
]);

/**
 * False when the line's type is none that is read. The client writes the type before everything that nests; where
 * anything else comes first, the line may say something.
 */
export function maySpeak(line: Buffer): boolean {
  if (line.length < lookBytes) return true;
  const at = line.indexOf(typeKey);
  if (at < 0) return true;
  const head = line.subarray(1, at);
  if (openings.some((opening) => head.includes(opening))) return true;
  const from = at + typeKey.length;
  return readTypes.has(line.toString("latin1", from, line.indexOf(quote, from)));
}

/** The parts of a text that may stand for themselves. */

/** Of a longer text only the first parts are looked at. */
const spansMax = 5_000;

/** A text, its lines and its sentences, each once and without white space around it. */
export function spansOf(text: string): readonly string[] {
  const lines = text.split("\n");
  const sentences = lines.flatMap((line) => line.split(/(?<=[.!?;:])\s+/));
  return [...new Set([text, ...lines, ...sentences].map((span) => span.trim()))]
    .filter((span) => span !== "")
    .slice(0, spansMax);
}

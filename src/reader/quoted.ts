/**
 * Lines that repeat what the agent said. Terminals wrap and indent an answer, and markup is lost on the way, so runs of
 * words are compared and nothing else. Linear in both texts.
 */

/** Shorter lines are said by chance. */
const charsMin = 20;
/** Words in a row that are looked for. */
const runWords = 4;
/** Share of a line's runs that the answer must hold. */
const shareMin = 0.75;
/** An answer is read to here. */
const answerCharsMax = 200_000;

/** Says of a line whether it repeats `answer`. */
export function quoterOf(answer: string | null): (line: string) => boolean {
  if (answer === null || answer.length < charsMin) return () => false;
  let runs: ReadonlySet<string> | null = null;
  return (line) => {
    const words = wordsOf(line);
    if (words.join(" ").length < charsMin || words.length < runWords) return false;
    runs ??= new Set(runsOf(wordsOf(answer.slice(0, answerCharsMax))));
    const own = runsOf(words);
    // "let's do" before what is quoted makes the line the user's.
    if (!runs.has(own[0] ?? "")) return false;
    let held = 0;
    for (const run of own) if (runs.has(run)) held += 1;
    return held / own.length >= shareMin;
  };
}

const wordsOf = (text: string): readonly string[] =>
  text.toLowerCase().match(/\p{Lo}|[\p{L}\p{N}]+/gu) ?? [];

function runsOf(words: readonly string[]): readonly string[] {
  const runs: string[] = [];
  for (let n = 0; n + runWords <= words.length; n += 1)
    runs.push(words.slice(n, n + runWords).join(" "));
  return runs;
}

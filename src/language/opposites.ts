/** Words that exclude each other: two statements that differ in one of these pairs say different things. Pure data. */
import { canonicalWord } from "./words.ts";

const pairs: readonly (readonly [string, string])[] = (
  "enabled/disabled enable/disable on/off short/detailed short/long brief/detailed concise/detailed concise/verbose " +
  "terse/verbose brief/long before/after allow/deny allow/forbid allowed/forbidden include/exclude public/private " +
  "staging/production local/remote local/staging local/production development/production frontend/backend " +
  "client/server sync/async synchronous/asynchronous minimum/maximum up/down start/stop open/closed internal/external " +
  "first/last required/optional mandatory/optional upper/lower uppercase/lowercase left/right input/output " +
  "ascending/descending true/false add/remove primary/replica primary/secondary master/replica read/write " +
  "request/response upload/download push/pull horizontal/vertical light/dark single/double tabs/spaces " +
  "strict/lenient eager/lazy static/dynamic morning/evening day/night weekly/daily monthly/daily monthly/weekly " +
  "always/never everyone/nobody signed/unsigned mutable/immutable increase/decrease raise/lower more/less " +
  "monday/tuesday monday/wednesday monday/thursday monday/friday tuesday/wednesday tuesday/thursday tuesday/friday " +
  "wednesday/thursday wednesday/friday thursday/friday saturday/sunday saturday/monday sunday/monday"
)
  .split(" ")
  .flatMap((pair) => {
    const [one = "", other = ""] = pair.split("/");
    return [[canonicalWord(one), canonicalWord(other)] as const];
  });

const oppositesByWord = new Map<string, Set<string>>();
for (const [one, other] of pairs) {
  oppositesByWord.set(one, (oppositesByWord.get(one) ?? new Set()).add(other));
  oppositesByWord.set(other, (oppositesByWord.get(other) ?? new Set()).add(one));
}

/** A word of `a` whose opposite stands in `b`, when neither text has both. */
export function oppositeIn(
  a: readonly string[],
  b: readonly string[],
): readonly [string, string] | null {
  const inA = new Set(a);
  const inB = new Set(b);
  for (const word of inA)
    for (const other of oppositesByWord.get(word) ?? [])
      if (inB.has(other) && !inA.has(other) && !inB.has(word)) return [word, other];
  return null;
}

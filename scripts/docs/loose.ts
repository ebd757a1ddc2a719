/**
 * Compares what a document shows with what a command printed, loosely: what differs from run to run (times, ages, sizes,
 * process ids, scores) is left out, and a line that holds only `…` stands for any number of lines. Pure.
 */

const volatile: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}[:-]\d{2}(?:[:-]\d{2})?(?:[.-]\d{3})?Z?)?/g, "<date>"],
  [/\b\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?: \d{4})?(?=, #)/g, "<date>"],
  [/\b(?:\d+ (?:min|h|d|days?|weeks?|months?) ago|just now|today|yesterday)\b/g, "<age>"],
  [/\b1[5-9]\d{11}\b/g, "<time>"],
  [/\b\d+(?:\.\d+)? (?:bytes|[KMG]B|B|ms)\b/g, "<size>"],
  [/\bpid \d+/g, "<pid>"],
  [/\b(?:up|running for) \d+ (?:s|min)\b/g, "<uptime>"],
  [/(?<=<uptime>, )port \d+/g, "<port>"],
  [/\b\d+(?: \+ \d+)? tokens\b/g, "<tokens>"],
  [/-?\b\d+\.\d+\b/g, "<number>"],
  [/(?<=backup-)[<>\w-]+|(?<=install-)\w{12}/g, "<id>"],
  [/\bdir:[0-9a-f]{12,}/g, "dir:<hash>"],
  [/\s+/g, " "],
];

/** A line without what differs from run to run. */
const loosened = (line: string): string =>
  volatile.reduce((text, [pattern, mark]) => text.replace(pattern, mark), line).trim();

const elision = "…";

/** True when every shown line was printed, in order, and nothing else but where `…` stands. */
export function matches(shown: readonly string[], printed: readonly string[]): boolean {
  // Places in `printed` where the lines shown so far may end.
  let ends: readonly number[] = [0];
  for (const line of shown) {
    const isElided = line.trim() === elision;
    const first = ends[0] ?? printed.length + 1;
    ends = isElided
      ? [...printed.keys(), printed.length].filter((at) => at >= first)
      : ends.flatMap((at) => (fits(line, printed[at]) ? [at + 1] : []));
  }
  return ends.includes(printed.length);
}

/** A shown line may be cut with a trailing ` …`. */
function fits(shown: string, printed: string | undefined): boolean {
  if (printed === undefined) return false;
  const isCut = shown.endsWith(` ${elision}`);
  if (!isCut) return loosened(shown) === loosened(printed);
  return loosened(printed).startsWith(loosened(shown.slice(0, -elision.length)));
}

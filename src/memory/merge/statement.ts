/** Views of a statement for comparing it: without its owner's label, clause by clause. Pure. */
import { memoised } from "#kit";

const label = /^([\p{L}\p{N}][\p{L}\p{N}_./@-]{0,60}): (?=\S)/u;

/**
 * Two statements without the label of their project or person in front (`web: …`, `User: …`). A label that the other
 * statement neither has nor mentions is a topic of its own ("tests: …") and stays: it names the subject.
 */
export const bareTexts = (a: string, b: string): readonly [string, string] => [
  withoutOwner(a, b),
  withoutOwner(b, a),
];

function withoutOwner(text: string, other: string): string {
  const found = label.exec(text);
  const owner = found?.[1]?.toLowerCase();
  if (found === null || owner === undefined) return text;
  const isOwner = owner === "user" || other.toLowerCase().includes(owner);
  return isOwner ? text.slice(found[0].length) : text;
}

/** At most this many clauses of a statement are compared. */
const clausesMax = 8;

/** Clauses of a statement: what can hold a value of its own. A short label stays with what it is the label of. */
export const clausesOf = memoised((text: string): readonly string[] =>
  text
    .split(
      /\s+[—–→-]+\s+|[.;!?]\s+|(?<=\S\s\S+\s\S+\s\S+):\s+|,\s+|\s+\(|\)\s*|\s+(?=(?:because|since|so|but|while|instead of|and|after (?:the|that|last|this))\s)/,
    )
    .map((clause) => clause.replace(/^["'(]+|["').]+$/g, "").trim())
    .filter((clause) => clause !== "")
    .reduce<readonly string[]>(withBareValue, [])
    .slice(0, clausesMax),
);

/** "…, 600/min": a value alone belongs to what stands before it. */
const withBareValue = (clauses: readonly string[], clause: string): readonly string[] => {
  const last = clauses.at(-1);
  return last !== undefined && bareValue.test(clause)
    ? [...clauses.slice(0, -1), `${last}, ${clause}`]
    : [...clauses, clause];
};

const bareValue =
  /^(?:(?:so|i\.e|now|max|min|about|only) )?[$€£]?\d[\d.,:]{0,12}(?:\/| ?)[\p{L}%]{0,8}$/u;

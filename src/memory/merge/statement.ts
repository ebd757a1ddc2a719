/** Views of a statement for comparing it: without its owner's label, clause by clause. Pure. */

/** A label in front that both sides of a comparison share or lack: `acme-api: `, `User: `. */
const ownerLabel = /^[\p{L}\p{N}][\p{L}\p{N}_./@-]{0,60}: (?=\S)/u;

/** The statement without the label of its project or person. */
export const bareText = (l0: string): string => l0.replace(ownerLabel, "");

/** At most this many clauses of a statement are compared. */
const clausesMax = 8;

/** Clauses of a statement: what can hold a value of its own. */
export const clausesOf = (text: string): readonly string[] =>
  text
    .split(
      /\s+[—–→-]+\s+|[.;:!?]\s+|,\s+|\s+\(|\)\s*|\s+(?=(?:because|since|so|but|while|instead of|and)\s)/,
    )
    .map((clause) => clause.replace(/^["'(]+|["').]+$/g, "").trim())
    .filter((clause) => clause !== "")
    .slice(0, clausesMax);

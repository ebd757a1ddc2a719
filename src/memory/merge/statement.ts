/** A statement as it is compared: without its owner's label. Pure. */
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

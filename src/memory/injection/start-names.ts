/**
 * "Also known": names of what else is remembered of the project, without the values, so that an agent knows what it can
 * ask for. Pure.
 */
import type { NodeOutline } from "#domain";
import { cutAtWord, msPerDay, tokensOf } from "#kit";
import { slotNameOf } from "./slot-name.ts";
import { plainText, type Said } from "./start-lines.ts";
import { isOfLastWork } from "./start-work.ts";
import type { Section, StartSnapshot } from "./start-types.ts";

const nameCharsMax = 60;
/** Uses from which on more make no difference. */
const usesMax = 5;
const daysHalf = 30;

const namesTitle =
  'Also known. Before a yes to "may I" or "how do we", or changing one of these: search';

/**
 * As many names as fit, the likeliest to be needed first; what was told above is not named again. A name gives no
 * memory, so there are no reasons.
 */
export function namesSection(snapshot: StartSnapshot, tokensMax: number, said: Said): Section {
  const { latest, projectName, sinceMs } = snapshot;
  const nodes = latest
    .filter(
      ({ category, updatedAt }) =>
        category !== "profile" && (sinceMs === null || updatedAt > sinceMs),
    )
    .filter(({ l0 }) => !said.has(plainText(l0, projectName)))
    .map((node) => ({ node, weight: weightOf(node, snapshot) }))
    .toSorted((a, b) => b.weight - a.weight || b.node.id - a.node.id);
  const subjects = new Map<string, readonly string[]>();
  let text = "";
  for (const { node } of nodes) {
    const { subject, attribute } = slotNameOf(node);
    const known = subjects.get(subject);
    const tried = new Map(subjects).set(
      subject,
      known === undefined ? [attribute] : [...new Set([...known, attribute])],
    );
    const next = lineOf(tried);
    const line = `## ${namesTitle}\n${next}\n`;
    if (tokensOf(line) > tokensMax) continue;
    subjects.set(subject, tried.get(subject) ?? []);
    text = next;
  }
  return { title: namesTitle, lines: text === "" ? [] : [text], nodeIds: [], reasons: [] };
}

/** `- invoices (currency, due date); demo account (name)`. */
const lineOf = (subjects: ReadonlyMap<string, readonly string[]>): string =>
  `- ${[...subjects]
    .map(([subject, attributes]) => {
      const named = attributes.filter((one) => one !== "");
      const name = named.length === 0 ? subject : `${subject} (${named.join(", ")})`;
      return cutAtWord(name, nameCharsMax);
    })
    .join("; ")}`;

/** Adds up: of this project, near the last sessions, used, young. 0 to 4. */
function weightOf(node: NodeOutline, snapshot: StartSnapshot): number {
  const days = Math.max(0, snapshot.nowMs - node.updatedAt) / msPerDay;
  return (
    Number(node.project === snapshot.project) +
    Number(isOfLastWork(node, snapshot)) +
    Math.min(usesMax, node.accessCount) / usesMax +
    daysHalf / (daysHalf + days)
  );
}

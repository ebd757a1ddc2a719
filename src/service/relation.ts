/**
 * The relational profile as it is shown: a view of what the user said about how to work, and of what was corrected,
 * each with its day and with what it took the place of. It is written nowhere, so nothing says the same twice.
 */
import { communicationUri, type MemoryNode, type StoreDep } from "#domain";
import { cutToTokens, isoDate, oneLine } from "#kit";
import { limits } from "#memory";

/** Lines of a section; a profile is read whole. */
const linesMax = 12;
const evidenceMax = 10;
/** Room for a heading and the notes of each line. */
const overviewTokensMax = limits.l1TokensMax * 0.9;

/** Returns the node at the profile's address, or else the view; null when nothing was said. */
export function relationOf({ store }: StoreDep): MemoryNode | null {
  const stored = store.nodes.byUri(communicationUri);
  if (stored !== null) return stored.status === "active" ? stored : null;
  const page = { limit: linesMax, offset: 0 };
  const rules = store.nodes
    .list({ categories: ["preferences"], projects: [], statuses: ["active"] }, "recent", page)
    .filter(({ origin }) => origin === "user");
  const corrected = store.nodes
    .list({ statuses: ["superseded"], projects: null }, "recent", page)
    .flatMap((old) => {
      const now = store.nodes.successors([old.id]).get(old.id);
      return now?.status === "active" && now.origin === "user" ? [{ now, old }] : [];
    });
  const [latest] = [...rules, ...corrected.map(({ now }) => now)].toSorted(
    (a, b) => b.updatedAt - a.updatedAt,
  );
  if (latest === undefined) return null;
  const isRule = new Set(rules.map(({ id }) => id));
  const before = new Map(corrected.map(({ now, old }) => [now.id, old]));
  const lines = (title: string, nodes: readonly MemoryNode[]): readonly string[] =>
    nodes.length === 0 ? [] : [`${title}:`, ...nodes.map((node) => lineOf(node, before))];
  const others = [...new Map(corrected.map(({ now }) => [now.id, now])).values()];
  const said = rules.length === 0 ? others : rules;
  return {
    ...latest,
    uri: communicationUri,
    category: "profile",
    project: null,
    l0: cutToTokens(
      oneLine(`How the user likes to work: ${said.map(({ l0 }) => l0).join("; ")}`),
      limits.l0TokensMax,
    ),
    l1: cutToTokens(
      [
        ...lines("Feedback calibration", rules),
        ...lines(
          "Corrections received",
          others.filter(({ id }) => !isRule.has(id)),
        ),
      ].join("\n"),
      overviewTokensMax,
    ),
    l2: null,
    tags: ["relational"],
    slot: null,
    evidence: [...rules, ...others].flatMap(({ evidence }) => evidence).slice(0, evidenceMax),
  };
}

function lineOf(
  { id, l0, updatedAt }: MemoryNode,
  before: ReadonlyMap<number, MemoryNode>,
): string {
  const old = before.get(id);
  const notes = [
    `since ${isoDate(updatedAt)}`,
    ...(old === undefined ? [] : [`before: ${oneLine(old.l0)} (${isoDate(old.createdAt)})`]),
  ];
  return `- ${oneLine(l0)} (${notes.join("; ")})`;
}

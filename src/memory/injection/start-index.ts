/**
 * The index at the end of session start: how much is known per branch of the tree, one-liners with what they cost, and
 * how to fetch them. Fifty memories take at most 1,000 tokens. Pure.
 */
import type { NodeOutline } from "#domain";
import { cutAtWord, msPerDay, tokensOf } from "#kit";
import { neutralise } from "./neutral.ts";
import type { Section, StartReason, StartSnapshot } from "./start-types.ts";

const indexTokensMax = 1_000;
const indexNodesMax = 50;
/** Characters of one line: fifty of the shorter ones and their branches' heads stay below 1,000 tokens. */
const lineCharsMax = 110;
const lineCharsMin = 56;

const title = "What else is known";

/** Lists memories that were not named yet (by URI), grouped by branch, within `tokensLeft`. */
export function indexSection(
  snapshot: StartSnapshot,
  named: ReadonlySet<string>,
  tokensLeft: number,
): Section {
  const listed = snapshot.index
    .filter((node) => !named.has(node.uri) && node.status === "active")
    .filter((node) => snapshot.sinceMs === null || node.updatedAt > snapshot.sinceMs)
    .slice(0, indexNodesMax);
  const total = Object.values(snapshot.counts).reduce((sum, count) => sum + count, 0);
  if (total === 0 || (snapshot.sinceMs !== null && listed.length === 0)) return nothing;
  const head = `${total} memories in reach: \`continuity search WORDS\` finds, \`continuity show URI\` fetches (~tokens, age; quoted = not the user's words).`;
  const tokensMax = Math.min(indexTokensMax, tokensLeft) - tokensOf(`## ${title}\n${head}\n`);
  if (tokensMax <= 0) return nothing;
  return { ...arrange(snapshot, listed, tokensMax, head), title };
}

const nothing: Section = { title, lines: [], nodeIds: [], reasons: [] };

/** Best memories are taken first, then shown under their branches. */
function arrange(
  snapshot: StartSnapshot,
  listed: readonly NodeOutline[],
  tokensMax: number,
  head: string,
): Omit<Section, "title"> {
  const branches = Object.entries(snapshot.counts).filter(([, count]) => count > 0);
  const heads = new Map(branches.map(([branch, count]) => [branch, `${branch} (${count})`]));
  let left = tokensMax - [...heads.values()].reduce((sum, line) => sum + tokensOf(`${line}\n`), 0);
  const width = widthFor(listed.length, left);
  const taken = new Map<string, string[]>();
  const reasons: StartReason[] = [];
  for (const node of listed) {
    const line = indexLine(node, snapshot.nowMs, width);
    const tokens = tokensOf(`${line}\n`);
    if (tokens > left) continue;
    left -= tokens;
    const branch = branchOf(node.uri);
    taken.set(branch, [...(taken.get(branch) ?? []), line]);
    reasons.push({ section: title, uri: node.uri, tokens, as: "listed" });
  }
  const order = [...new Set([...heads.keys(), ...taken.keys()])];
  const lines = order.flatMap((branch) =>
    [heads.get(branch) ?? branch].concat(taken.get(branch) ?? []),
  );
  return {
    lines: left < 0 ? [head] : [head, ...lines],
    nodeIds: [],
    reasons: left < 0 ? [] : reasons,
  };
}

/** Characters per line, so that all of them fit when they can. */
const widthFor = (count: number, tokens: number): number =>
  Math.max(lineCharsMin, Math.min(lineCharsMax, Math.floor((tokens * 4) / Math.max(1, count)) - 4));

/**
 * `- slug ~35 9w: first words`: place, cost, age, text; quoted when the user did not say it. The slug stays whole, since
 * it is what one fetches by.
 */
function indexLine(node: NodeOutline, nowMs: number, width: number): string {
  const slug = neutralise(node.uri.slice(branchOf(node.uri).length + 1));
  const start = `- ${slug} ~${costOf(node)} ${shortAge(nowMs - node.updatedAt)}`;
  const room = width - start.length - 4;
  if (room < wordsMin) return start;
  const text = cutAtWord(neutralise(node.l0), room);
  return node.origin === "user" ? `${start}: ${text}` : `${start}: "${text.replaceAll('"', "'")}"`;
}

/** Fewer characters than this say nothing that the slug does not. */
const wordsMin = 16;

/** Days, weeks or months: `3d`, `9w`, `14m`. */
export function shortAge(ageMs: number): string {
  const days = Math.max(0, Math.floor(ageMs / msPerDay));
  if (days < 14) return `${days}d`;
  return days < 90 ? `${Math.round(days / 7)}w` : `${Math.round(days / 30.4)}m`;
}

/** A token is four characters, and most characters are one byte. */
const costOf = ({ l0, l1Bytes, l2Bytes }: NodeOutline): number =>
  tokensOf(l0) + Math.ceil(l1Bytes / 4) + Math.ceil(l2Bytes / 4);

/** The directory of a URI, without a slash at its end. */
export const branchOf = (uri: string): string => uri.slice(0, Math.max(uri.lastIndexOf("/"), 0));

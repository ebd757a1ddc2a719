/** The brief that carries a session over a compaction, without the frame that injection puts around it. Pure. */
import type { CheckpointFields, MemoryNode } from "#domain";
import { cutAtWord, tokensOf } from "#kit";
import { identifiersOf, jaccard, numbersIn, stemsOf } from "#language";
import { limits } from "../limits.ts";

// Lists inside a checkpoint's text fields: one item is plain text, several are lines with a dash. Pure.

/** The field's text; cut at a word when it is too long. */
export function textOf(items: readonly string[]): string {
  const kept = items.slice(-limits.checkpointItemsMax);
  const text = kept.length === 1 ? (kept[0] ?? "") : kept.map((item) => `- ${item}`).join("\n");
  return cutAtWord(text, limits.checkpointFieldCharsMax);
}

/** The items of a field's text. */
export const itemsOf = (text: string): readonly string[] =>
  text
    .split("\n")
    .map((line) => line.replace(/^- /, "").trim())
    .filter((line) => line !== "");

/** Share of words from which two items say the same: a re-worded outcome is not a second one. */
const sameItemMin = 0.8;

/** Items of both in order, each said once, the later wording kept. */
export function united(before: readonly string[], now: readonly string[]): readonly string[] {
  const kept: { readonly item: string; readonly words: ReadonlySet<string> }[] = [];
  for (const item of [...before, ...now]) {
    const words = stemsOf(item);
    const same = kept.findIndex(
      (other) => other.item === item || jaccard(other.words, words) >= sameItemMin,
    );
    if (same >= 0) kept.splice(same, 1);
    kept.push({ item, words });
  }
  return kept.map(({ item }) => item);
}

export interface BriefMaterial {
  readonly fields: CheckpointFields;
  /** Exchanges of this session, oldest first. */
  readonly exchanges: readonly MemoryNode[];
  /** The client's own summary; null while it has not come: then everything counts as lost. */
  readonly compactSummary: string | null;
}

/**
 * `continuationBrief` tells a session what it needs to go on after its context was compacted, most
 * urgent first, within `tokensMax`. Says only what the client's own summary lost; empty when it
 * lost nothing.
 */
export function continuationBrief(material: BriefMaterial, tokensMax: number): string {
  const survived = summaryIndex(material.compactSummary);
  const lost = briefItems(material).filter(({ text }) => isLost(text, survived));
  const taken: { readonly heading: string; readonly text: string }[] = [];
  for (const item of distinctByText(lost)) {
    if (tokensOf(briefText([...taken, item])) > tokensMax) continue;
    taken.push(item);
  }
  return briefText(taken);
}

type BriefItem = { readonly heading: string; readonly text: string };

/** The most needed for going on comes first. */
function briefItems({ fields, exchanges }: BriefMaterial): readonly BriefItem[] {
  const items = (heading: string, texts: readonly string[]): readonly BriefItem[] =>
    texts.filter((text) => text !== "").map((text) => ({ heading, text }));
  const decided = exchanges.filter(({ tags }) => tags[0] === "decision");
  return [
    ...items("Current Task", [fields.currentTask]),
    ...items("Next Steps", itemsOf(fields.nextSteps)),
    ...items("Notes", itemsOf(fields.notes)),
    ...items("Learned", itemsOf(fields.learned)),
    ...items("Uncommitted Changes", fields.uncommitted),
    ...items("Files In Hand", fields.filesInHand),
    ...items("Completed", itemsOf(fields.completed)),
    ...items(
      "Decided",
      decided.toReversed().map(({ l0 }) => l0),
    ),
    ...items("Repeated Work", fields.thrash),
    ...items("Request", [fields.request]),
  ];
}

const distinctByText = (items: readonly BriefItem[]): readonly BriefItem[] => {
  const said = new Set<string>();
  return items.filter(({ text }) => {
    const key = saidAs(text);
    const isNew = !said.has(key);
    said.add(key);
    return isNew;
  });
};

/** The same words with another beginning or end say the same: a project, an order to remember, a full stop. */
const saidAs = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^[\w.-]+: /u, "")
    .replace(/^(?:please )?remember(?: that|:)? /u, "")
    .replace(/[.!。]+$/u, "");

const briefText = (items: readonly BriefItem[]): string =>
  [...Map.groupBy(items, ({ heading }) => heading)]
    .map(([heading, group]) =>
      group.length === 1
        ? `${heading}: ${group[0]?.text ?? ""}`
        : `${heading}:\n${group.map(({ text }) => `- ${text}`).join("\n")}`,
    )
    .join("\n");

interface Survived {
  readonly text: string;
  readonly words: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
}

const summaryIndex = (summary: string | null): Survived | null =>
  summary === null
    ? null
    : {
        text: summary.toLowerCase(),
        words: new Set(summary.split("\n").flatMap((line) => Array.from(stemsOf(line)))),
        numbers: numbersIn(summary),
      };

/** From this share of an item's words on, the summary has told it. */
const toldShareMin = 0.6;

/** Hard tokens decide first: a summary that tells the story without the port number has lost the port number. */
function isLost(text: string, survived: Survived | null): boolean {
  if (survived === null) return true;
  const names = identifiersOf(text).map((name) => name.split("/").at(-1) ?? name);
  if (names.some((name) => !survived.text.includes(name.toLowerCase()))) return true;
  if (!numbersIn(text).isSubsetOf(survived.numbers)) return true;
  const words = [...stemsOf(text)];
  const told = words.filter((word) => survived.words.has(word)).length;
  return words.length > 0 && told / words.length < toldShareMin;
}

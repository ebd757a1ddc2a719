/**
 * Takes whole blocks out of a text: first what the user marked private, then what the client or we put there.
 *
 * Pure and linear. Must not know about secrets (that ruleset is large, and a hook loads this file on every call).
 */
import { clientTags, isInjectedTag, memoryBlockTag } from "#domain";
import { tagsIn, type Tag } from "#kit";

export interface StrippedText {
  readonly text: string;
  /** Contents of the private blocks. Never stored, never logged. */
  readonly hidden: readonly string[];
  /** True when nothing but white space is left of a text that had a private block. */
  readonly whollyPrivate: boolean;
}

const privateNames: ReadonlySet<string> = new Set(["private"]);

/**
 * Taking a block out may join its neighbours into a new tag (`<pri<private>x</private>vate>`). Nobody writes that by
 * accident, so after this many rounds the rest of the text goes too.
 */
const roundsMax = 4;

interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Removes private blocks, then the client's blocks and our own. Secrets stay; see createGate for the whole gate.
 * An unclosed `<private>` hides everything to the end; a stray closing tag hides nothing and is removed.
 */
export function stripBlocks(text: string): StrippedText {
  if (!text.includes("<")) return { text, hidden: [], whollyPrivate: false };
  const hidden: string[] = [];
  let hadPrivate = false;
  const withoutPrivate = untilStable(text, privateNames, (current, tags) => {
    hadPrivate ||= tags.some((tag) => tag.kind === "open");
    return removePrivate(current, tags, hidden);
  });
  const left = untilStable(withoutPrivate, clientTags, removeClient);
  // A client's block that went may have joined the halves of a private tag.
  const again = tagsIn(left, privateNames)[0];
  if (again !== undefined) hidden.push(left.slice(again.end));
  const kept = again === undefined ? left : left.slice(0, again.start);
  hadPrivate ||= again !== undefined;
  const whollyPrivate = hadPrivate && kept.replaceAll(mark, "").trim() === "";
  return { text: whollyPrivate ? "" : kept, hidden, whollyPrivate };
}

function untilStable(
  text: string,
  names: ReadonlySet<string>,
  remove: (text: string, tags: readonly Tag[]) => string,
): string {
  let current = text;
  for (let round = 0; round < roundsMax; round += 1) {
    const tags = tagsIn(current, names);
    if (tags.length === 0) return current;
    current = remove(current, tags);
  }
  const rest = tagsIn(current, names)[0];
  return rest === undefined ? current : current.slice(0, rest.start);
}

function removePrivate(text: string, tags: readonly Tag[], hidden: string[]): string {
  const kept: string[] = [];
  let from = 0;
  for (const { start, end, held } of privateRanges(text, tags)) {
    kept.push(text.slice(from, start));
    from = end;
    if (held === null) continue;
    hidden.push(held);
    const isEmpty = held.trim() === "";
    if (!isEmpty && isPartOfSentence(kept.slice(-3).join(""), held, text.slice(end)))
      kept.push(mark);
  }
  return kept.join("") + text.slice(from);
}

/** A private block with what it held; null for a stray tag. */
interface PrivateRange extends Range {
  readonly held: string | null;
}

function* privateRanges(text: string, tags: readonly Tag[]): Generator<PrivateRange> {
  const lastClose = tags.findLastIndex((tag) => tag.kind === "close");
  let depth = 0;
  let start = 0;
  let from = 0;
  let inside: string[] = [];
  for (const [index, tag] of tags.entries()) {
    if (depth > 0) inside.push(text.slice(from, tag.start));
    else ({ start } = tag);
    from = tag.end;
    // `<private/>` holds nothing, unless it was meant as an opening tag.
    if (tag.kind === "open" || (tag.kind === "empty" && index < lastClose)) depth += 1;
    else if (depth === 0) yield { start, end: from, held: null };
    else if (tag.kind === "close" && (depth -= 1) === 0) {
      yield { start, end: from, held: inside.join("") };
      inside = [];
    }
  }
  if (depth > 0) yield { start, end: text.length, held: inside.join("") + text.slice(from) };
}

/** Stands for a part of a sentence: what is left may say nothing, or something else. */
const mark = "[redacted:private]";

/** True when a block stood inside a sentence, at its head or at its end, and was no remark beside it. */
function isPartOfSentence(before: string, block: string, after: string): boolean {
  const head = lastLineOf(before);
  const rest = firstLineOf(after);
  // Taking the block out may make a tag of what stands around it, and a mark would hide that tag.
  if (/<[^<>]*$/.test(head)) return false;
  const isBehind = rest.trim() === "" || /^\s*[.!?。！？]+(?:\s|$)/.test(rest);
  if (head.trim() === "" || sentenceEnd.test(head)) return !isBehind && mayBeName(block);
  const isAside = /[(（]\s*$/.test(head) && /^\s*[)）]/.test(rest);
  if (isAside || connective.test(block)) return false;
  return !(isBehind && /[,;，；、—–-]\s*$/.test(head));
}

/** So much of a line is looked at on either side of a block. */
const aroundCharsMax = 400;
const lastLineOf = (text: string): string =>
  text.slice(-aroundCharsMax).slice(text.slice(-aroundCharsMax).lastIndexOf("\n") + 1);
const firstLineOf = (text: string): string => /^.*/.exec(text.slice(0, aroundCharsMax))?.[0] ?? "";

/** A longer block at the head of a line is a sentence of its own. */
const nameCharsMax = 40;
const mayBeName = (block: string): boolean =>
  block.length <= nameCharsMax && block.trim().split(/\s+/).length <= 4 && !sentenceEnd.test(block);

const sentenceEnd = /[.!?…。！？]["')\]”»」]*\s*$/;

/** Words that begin a clause of their own beside the one before. */
const connectives = [
  ["because", "since", "although", "though", "but", "so that"],
  ["weil", "denn", "damit", "obwohl", "aber"],
  ["parce que?", "car", "puisque", "mais"],
  ["porque", "ya que", "aunque", "pero"],
  ["pois", "embora", "mas"],
  ["потому", "так как", "хотя", "но"],
  ["因为", "但", "なぜなら", "ただし"],
];
const connective = new RegExp(
  String.raw`^\s*(?:[(,;:—–-]|(?:${connectives.flat().join("|")})(?!\p{L}))`,
  "iu",
);

/**
 * An unclosed block that was cut goes to the end: one of ours, and one of the client at the edge of a line. Another
 * unclosed block loses its tag only: the text is about the tag.
 */
function removeClient(text: string, tags: readonly Tag[]): string {
  const openByName = new Map<string, Tag[]>();
  const ranges: Range[] = [];
  for (const tag of tags) {
    const open = openByName.get(tag.name) ?? [];
    openByName.set(tag.name, open);
    if (tag.kind === "open") open.push(tag);
    const partner = tag.kind === "close" ? open.pop() : undefined;
    ranges.push({ start: partner?.start ?? tag.start, end: tag.end });
  }
  const cut = [...openByName.values()]
    .flat()
    .filter((tag) => tag.name === memoryBlockTag || isCut(text, tag))
    .toSorted((a, b) => a.start - b.start)[0];
  if (cut !== undefined) ranges.push({ start: cut.start, end: text.length });
  return without(text, ranges);
}

function isCut(text: string, { name, start, end }: Tag): boolean {
  if (!isInjectedTag(name)) return false;
  // A line without an end is looked at once for each of its tags, so only this much of it.
  const before = text.slice(Math.max(0, start - edgeCharsMax - 1), start);
  const lineStart = before.lastIndexOf("\n");
  if ((lineStart !== -1 || start <= edgeCharsMax) && before.slice(lineStart + 1).trim() === "")
    return true;
  const behind = text.slice(end, end + edgeCharsMax + 1);
  const lineEnd = behind.indexOf("\n");
  return lineEnd !== -1 && behind.slice(0, lineEnd).trim() === "";
}

/** So many spaces between a tag and the edge of its line still put it there. */
const edgeCharsMax = 200;

function without(text: string, ranges: readonly Range[]): string {
  const kept: string[] = [];
  let from = 0;
  for (const range of ranges.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (range.start > from) kept.push(text.slice(from, range.start));
    from = Math.max(from, range.end);
  }
  return kept.join("") + text.slice(from);
}

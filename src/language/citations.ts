/**
 * Text of others within the lines that the reader takes for typed: below "translate this:", "the wiki says:" or
 * "Contents of FILE:", behind the name of a speaker, in markup and comments. It is not the user's word, whoever pasted
 * it. All marks are in lists/citations.txt. Pure, linear in the text.
 */
import { memoised } from "#kit";
import { aloneOr, either, letters } from "./lists.ts";
import { any, citationLists as lists, found, says } from "./citation-marks.ts";
import { blank, blockEnd, withoutComments } from "./markup.ts";
import type { SentenceOrder } from "./orders-common.ts";
import { orderIn } from "./orders.ts";
import { unspacedOrder } from "./orders-unspaced.ts";

const introducesList = any("lists");
const works = new RegExp(
  `(?:${aloneOr(letters, lists.works, lists["works, any place"])})\\s*[:：]`,
  "iu",
);
const texts = any("texts");
const pasted = new RegExp(
  aloneOr(letters, lists["texts, a line apart"], lists["texts, a line apart, any place"]),
  "iu",
);
const closes = any("closes");
const files = new RegExp(
  `(?:${aloneOr(letters, lists.files, lists["files, any place"])})[^.!?。:：]{0,60}[:：]`,
  "iu",
);
/** "I found this on a blog: …, does that make sense?" */
const shown = new RegExp(`(?:${found.source})(?: [\\p{L}\\p{N}'’.-]+){0,4}\\s*[:：]`, "iu");
const asks = any("asks");
const isWritten = new RegExp(aloneOr(letters, lists.writes), "iu");

/** A name of a file and nothing to do with it, as the last words of a line. */
const namesFile = new RegExp(
  String.raw`(?:\b(?:README|CONTRIBUTING|CHANGELOG)\b|` +
    String.raw`[\w-]+\.(?:md|txt|rst|adoc|mdc|html?|pdf|json|ya?ml|toml|py|ts|js|go|rs|sh))["')]?\s*[:：]$`,
  "u",
);
const namesFileAnywhere = new RegExp(
  String.raw`\b(?:README|CONTRIBUTING|CHANGELOG|CLAUDE|AGENTS|GEMINI)\b|[\w-]+\.(?:md|txt|rst|adoc|mdc)\b`,
  "u",
);
const speaker = new RegExp(
  String.raw`^\s*(?:[-*>|#\[(<*]{1,4}\s*)?(?:from |von |de |от |来自)?(?:@?[\w-]+\[bot\]|` +
    String.raw`${either(lists.speakers)})(?:\s?[(\[#][^)\]\n]{0,40}[)\]])?\s*[\])>*|]{0,3}\s*[:：>]`,
  "iu",
);
/** "[Scheduled task] …", "Alice [10:32]: …", "<alice> …". */
const stamped = new RegExp(
  String.raw`^\s*(?:\[(?!(?:[Ii]mage|[Pp]asted text) #?\d)[\p{L}][\p{L}\p{N} #:._/-]{1,40}\]\s*\S|<[\w.-]{2,30}> \S|` +
    String.raw`\[?\d{1,2}:\d\d(?::\d\d)?\]?\s+<?[\p{L}][\w .-]{1,30}>?\s*[:：])`,
  "u",
);
/** A capitalised name before a colon: a speaker where two lines have one. */
const named =
  /^\s*\*{0,2}\p{Lu}[\p{L}'-]{1,20}(?: \p{Lu}[\p{L}.'-]{0,20})?\*{0,2}\s?(?:\([^)]{1,30}\))?:\s+\S/u;
/** The same in scripts without spaces, which have no capitals: where every line of a paragraph has one. */
const unspacedNamed =
  /^\s*[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]{1,6}(?:\s?[（(][^）)]{1,20}[）)])?[：:]\s*\S/u;
const comment =
  /^\s*(?:<!--|-->|\/\/|\/\*|\*\/|\{\/\*|#{1,6}\s|#!|--\s|%\s|;;|"""|'''|\*\s(?!\S.*[.!?]$)\S|>|»|›)/u;
const item = /^\s*(?:[-*•・+]|\d{1,2}[.)])\s+\S/u;
const introduction = /[:：]["'”*_]{0,3}$/u;

/**
 * The text with what is cited blanked out: same length, so that positions agree. `isCautious`: not what stands above an
 * order to work on it. `whole`: the prompt with the lines that were left out, for who speaks in it.
 */
export function withoutCitations(text: string, isCautious = false, whole = text): string {
  if (text.trim() === "") return text;
  const lines = withoutMarkup(text).split("\n");
  const end = lastParagraph(lines);
  // "…", and below it "translate this": what stands above is the text.
  if (!isCautious && end !== -1 && asksAboutAbove(lines[end] ?? "")) return aloneAt(lines, end);
  const all = whole.split("\n");
  const speakers = all.filter((line) => isNamed(line)).length;
  // Below "what does this mail want?" more of the mail may have been left out: its greeting and its end.
  const last = all.findLastIndex((line) => line.trim() !== "");
  const ownEnd = end === last && all[last - 1]?.trim() === "" ? end : -1;
  const isSpoken = (line: string): boolean =>
    speaker.test(line) || stamped.test(line) || (speakers > 1 && isNamed(line));
  const first = lines.findIndex((line) => line.trim() !== "");
  const state: State = { cited: "none", seen: 0, blanks: 0, isList: true };
  return lines
    .map((line, n) => {
      if (line === blockEnd) state.cited = "none";
      if (line.trim() === "") {
        passBlank(state, all[n] ?? "");
        return line;
      }
      goOn(state, line, n === ownEnd && (!isSpoken(line) || asksAt(line)));
      if (state.cited !== "none") return blank(line);
      if (n === first && isAboutText(line, lines[n + 1])) {
        Object.assign(state, { cited: "rest", seen: 0, blanks: 0, isList: false });
        return line;
      }
      if (isSpoken(line) && !asksAt(line)) {
        Object.assign(state, { cited: "rest", seen: 1, blanks: 0, isList: false });
        return blank(line);
      }
      return comment.test(line) ? blank(line) : opened(state, line);
    })
    .join("\n");
}

const isNamed = (line: string): boolean =>
  named.test(line) || (unspacedNamed.test(line) && !isLabelled(line.trim()));

/** "规则：…": the order's own words stand before the colon. */
function isLabelled(line: string): boolean {
  const order = unspacedOrder(line, () => false);
  return order !== null && order.before === 0 && order.matter?.start !== 0;
}

const aloneAt = (lines: readonly string[], at: number): string =>
  lines.map((line, n) => (n === at ? line : blank(line))).join("\n");

/** Prompts whose own lines are kept: each is read for its exchange, and for the title and the end of several turns. */
const promptsKept = 100;

/** The text without the lines that are another's as a whole. */
export const withoutCitedLines = memoised((text: string): string => {
  const own = withoutCitations(text).split("\n");
  return text
    .split("\n")
    .filter((line, n) => line.trim() === "" || own[n]?.trim() !== "")
    .join("\n");
}, promptsKept);

interface State {
  /** Extent of an open citation: the items of a list, or all that follows. */
  cited: "items" | "none" | "rest";
  /** Lines that were cited since. */
  seen: number;
  /** Blank lines since: three in a row stand for a paste that was left out. */
  blanks: number;
  /** True while all of them were items. */
  isList: boolean;
}

/** Does the citation go on in this line? Behind a list, and in a last line of its own, the user speaks again. */
function goOn(state: State, line: string, isLast: boolean): void {
  if (state.cited === "none") return;
  const isItem = isOfList(line);
  const isOver =
    (isLast && (state.seen > 0 || state.blanks > 2)) ||
    (!isItem && (state.cited === "items" || (state.isList && state.seen > 0)));
  if (isOver) state.cited = "none";
  state.isList &&= isItem;
  state.seen += 1;
}

/** Counts an empty line; one that the reader left out was cited too, and no list goes on where it is no item. */
function passBlank(state: State, original: string): void {
  state.blanks += 1;
  if (original.trim() === "") return;
  state.seen += 1;
  state.isList &&= isOfList(original);
}

const isOfList = (line: string): boolean => item.test(line) || /^\s{2,}\S/u.test(line);

/** Blanks what a mark in the line cites. */
function opened(state: State, line: string): string {
  const said = line.trim();
  const mark = markIn(said);
  if (mark === null) {
    if (isForeignList(said) || asksAboutFile(said))
      Object.assign(state, { cited: "items", seen: 0, blanks: 0, isList: true });
    return line;
  }
  const at = line.indexOf(said) + mark.at;
  const quoted = quotation.exec(line.slice(at))?.[0];
  // `Ben said "never". Remember that …`: behind the quotation the user speaks again.
  if (quoted !== undefined) {
    const end = at + quoted.length;
    return line.slice(0, at) + blank(quoted) + opened(state, line.slice(end));
  }
  const indirect = indirectSpeech.exec(line.slice(at))?.[0].length ?? 0;
  if (indirect > 0)
    return (
      line.slice(0, at) +
      blank(line.slice(at, at + indirect)) +
      opened(state, line.slice(at + indirect))
    );
  const isInline = /[\p{L}\p{N}]/u.test(line.slice(at));
  if (mark.isOpen)
    Object.assign(state, { cited: "rest", seen: isInline ? 1 : 0, blanks: 0, isList: !isInline });
  return line.slice(0, at) + blank(line.slice(at));
}

/** "Ops told me that redis is on port 6390, keep that in mind": another's news that the user orders to keep. */
function isAdopted(told: string): boolean {
  const clauses = told.split(/(?<=[,.;])\s+/u);
  const at = clauses.findIndex((clause, n) => n > 0 && isKept(orderIn(clause)));
  return at > 0 && !/[:："“„«]/u.test(clauses.slice(0, at).join(" "));
}

/** An order that only points. */
const isKept = (order: SentenceOrder | null): boolean =>
  order?.isOutright === true && order.matter === null && order.before === 0;

/** A whole quotation and the end of its sentence, with more behind it. */
const quotation =
  /^\s*[:：,，]?\s*(?:"[^"\n]+"|“[^”\n]+”|„[^“”\n]+[“”]|«[^»\n]+»|「[^」\n]+」|'[^'\n]+')(?=\s*[.!?。！？;；]+\s*\S)/u;

/** "… told me on the phone that labels hold for 28 days.": ends with its sentence, and more stands behind it. */
const indirectSpeech =
  /^[^.!?:。！？："“„«]{0,60}?(?<!\p{L})(?:that|dass|daß|que|qu['’]|что)(?!\p{L})[^.!?:。！？："“„«]*(?=[.!?]\s+\S)/iu;

/** "[Note] remember …" and "Note: …" ask. */
const asksAt = (line: string): boolean => /^\s*[[(<*#|]*\s*(?:note|memo|remember)\b/iu.test(line);

/** "Summarise it. And remember: …": a last line that begins with a request to work on what stands above. */
export function asksAboutAbove(line: string): boolean {
  const [first = ""] = line.split(/(?<=[.!?。！？])\s+/u, 1);
  return isShort(first) && closes.test(first);
}

/** Asks for work on a text, in a line by itself; also beside an order, where the text stands below an empty line. */
const isAboutText = (line: string, next: string | undefined): boolean =>
  !holdsText.test(line) &&
  ((isShort(line) && texts.test(line)) ||
    (next?.trim() === "" &&
      line
        .split(/(?<=[.!?])\s+|(?<=[。！？])/u)
        .some((one) => isShort(one) && (texts.test(one) || pasted.test(one)))));
/** Quotation marks around the text itself. */
const holdsText = /["“„«「][^"”“»」]{20,}["”“»」]/u;
const isShort = (line: string): boolean =>
  line.length <= requestCharsMax && !/[.!?。！？]\s+\S/u.test(line);
const requestCharsMax = 160;

/** Index of a last paragraph that is one line; -1 when it is the only one, or longer. */
function lastParagraph(lines: readonly string[]): number {
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return last > 0 && lines[last - 1]?.trim() === "" ? last : -1;
}

interface Mark {
  /** The place at which the other's words begin. */
  readonly at: number;
  /** True when they go on below the line. */
  readonly isOpen: boolean;
}

function markIn(said: string): Mark | null {
  const mark = anyMarkIn(said);
  return mark?.isOpen === false && isAdopted(said.slice(mark.at)) ? null : mark;
}

function anyMarkIn(said: string): Mark | null {
  const isOpen = introduction.test(said);
  const markOf = (pattern: RegExp, goesOn: boolean): Mark | null => {
    const match = pattern.exec(said);
    if (match === null || asksBefore(said, match.index)) return null;
    return { at: match.index + match[0].length, isOpen: goesOn };
  };
  const isQuestion = /[?？]$/u.test(said);
  return (
    markOf(works, true) ??
    markOf(files, true) ??
    (isQuestion && !shown.test(said) ? null : markOf(found, isOpen || isAlone(said))) ??
    behindName(said, markOf(says, isOpen)) ??
    (isFileName(said) ? { at: said.length, isOpen: true } : null)
  );
}

/** "Kim told me. Don't save that.": what ends with its speaker cites nothing behind it. */
function behindName(said: string, mark: Mark | null): Mark | null {
  if (mark === null || !/^[.!]\s/u.test(said.slice(mark.at))) return mark;
  const next = markIn(said.slice(mark.at + 1));
  return next === null ? null : { ...next, at: mark.at + 1 + next.at };
}

/** Speaks a text of words, pages or files that may be another's, or asks for work on them? */
export const citesOthers = (text: string): boolean =>
  [says, found, texts, pasted, closes, works, files, namesFileAnywhere].some((mark) =>
    mark.test(text),
  );

const isFileName = (said: string): boolean =>
  introduction.test(said) && namesFile.test(said) && !isWritten.test(said) && !asks.test(said);

/** "Remember to translate: …" asks for no work on a text; an order in a sentence before it says nothing of it. */
const asksBefore = (said: string, at: number): boolean =>
  asks.test(said.slice(0, at).replace(/^.*[.!?。！？]\s+/su, ""));

/** One sentence by itself. */
const isAlone = (said: string): boolean => !/[.!。！]\s*\S/u.test(said);

const isForeignList = (said: string): boolean =>
  introduction.test(said) && !asks.test(said) && introducesList.test(said);

/** "CLAUDE.md has these lines, are they ok?", "In CLAUDE.md steht:" */
const asksAboutFile = (said: string): boolean =>
  /[:：?？]["'”*_]{0,3}$/u.test(said) &&
  namesFileAnywhere.test(said) &&
  !isWritten.test(said) &&
  !asks.test(said);

const withoutMarkup = (text: string): string =>
  text.includes("<")
    ? withoutComments(text).replace(
        /<([a-z][\w-]{0,40})(?:\s[^<>\n]{0,200})?>[^<]{0,20000}<\/\1\s*>/giu,
        blank,
      )
    : text;

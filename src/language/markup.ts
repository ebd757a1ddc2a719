/** Blanks parts of markup: same length, same lines, so that positions agree. Pure, linear in the text. */

/** Stands for the last line of a pasted block that a line introduced: what was opened above it ends here. */
export const blockEnd = "\f";

/** Blanks comments. One without an end is none. */
export function withoutComments(text: string): string {
  let out = "";
  let from = 0;
  for (;;) {
    const start = text.indexOf("<!--", from);
    const end = start === -1 ? -1 : text.indexOf("-->", start + 4);
    if (end === -1) return out + text.slice(from);
    out += text.slice(from, start) + blank(text.slice(start, end + 3));
    from = end + 3;
  }
}

/** An opening tag, or a closing one. */
const tags = /<([a-z][\w-]{1,40})(?:\s[^<>\n]{0,200})?>|<\/([a-z][\w-]{1,40})\s*>/gi;
/** A tag whose end is farther away is a word about a tag. */
const elementCharsMax = 20_000;

/** Blanks elements with all that they hold. */
export function withoutElements(text: string): string {
  const closing = new Map<string, RegExpExecArray>();
  const elements: { readonly start: number; readonly end: number }[] = [];
  for (const tag of [...text.matchAll(tags)].toReversed()) {
    const [, opened, closed] = tag;
    if (closed !== undefined) closing.set(closed.toLowerCase(), tag);
    const close = closing.get(opened?.toLowerCase() ?? "");
    if (close !== undefined && close.index - tag.index <= elementCharsMax)
      elements.push({ start: tag.index, end: close.index + close[0].length });
  }
  let out = "";
  let from = 0;
  for (const { start, end } of elements.toReversed()) {
    if (start < from) continue;
    out += text.slice(from, start) + blank(text.slice(start, end));
    from = end;
  }
  return out + text.slice(from);
}

export const blank = (text: string): string => text.replace(/[^\n]/g, " ");

// Shapes in which another's text stands as a whole, whatever its lines say: between triple quotes, under a name with
// a time, in rows below a heading, as settings with a list, below the rule of a forwarded message. Pure, linear.

const tripleQuoted = /^[ \t]*("""|''')\w{0,12}[ \t]*\n[\s\S]{0,20000}?\n[ \t]*\1[ \t]*$/gmu;
/** "kim  10:42 AM" and nothing else, with all that follows. */
const stamped = new RegExp(
  String.raw`^[ \t]*@?\p{L}[\p{L}\p{N} .'_-]{1,30}?[ ,–—|-]{1,4}[[(]?\d{1,2}[:.]\d\d(?:[:.]\d\d)?` +
    String.raw`(?:\s?[ap]m)?[\])]?[ \t]*\n[\s\S]*`,
  "imu",
);
/** "-------- Forwarded message --------" */
const ruled = /^\s*[-=_*]{3,}[ \t]*\p{L}[^\n]{2,60}?[-=_*]{3,}[ \t]*(?:\n|$)/u;
const heading = /^[\w"-]{1,40}(?:([,;\t])[\w"-]{1,40})+$/u;
const setting = /^\s*[a-z_][\w-]{0,40}:(?:\s+\S{1,40})?\s*$/u;

/** The text with such stretches blanked: same length, so that positions agree. */
export function withoutPastedShapes(text: string): string {
  const parts = text.replace(tripleQuoted, blank).split(/(\n(?:[ \t]*\n)+)/u);
  const from = parts.findIndex((part, n) => ruled.test(part) || isHeaded(part, parts[n - 2]));
  // A last line by itself behind the body is the user's again.
  const isMail = ruled.test(parts[from] ?? "");
  const hasBody = isMail ? parts.length - from > 4 : bodiesIn(parts.slice(from)) > 1;
  const last = parts.at(-1) ?? "";
  const isLineLast = hasBody && isLine(last) && (isMail || isSpoken.test(last));
  const to = from === -1 ? -1 : parts.length - (isLineLast ? 1 : 0);
  return parts.map((part, n) => (n >= from && n < to ? blank(part) : withoutRows(part))).join("");
}

const title = /^\s*#{1,6} \S[^\n]*/u;

/** A document below "Proofread this:": its first heading, with all that follows. */
const isHeaded = (part: string, before: string | undefined): boolean =>
  (before !== undefined && /[:：]\s*$/u.test(before) && title.test(part)) ||
  /^[^\n]*[:：][ \t]*\n\s*#{1,6} \S/u.test(part);

/** Paragraphs that are more than a rule or a heading. */
const bodiesIn = (parts: readonly string[]): number =>
  parts.filter((part) => part.replace(title, "").replace(ruled, "").trim() !== "").length;

/** A question, or words without a capital: a sentence may be the document's last one. */
const isSpoken = /[?？]\s*$|^\s*[^\p{Lu}\s]/u;

const isLine = (part: string): boolean =>
  !part.trim().includes("\n") && !/^\s*(?:#{1,6}|[-*•]|\d{1,2}[.)])\s/u.test(part);

/** With fewer rows below it, a heading and a line behind them are none. */
const rowsMin = 2;

function withoutRows(paragraph: string): string {
  const rows = rowsIn(paragraph.trim().split("\n"));
  if (rows !== "") return paragraph.replace(rows, () => blank(rows));
  const lines = paragraph.split("\n");
  const isSettings =
    (lines.filter((line) => setting.test(line)).length > 1 && /^[ \t]{2,}- \S/mu.test(paragraph)) ||
    /^\s*[a-z_][\w-]{0,40}:\s*\n\s{1,8}- [a-z_]\w{0,40}: /u.test(paragraph);
  return isSettings ? blank(paragraph) : paragraph.replace(stamped, blank);
}

/** The lines that are rows below a heading: all of them, or at least two; empty when they are none. */
function rowsIn(lines: readonly string[]): string {
  const mark = heading.exec(lines[0] ?? "")?.[1];
  if (mark === undefined || lines.length < 2) return "";
  const columns = lines[0]?.split(mark).length ?? 0;
  const end = lines.findIndex((line) => line.split(mark).length < columns);
  return end === -1 ? lines.join("\n") : end > rowsMin ? lines.slice(0, end).join("\n") : "";
}

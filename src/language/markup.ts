/**
 * Blanks what the user did not type, and parts of markup: same length, same lines, so that positions agree. Pure,
 * linear in the text.
 */

/** Stands for the last line of a pasted block that a line introduced: what was opened above it ends here. */
export const blockEnd = "\f";

export const blank = (text: string): string => text.replace(/[^\n]/g, " ");

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Replaces spans in ascending order; one that begins within another belongs to it. */
export function replaceSpans(text: string, spans: readonly Span[], by = blank): string {
  let out = "";
  let from = 0;
  for (const { start, end } of spans) {
    if (start < from) continue;
    out += text.slice(from, start) + by(text.slice(start, end));
    from = end;
  }
  return out + text.slice(from);
}

/** Blanks comments. One without an end is none. */
export function withoutComments(text: string): string {
  const comments: Span[] = [];
  for (let start = text.indexOf("<!--"); start !== -1; start = text.indexOf("<!--", start)) {
    const end = text.indexOf("-->", start + 4);
    if (end === -1) break;
    comments.push({ start, end: end + 3 });
    start = end + 3;
  }
  return replaceSpans(text, comments);
}

/** An opening tag, or a closing one. */
const tags = /<([a-z][\w-]{1,40})(?:\s[^<>\n]{0,200})?>|<\/([a-z][\w-]{1,40})\s*>/gi;
/** A tag whose end is farther away is a word about a tag. */
const elementCharsMax = 20_000;

/** Blanks elements with all that they hold. */
export function withoutElements(text: string): string {
  const closing = new Map<string, RegExpExecArray>();
  const elements: Span[] = [];
  for (const tag of [...text.matchAll(tags)].toReversed()) {
    const [, opened, closed] = tag;
    if (closed !== undefined) closing.set(closed.toLowerCase(), tag);
    const close = closing.get(opened?.toLowerCase() ?? "");
    if (close !== undefined && close.index - tag.index <= elementCharsMax)
      elements.push({ start: tag.index, end: close.index + close[0].length });
  }
  return replaceSpans(text, elements.toReversed());
}

// Finds the characters of a user message that the user typed. A message may carry logs, mails, code,
// quotations and whole pages; their words are not the user's, and what they ask for the user has not
// asked. The learnt reader (#reader) tells what is worth reading; this guard blanks every line and
// quotation that could carry another's order (docs/adr/0040). Pure, linear in the text.

/** The text with everything pasted blanked out: same length, so that positions agree. */
export function typedOnly(text: string): string {
  const state: State = { fence: false, paste: "none" };
  const lines = withoutBlocks(text).split("\n");
  const kept = lines.map((line) => (isTyped(line, state) ? line : blank(line)));
  return withoutQuotations(kept.join("\n"));
}

interface State {
  fence: boolean;
  /** The extent of a paste that an announcement has opened: to the next empty line, or to the end. */
  paste: "none" | "paragraph" | "rest";
}

/** Characters; nobody types a longer line. */
const typedLineMax = 2_000;

function isTyped(line: string, state: State): boolean {
  if (/^\s*(?:```|~~~)/.test(line)) {
    state.fence = !state.fence;
    return false;
  }
  if (line === blockEnd) state.paste = "none";
  if (state.fence || state.paste === "rest" || line.length > typedLineMax) return false;
  if (line.trim() === "") {
    state.paste = "none";
    return true;
  }
  if (state.paste === "paragraph") return false;
  return isTypedLine(line, state);
}

function isTypedLine(line: string, state: State): boolean {
  if (otherVoice.test(line)) state.paste = "rest";
  else if (roleLine.test(line)) state.paste = "paragraph";
  if (otherVoice.test(line) || roleLine.test(line)) return false;
  return !isProgramLine(line) && !pastedLine.test(line);
}

/** Quoted, a table, the header of a mail. */
const pastedLine = /^\s*(?:[>›»|]|(?:from|to|cc|bcc|subject|sent|date|reply-to|message-id):\s)/i;

/** From here to the end another is speaking. */
const otherVoice = new RegExp(
  String.raw`^\s*(?:-{2,} ?(?:original message|forwarded message|begin|transcript)|on .{4,80} wrote:\s*$|` +
    String.raw`#{1,6} \S|\*{0,2}(?:readme|contributing|changelog)\b.{0,20}$)`,
  "i",
);
/** A speaker's name as transcripts write it. */
const roleLine =
  /^[\s[(<*#|]*(?:user|human|assistant|system|developer|claude|ai|tool|bot|admin)[\s\])>*|]*[:：>]/i;
/** Lines of logs, traces, shells, JSON and code. */
export const isProgramLine = (line: string): boolean => programLine.some((one) => one.test(line));

const programLine: readonly RegExp[] = [
  /^(?: {4}|\t)\S/, // An indented block.
  new RegExp(
    String.raw`^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:|\[?\d{1,2}:\d\d:\d\d|` +
      String.raw`\[?(?:error|warn|warning|info|debug|trace|fatal|fail|notice)\b\]?\s*[:\]|])`,
    "i",
  ), // Logs.
  /^\s*(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\s/,
  new RegExp(
    String.raw`^\s*(?:at .{1,200}[:(]\d|File ".{1,200}", line \d|Traceback \(most|Caused by:|panic: |` +
      String.raw`goroutine \d|\w+(?:Error|Exception):)`,
  ), // Traces.
  new RegExp(
    String.raw`^\s*(?:[{}[\]();,]+\s*$|["{[]\s*["\w].{0,200}["']?\s*:|["'][\w.-]{1,60}["']\s*:|` +
      String.raw`//|/\*|\*/|\* @|<!--|#!|@@ |diff --git|[+-]{3} [ab]/|[$%] \w)`,
  ), // Code, JSON, comments, shells.
  /^\s*(?:import|export|const|let|var|function|class|def|return|public|private|#include|package)\b.{0,200}[;{(=:]\s*$/,
];

/**
 * Elements of markup with all that they hold, up to a bound. One that is not closed goes to the end of its line, if it
 * begins the line: `depot/<ticket>` is a placeholder that was typed.
 */
const withoutBlocks = (text: string): string =>
  withoutElements(withoutComments(text)).replace(
    /^[^\S\n]*<\/?[a-z][\w-]{1,40}(?:\s[^<>\n]{0,200})?>[^\n]*/gim,
    blank,
  );

/** A quotation of four words and more is what another said, or the name of a thing. */
const withoutQuotations = (text: string): string =>
  text.replace(
    /"[^"\n]{1,2000}"|“[^”\n]{1,2000}”|«[^»\n]{1,2000}»|„[^“”\n]{1,2000}[“”]|`[^`\n]{1,2000}`/gu,
    (found) => ((found.match(/\S+/g)?.length ?? 0) >= 4 ? blank(found) : found),
  );

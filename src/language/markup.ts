/**
 * Blanks what the user did not type, and parts of markup: same length, same lines, so that positions agree. Pure,
 * linear in the text.
 */
import { either, listsOf } from "./lists.ts";
import text from "./lists/speech.txt" with { type: "text" };

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
  String.raw`^[ \t]*@?\p{L}[\p{L}\p{N} .'_-]{1,30}?[ ,–—|•·-]{1,4}[[(]?` +
    String.raw`(?:(?:today|yesterday|heute|gestern|aujourd'hui|hier|hoy|ayer|hoje|ontem|сегодня|вчера|今天|昨天|今日|昨日|` +
    String.raw`\d{1,4}[./-]\d{1,2}[./-]\d{1,4}),?(?: (?:at|um|à|a las|às|в))? )?\d{1,2}[:.]\d\d(?:[:.]\d\d)?` +
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
  const from = parts.findIndex(
    (part, n) => ruled.test(part) || isMailHead(part) || isHeaded(part, parts[n - 2]),
  );
  // A last line by itself behind the body is the user's again.
  const isMail = ruled.test(parts[from] ?? "") || isMailHead(parts[from] ?? "");
  const hasBody = isMail ? parts.length - from > 4 : bodiesIn(parts.slice(from)) > 1;
  const last = parts.at(-1) ?? "";
  const isLineLast = hasBody && isLine(last) && (isMail || isSpoken.test(last));
  const under = isMail ? parts.findIndex((part, n) => n > from && bareRule.test(part)) : -1;
  const to = under !== -1 ? under : parts.length - (isLineLast ? 1 : 0);
  return parts
    .map((part, n) => (from !== -1 && n >= from && n < to ? blank(part) : withoutRows(part)))
    .join("");
}

/** A line between a mail and what its reader says of it. */
const bareRule = /^\s*[-_*=]{3,}[ \t]*(?:\n|$)/u;
const mailHeader = new RegExp(
  String.raw`^\s*(?:from|to|cc|bcc|subject|sent|date|reply-to|von|an|betreff|gesendet|datum|de|à|objet|envoyé` +
    String.raw`|asunto|para|fecha|enviado|assunto|data|от|кому|тема|дата|发件人|收件人|主题|差出人|宛先|件名)\s?[:：]\s*\S`,
  "iu",
);

/** Two lines and more above a mail's body: from whom, what about. */
function isMailHead(part: string): boolean {
  const lines = part.trim().split("\n");
  return lines.length > 1 && lines.every((line) => mailHeader.test(line));
}

const title = /^\s*#{1,6} \S[^\n]*/u;

/** A document below "Proofread this:": its first heading, with all that follows. */
const isHeaded = (part: string, before: string | undefined): boolean =>
  (before !== undefined && /[:：]\s*$/u.test(before) && title.test(part)) ||
  /^[^\n]*[:：][ \t]*\n\s*#{1,6} \S/u.test(part);

/** Paragraphs that are more than a rule or a heading. */
const bodiesIn = (parts: readonly string[]): number =>
  parts.filter((part) => part.replace(title, "").replace(ruled, "").trim() !== "").length;

/** A question, words without a capital, or words that go on: a sentence may be the document's last one. */
const isSpoken = new RegExp(
  String.raw`[?？]\s*$|^\s*[^\p{Lu}\s]|^\s*(?:And|Also|Und|Außerdem|Et|Y|Además|E|Além|И|Также)(?!\p{L})`,
  "u",
);

const isLine = (part: string): boolean =>
  !part.trim().includes("\n") && !/^\s*(?:#{1,6}|[-*•]|\d{1,2}[.)])\s/u.test(part);

/** Two commands behind a shell's prompt, with what they printed. */
const shellLine = /^[ \t]*(?:[\w.@~:/-]{0,40}[$%❯]) [a-z.~/]/u;
const fromShellLine = new RegExp(`${shellLine.source}[\\s\\S]*`, "mu");

/** With fewer rows below it, a heading and a line behind them are none. */
const rowsMin = 2;

/** Marks that programs put before each line that they print. */
const printed =
  /^\s*(\S{1,24} (?:error|err!|warn(?:ing)?!?|info|notice|debug|verbose|fatal|trace)|[\w.-]{1,40}\s*\|)[ \t:]/iu;

/** The paragraph without lines of a log that begin alike. */
function withoutPrinted(paragraph: string): string {
  const lines = paragraph.split("\n");
  const heads = lines.map((line) => printed.exec(line)?.[1] ?? null);
  const counts = Map.groupBy(heads, (head) => head);
  const isLog = (head: string | null | undefined): boolean =>
    typeof head === "string" && (counts.get(head)?.length ?? 0) > 1;
  return lines.map((line, n) => (isLog(heads[n]) ? blank(line) : line)).join("\n");
}

function withoutRows(all: string): string {
  const paragraph = withoutPrinted(all);
  const rows = rowsIn(paragraph.trim().split("\n"));
  if (rows !== "") return paragraph.replace(rows, () => blank(rows));
  const lines = paragraph.split("\n");
  const commands = lines.filter((line) => shellLine.test(line));
  if (commands.length > 1) return paragraph.replace(fromShellLine, blank);
  const isSettings =
    (lines.filter((line) => setting.test(line)).length > 1 && /^[ \t]{2,}- \S/mu.test(paragraph)) ||
    /^\s*[a-z_][\w-]{0,40}:\s*\n\s{1,8}- [a-z_]\w{0,40}: /u.test(paragraph);
  return isSettings ? blank(paragraph) : paragraph.replace(stamped, blank);
}

/** The lines that are rows below a heading: all of them, or at least two; empty when they are none. */
function rowsIn(all: readonly string[]): string {
  // Right below the words that ask about them.
  const lines = heading.test(all[0] ?? "") ? all : all.slice(1);
  const mark = heading.exec(lines[0] ?? "")?.[1];
  if (mark === undefined || lines.length < 2) return "";
  const columns = lines[0]?.split(mark).length ?? 0;
  const end = lines.findIndex((line) => line.split(mark).length < columns);
  return end === -1 ? lines.join("\n") : end > rowsMin ? lines.slice(0, end).join("\n") : "";
}

// Finds the characters of a user message that the user typed. A message may carry logs, mails, code,
// quotations and whole pages; their words are not the user's, and what they ask for the user has not
// asked. The learnt reader (#reader) tells what is worth reading; this guard blanks every line and
// quotation that could carry another's order (docs/adr/0040). Pure, linear in the text.

const lists = listsOf(text, "voices", "outputs");

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
  if (announcesVoice.test(line)) state.paste = "rest";
  else if (announcesOutput.test(line)) state.paste = "paragraph";
  return !pastedLine.some((pattern) => pattern.test(line));
}

/** From here to the end another is speaking. */
const otherVoice = new RegExp(
  String.raw`^\s*(?:-{2,} ?(?:original message|forwarded message|begin|transcript)|on .{4,80} wrote:\s*$|` +
    String.raw`#{1,6} \S|\*{0,2}(?:readme|contributing|changelog)\b.{0,20}$)`,
  "i",
);
/** A speaker's name as transcripts write it. */
const roleLine =
  /^[\s[(<*#|]*(?:user|human|assistant|system|developer|claude|ai|tool|bot|admin)[\s\])>*|]*[:：>]/i;
const announcesVoice = new RegExp(
  String.raw`\b(?:${either(lists.voices)})\b[^.?!]{0,60}:\s*$`,
  "i",
);
const announcesOutput = new RegExp(
  String.raw`\b(?:${either(lists.outputs)})\b[^.?!]{0,40}:\s*$`,
  "i",
);

const pastedLine: readonly RegExp[] = [
  /^\s*[>›»|]/, // Quoted, or a table.
  /^(?: {4}|\t)\S/, // An indented block.
  new RegExp(
    String.raw`^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:|\[?\d{1,2}:\d\d:\d\d|` +
      String.raw`\[?(?:error|warn|warning|info|debug|trace|fatal|fail|notice)\b\]?\s*[:\]|])`,
    "i",
  ), // Logs.
  new RegExp(
    String.raw`^\s*(?:at .{1,200}[:(]\d|File ".{1,200}", line \d|Traceback \(most|Caused by:|panic: |` +
      String.raw`goroutine \d|\w+(?:Error|Exception):)`,
  ), // Traces.
  /^\s*(?:from|to|cc|bcc|subject|sent|date|reply-to|message-id):\s/i, // Mail headers.
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

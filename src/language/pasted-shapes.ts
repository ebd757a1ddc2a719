/**
 * Shapes in which another's text stands as a whole, whatever its lines say: between triple quotes, under a name with a
 * time, in rows below a heading, as settings with a list, below the rule of a forwarded message. Pure, linear.
 */
import { blank } from "./markup.ts";

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
  const from = parts.findIndex((part) => ruled.test(part));
  // A last line by itself behind the body is the user's again.
  const isLineLast = parts.length - from > 4 && !(parts.at(-1) ?? "").trim().includes("\n");
  const to = from === -1 ? -1 : parts.length - (isLineLast ? 1 : 0);
  return parts.map((part, n) => (n >= from && n < to ? blank(part) : withoutRows(part))).join("");
}

function withoutRows(paragraph: string): string {
  const lines = paragraph.trim().split("\n");
  const mark = lines.length < 2 ? undefined : heading.exec(lines[0] ?? "")?.[1];
  const columns = lines[0]?.split(mark ?? "\n").length ?? 0;
  const isTable = mark !== undefined && lines.every((line) => line.split(mark).length >= columns);
  const isSettings =
    (lines.filter((line) => setting.test(line)).length > 1 && /^[ \t]{2,}- \S/mu.test(paragraph)) ||
    /^\s*[a-z_][\w-]{0,40}:\s*\n\s{1,8}- [a-z_]\w{0,40}: /u.test(paragraph);
  return isTable || isSettings ? blank(paragraph) : paragraph.replace(stamped, blank);
}

/** Divides a prompt into parts of one form: paragraphs, lists, quotations, chats. Knows marks, not words. Pure. */
import { isProgramLine } from "./markup.ts";
import { orderIn } from "./orders.ts";
import { asksForText, isRequest, points } from "./place-words.ts";
import { isProse } from "./reader/blocks.ts";

/**
 * `closed`: a quotation, a fence, the output of a program; what stands below it is somebody else's again. `marked`: a
 * list, headings, comments. `labelled`: lines that begin with a name or a time.
 */
type Form = "closed" | "labelled" | "marked" | "prose";

export interface Part {
  readonly form: Form;
  /** False where the reader takes a line for pasted. */
  isOwn: boolean;
  /** Index of its first line. */
  readonly from: number;
  readonly lines: string[];
}

/** `own`: false for lines that the reader takes for pasted. */
export function partsOf(lines: readonly string[], own: readonly boolean[]): readonly Part[] {
  const parts: Part[] = [];
  let isFenced = false;
  for (const [n, line] of lines.entries()) {
    const isFence = fence.test(line);
    const isInside = isFence || isFenced;
    if (isFence) isFenced = !isFenced;
    if (line.trim() === "") continue;
    const isOwn = own[n] === true;
    const form = isInside ? "closed" : formOf(line, isOwn, lines[n + 1]);
    const last = parts.at(-1);
    if (last !== undefined && last.from + last.lines.length === n && goesOn(last, form, line)) {
      last.lines.push(line);
      last.isOwn &&= isOwn;
    } else parts.push({ form, isOwn, from: n, lines: [line] });
  }
  return parts.map((part) => Object.assign(part, { form: formOfLines(part) }));
}

const fence = /^\s*(?:```|~~~|"""|''')/u;
const blockLine =
  /^\s*(?:[-*•・+]\s|\(?(?:\d{1,3}|[a-zA-Z])[.)]\s|#{1,6}\s|\/\/|\/\*|\*\/|--\s|<|[\w"-]{1,40}[,;\t]\S)/u;
/** A line that is a quotation, code, a picture or a file as a whole. */
const quotedLine =
  /^\s*(?:[>»›|]|["“„«「][^\n]*["”“»」][.,;]?\s*$|`[^`\n]+`\s*$|\[\p{L}[^\]]*#\d[^\]]*\]\s*$|@\S+\s*$)/u;
/** "-------- Forwarded message --------" */
const ruled = /^\s*[-=_*]{3,}[ \t]*\p{L}[^\n]{2,60}?[-=_*]{3,}\s*$/u;
const stamp = /^\s*[[(]?\d{1,2}[:.]\d\d|^\s*@?\p{L}[^:：.!?]{0,30}\d{1,2}:\d\d[^\n]{0,6}$/u;
const label = /^\s*[*_[<(@]*\p{L}[^:：.!?]{0,30}[:：]\s*\S/u;

function formOf(line: string, isOwn: boolean, next: string | undefined): Form {
  if (quotedLine.test(line) || isProgramLine(line)) return "closed";
  if (blockLine.test(line) || ruled.test(line) || isKey(line, next)) return "marked";
  if (stamp.test(line)) return "labelled";
  return isOwn || isProse(line) ? "prose" : "closed";
}

/** Is the line right below a part of the same kind? Prose ends with a line that introduces something. */
function goesOn({ form, lines }: Part, next: Form, line: string): boolean {
  const last = lines.at(-1) ?? "";
  if (form === "marked" && /^\s{2,}\S/u.test(line)) return true;
  if (next === "prose" && form !== "prose") return isOpen(form, last);
  return form === next && (form !== "prose" || !asksRightAbove(last));
}

/** Does prose go on below the line? A program may print it, and a chat has its words below the name. */
const isOpen = (form: Form, last: string): boolean =>
  form === "labelled" ||
  ruled.test(last) ||
  (form === "closed" && !fence.test(last) && !quotedLine.test(last));

/** "rules:" above an indented line: a file of settings. */
const isKey = (line: string, next = ""): boolean =>
  /^\s*[a-z_][\w-]*:\s*$/u.test(line) && /^\s+\S/u.test(next);

/** A line that introduces the one below it. */
const asksRightAbove = (line: string): boolean =>
  /[:：?？]["'”)]*\s*$/u.test(line) ||
  (points.test(line) &&
    isRequest(line) &&
    orderIn(line.trim()) === null &&
    asksForText([line.trim()]));

/** Lines of a part that are looked at for what they have in common. */
const comparedMax = 20;

/** Tells a chat and what a program printed from lines of prose. */
function formOfLines({ form, lines }: Part): Form {
  if (form !== "prose" || lines.length === 1) return form;
  const first = lines.slice(0, comparedMax);
  const head = /^\s*\S+\s+\S+\s/u.exec(first[0] ?? "")?.[0] ?? "\n";
  const isPrinted = lines.every((line) => line.startsWith(head));
  if (isPrinted && first.some((line) => orderIn(line.trim()) === null)) return "closed";
  return first.filter(isLabelled).length > 1 ? "labelled" : "prose";
}

/** "Kim: …", unless the name is the label of an order: "Rule: …". */
function isLabelled(line: string): boolean {
  const name = label.exec(line)?.[0].slice(0, -1).trim();
  return name !== undefined && orderIn(name) === null;
}

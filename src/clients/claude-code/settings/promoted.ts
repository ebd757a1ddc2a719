/**
 * A rule written into an instruction file, and taken out again. What is put in stands in a section of its own at the
 * end; taking out the last of them leaves the text as it was before the first, byte for byte. Pure.
 */

/** Under another heading a rule might be read as an example. */
const heading = "## Remembered rules";

/** A memory's line as an item of Markdown that means itself: no import of a file, no comment, no code block. */
export const ruleItem = (l0: string): string =>
  `- ${l0
    .replaceAll(/\s+/gu, " ")
    .trim()
    .replaceAll("<!--", "<! --")
    .replaceAll(/`{3,}/gu, "`")
    .replaceAll(/(?<=^|\s)(@[\w./~-]+)/gu, "`$1`")}`;

/** Null when it stands there already. `before` null = there is no file. */
export function withRule(before: string | null, item: string): string | null {
  const text = before ?? "";
  if (text.split(/\r?\n/u).includes(item)) return null;
  const end = lineEndOf(text);
  const section = sectionIn(text, end);
  if (section === null) return `${text}${newSection(before, item, end)}`;
  const { to } = section;
  return to === text.length && !text.endsWith(end)
    ? `${text}${end}${item}`
    : `${text.slice(0, to)}${item}${end}${text.slice(to)}`;
}

const lineEndOf = (text: string): string => /\r\n|\n/u.exec(text)?.[0] ?? "\n";

/** Ends as the file ended before: that tells how much of it to take out again. */
function newSection(before: string | null, item: string, end: string): string {
  const body = (before ?? "").replace(/^\ufeff/u, "");
  const isWhole = before === null || (body !== "" && body.endsWith(end));
  const gap = body === "" ? "" : isWhole ? end : `${end}${end}`;
  return `${gap}${heading}${end}${end}${item}${isWhole ? end : ""}`;
}

export type WithoutRule =
  | { readonly type: "text"; readonly text: string }
  /** Nothing else is in it, and it was made for the rule. */
  | { readonly type: "remove" }
  | { readonly type: "missing" };

/** The text without the rule, and without the section when no other rule is in it. */
export function withoutRule(text: string, item: string): WithoutRule {
  const end = lineEndOf(text);
  const section = sectionIn(text, end);
  const at = section === null ? null : lineAt(text, item, section);
  if (section === null || at === null) return { type: "missing" };
  const isAlone = text.slice(section.items, section.to).trim() === item;
  if (isAlone) return withoutSection(text, section, end);
  const isCut = at + item.length === text.length;
  const from = isCut ? at - end.length : at;
  const to = isCut ? text.length : at + item.length + end.length;
  return { type: "text", text: text.slice(0, from) + text.slice(to) };
}

function withoutSection(text: string, { from, items, to }: Place, end: string): WithoutRule {
  const isWhole = text.slice(items, to).endsWith(end);
  const head = text.slice(0, from);
  const gap = isWhole ? end : `${end}${end}`;
  const before = head.endsWith(gap) ? head.slice(0, -gap.length) : head;
  const rest = before + text.slice(to);
  return rest === "" && isWhole ? { type: "remove" } : { type: "text", text: rest };
}

interface Place {
  /** The offset of the heading. */
  readonly from: number;
  readonly items: number;
  /** Behind the last item and its line end. */
  readonly to: number;
}

/** The section with the items that follow its heading at once. */
function sectionIn(text: string, end: string): Place | null {
  const head = `${heading}${end}${end}`;
  const start = text.startsWith("\ufeff") ? 1 : 0;
  for (let from = text.indexOf(head); from >= 0; from = text.indexOf(head, from + 1)) {
    if (from !== start && !text.slice(0, from).endsWith("\n")) continue;
    const items = from + head.length;
    let to = items;
    while (text.startsWith("- ", to)) {
      const next = text.indexOf(end, to);
      to = next < 0 ? text.length : next + end.length;
    }
    return { from, items, to };
  }
  return null;
}

/** `lineAt` gives the line at which this item of the section begins; null = it is not there. */
function lineAt(text: string, item: string, { items, to }: Place): number | null {
  for (let at = text.indexOf(item, items); at >= 0 && at < to; at = text.indexOf(item, at + 1)) {
    const after = text[at + item.length];
    const isWhole = after === undefined || after === "\n" || after === "\r";
    if (text[at - 1] === "\n" && isWhole) return at;
  }
  return null;
}

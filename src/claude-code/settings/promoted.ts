/**
 * A rule written into an instruction file, and taken out again. What is put in stands in a section of its own at the end;
 * taking out the last of them leaves the text as it was before the first, byte for byte. Pure.
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
  const end = /\r\n|\n/u.exec(text)?.[0] ?? "\n";
  if (hasLine(text, item)) return null;
  const section = sectionIn(text, end);
  if (section !== null) {
    const { to } = section;
    const isLast = to === text.length && !text.endsWith(end);
    return isLast
      ? `${text}${end}${item}`
      : `${text.slice(0, to)}${item}${end}${text.slice(to)}`;
  }
  const body = text.replace(/^\ufeff/u, "");
  const isWhole = before === null || (body !== "" && body.endsWith(end));
  const gap = body === "" ? "" : isWhole ? end : `${end}${end}`;
  return `${text}${gap}${heading}${end}${end}${item}${isWhole ? end : ""}`;
}

export type WithoutRule =
  | { readonly type: "text"; readonly text: string }
  /** Nothing else is in it, and it was made for the rule. */
  | { readonly type: "remove" }
  | { readonly type: "missing" };

/** The text without the rule, and without the section when no other rule is in it. */
export function withoutRule(text: string, item: string): WithoutRule {
  const end = /\r\n|\n/u.exec(text)?.[0] ?? "\n";
  const section = sectionIn(text, end);
  if (section === null) return { type: "missing" };
  const at = lineAt(text, item, section.items);
  if (at === null || at >= section.to) return { type: "missing" };
  const isAlone = text.slice(section.items, section.to).trim() === item;
  if (!isAlone) {
    const isCut = at + item.length === text.length;
    const from = isCut ? at - end.length : at;
    const to = isCut ? text.length : at + item.length + end.length;
    return { type: "text", text: text.slice(0, from) + text.slice(to) };
  }
  const isWhole = text.slice(section.items, section.to).endsWith(end);
  const head = text.slice(0, section.from);
  const gap = isWhole ? end : `${end}${end}`;
  const before = head.endsWith(gap) ? head.slice(0, -gap.length) : head;
  const rest = before + text.slice(section.to);
  return rest === "" && isWhole ? { type: "remove" } : { type: "text", text: rest };
}

interface Place {
  /** Where the heading begins. */
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

const hasLine = (text: string, line: string): boolean => text.split(/\r?\n/u).includes(line);

function lineAt(text: string, line: string, from: number): number | null {
  for (let at = text.indexOf(line, from); at >= 0; at = text.indexOf(line, at + 1)) {
    const isStart = at === 0 || text[at - 1] === "\n";
    const after = text[at + line.length];
    if (isStart && (after === undefined || after === "\n" || after === "\r")) return at;
  }
  return null;
}

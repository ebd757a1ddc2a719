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

/**
 * Finds JSON objects in lines of text: one a line, several in a line, one over many lines, or elements of a list. A
 * broken object costs itself only: complete objects on lines of their own behind it are still found. Pure.
 */

export type Json = Readonly<Record<string, unknown>>;

/** One top-level value, or the reason why a stretch of text is none. */
export type Found = { readonly value: unknown } | { readonly wrong: string };

/** Characters of an object over several lines. */
const objectCharsMax = 64 * 1_024 * 1_024;

const cutOff = "the last line is cut off";

/** Whole texts, the quote of one that does not end, and braces. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|["{}]/g;

interface ObjectScanner {
  /** Takes one line; `isCut` says that the file ended in it. */
  readonly push: (line: string, isCut?: boolean) => readonly Found[];
  /** Takes a line that is not text. */
  readonly pushBroken: () => readonly Found[];
  /** Ends the file. */
  readonly end: () => readonly Found[];
}

export function createObjectScanner(): ObjectScanner {
  const open = createOpenObject();
  const scan = (line: string, isCut: boolean): readonly Found[] => {
    const found: Found[] = [];
    let [start, end] = [0, 0];
    let outside = "";
    for (const { 0: token, index } of line.matchAll(tokens)) {
      const isOutside = open.depth === 0;
      if (token === "{") {
        if (isOutside) [start, outside] = [index, outside + line.slice(end, index)];
        open.depth += 1;
      } else if (isOutside || token.length > 1) continue;
      // A text cannot go on in the next line.
      else if (token === '"') return [...found, ...open.giveUp(isCut ? cutOff : "not JSON")];
      else if (open.depth > 1) open.depth -= 1;
      else {
        end = index + 1;
        found.push(...open.complete(line.slice(start, end)));
      }
    }
    if (open.depth === 0) outside += line.slice(end);
    if (/[^\s,[\]\uFEFF]/.test(outside)) found.push({ wrong: "text between the objects" });
    if (open.depth > 0) found.push(...open.hold(line.slice(start)));
    return found;
  };
  return {
    push: (line, isCut = false) => {
      const value = /^[{[\uFEFF]/.test(line)
        ? parsed(line.replace(/^\uFEFF|,\s*$/g, ""))
        : undefined;
      if (open.depth === 0 && value !== undefined) return elementsOf(value);
      if (value !== undefined && isObject(value)) open.inner.push(value);
      return scan(line, isCut);
    },
    pushBroken: () => (open.depth === 0 ? [{ wrong: notText }] : open.giveUp(notText)),
    end: () => (open.depth === 0 ? [] : open.giveUp(open.inner.length === 0 ? cutOff : "not JSON")),
  };
}

interface OpenObject {
  /** Braces that are open; 0 = no object is. */
  depth: number;
  /** Whole objects on lines of their own inside it: records by themselves should it never close. */
  readonly inner: Json[];
  readonly hold: (text: string) => readonly Found[];
  readonly complete: (end: string) => readonly Found[];
  readonly giveUp: (reason: string) => readonly Found[];
}

/** The object over several lines that is being read. */
function createOpenObject(): OpenObject {
  let lines: string[] = [];
  let chars = 0;
  const close = (): void => {
    lines = [];
    chars = 0;
    open.inner.length = 0;
    open.depth = 0;
  };
  const giveUp = (reason: string): readonly Found[] => {
    const found: readonly Found[] = [{ wrong: reason }, ...open.inner.map((value) => ({ value }))];
    close();
    return found;
  };
  const open: OpenObject = {
    depth: 0,
    inner: [],
    hold: (text) => {
      lines.push(text);
      chars += text.length;
      return chars > objectCharsMax ? giveUp("an object of more than 64 MB") : [];
    },
    complete: (end) => {
      const value = parsed([...lines, end].join("\n"));
      if (value === undefined) return giveUp("not JSON");
      close();
      return [{ value }];
    },
    giveUp,
  };
  return open;
}

export const notText = "not UTF-8 text";

const elementsOf = (value: unknown): readonly Found[] =>
  Array.isArray(value) ? value.map((element: unknown) => ({ value: element })) : [{ value }];

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // JSON.parse is the only thing here that throws.
  }
}

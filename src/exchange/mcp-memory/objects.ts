/**
 * JSON objects out of a stream of text: one a line as they should be, or several without anything between them, as two
 * writers at once leave them. Pure.
 */

/** One object is a name, a type and notes; a file that is one endless object is something else. */
export const objectCharsMax = 16 * 1_024 * 1_024;

export interface ObjectScanner {
  /** Complete top-level objects in the text so far, in order; text between them counts as garbage. */
  readonly push: (text: string) => readonly string[];
  /** Characters of an object that is not complete yet. */
  readonly pending: () => number;
  /** Characters outside of objects that are no white space. */
  readonly garbage: () => number;
}

export function createObjectScanner(): ObjectScanner {
  let held = "";
  let scanned = 0;
  let depth = 0;
  let start = -1;
  let isInText = false;
  let garbage = 0;
  const step = (char: string, at: number): boolean => {
    if (isInText) {
      if (char === '"') isInText = false;
      return false;
    }
    if (depth === 0 && char !== "{") {
      if (!/[\s,[\]\uFEFF]/.test(char)) garbage += 1;
      return false;
    }
    if (char === '"') isInText = true;
    else if (char === "{") {
      if (depth === 0) start = at;
      depth += 1;
    } else if (char === "}") depth -= 1;
    return depth === 0 && char === "}";
  };
  return {
    push: (text) => {
      const objects: string[] = [];
      held += text;
      for (; scanned < held.length; scanned += 1) {
        const char = held.charAt(scanned);
        if (isInText && char === "\\") {
          scanned += 1;
          continue;
        }
        if (!step(char, scanned)) continue;
        objects.push(held.slice(start, scanned + 1));
        start = -1;
      }
      const keepFrom = start === -1 ? held.length : start;
      held = held.slice(keepFrom);
      scanned -= keepFrom;
      start = start === -1 ? -1 : 0;
      return objects;
    },
    pending: () => (start === -1 ? 0 : held.length),
    garbage: () => garbage,
  };
}

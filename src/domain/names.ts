/**
 * Resolves short names of whole addresses: a beginning, or the last word of one. Ports for finding
 * what is meant.
 */
import type { MemoryNode } from "./node.ts";
import type { Session } from "./session.ts";

export interface NodeNames {
  /** Leaves at a URI that begins with this, in order of their URIs. */
  readonly byUriStart: (start: string, limit: number) => readonly MemoryNode[];
  /** Leaves whose last segment is this, or else begins with it, in order of their URIs. */
  readonly byName: (name: string, limit: number) => readonly MemoryNode[];
}

export interface SessionNames {
  /** Sessions whose id begins with this, in order of their ids. */
  readonly byIdStart: (start: string, limit: number) => readonly Session[];
}

export type NodeSort =
  | "recent"
  | "created"
  | "used"
  | "most-used"
  | "importance"
  | "relevance"
  | "uri";

// The short name of a node, for lines where a URI would cost more than what it names: its id in base 32, `#4k`. An id
// is never used again, so a short name never comes to mean something else. Pure.

/** Crockford's letters: none that reads as a digit. */
const digits = "0123456789abcdefghjkmnpqrstvwxyz";

/** More would leave the whole numbers that an id may be. */
const digitsMax = 10;

/** `#4k`. */
export function shortIdOf(id: number): string {
  let text = "";
  for (let rest = id; rest > 0 || text === ""; rest = Math.floor(rest / digits.length))
    text = `${digits[rest % digits.length]}${text}`;
  return `#${text}`;
}

/** The id behind `#4k` or `4k`, in either case, `o` read as 0 and `i` or `l` as 1; null when it is none. */
export function idOfShort(text: string): number | null {
  const name = text.trim().toLowerCase().replace(/^#/, "");
  const plain = name.replaceAll("o", "0").replaceAll(/[il]/g, "1");
  if (plain === "" || plain.length > digitsMax) return null;
  let id = 0;
  for (const digit of plain) {
    const value = digits.indexOf(digit);
    if (value < 0) return null;
    id = id * digits.length + value;
  }
  return id;
}

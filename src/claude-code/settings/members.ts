/**
 * Named members of nested objects in a JSON text: found, set and taken out with nothing else touched. Pure; knows how
 * a text is edited, not what stands in it.
 */
import { appendChild, memberOf, removeChild, replaceValue, valueOf } from "./json-edit.ts";
import { parseJsonText, type JsonText } from "./json-text.ts";

/** The value at a path of member names, and where it stands; null when a name on the way is missing or no object. */
function nodeAt(text: string, path: readonly string[]): JsonText | null {
  let node: JsonText | null = parseJsonText(text);
  for (const name of path) node = node?.kind === "object" ? memberOf(node, name) : null;
  return node;
}

/** The parsed value at a path; undefined when there is none. */
export function valueAt(text: string, path: readonly string[]): unknown {
  const node = nodeAt(text, path);
  return node === null ? undefined : valueOf(text, node);
}

/** Sets the value at a path; objects that are missing on the way are made. The objects on the way must be objects. */
export function withMember(text: string, path: readonly string[], value: unknown): string {
  const here = nodeAt(text, path);
  if (here !== null) return replaceValue(text, here, value);
  const [key = "", ...outer] = path.toReversed();
  const parent = nodeAt(text, outer.toReversed());
  return parent === null
    ? withMember(text, outer.toReversed(), { [key]: value })
    : appendChild(text, parent, { key, value });
}

/**
 * Takes out the member at a path, and each object around it that this leaves empty, unless `wasEmpty` says that the
 * object stood empty before us.
 */
export function withoutMember(
  text: string,
  path: readonly string[],
  wasEmpty: (path: readonly string[]) => boolean,
): string {
  const outer = path.slice(0, -1);
  const parent = nodeAt(text, outer);
  const index = parent?.children.findLastIndex(({ key }) => key === path.at(-1)) ?? -1;
  if (parent === null || index < 0) return text;
  const isLast = parent.children.length === 1;
  return isLast && outer.length > 0 && !wasEmpty(outer)
    ? withoutMember(text, outer, wasEmpty)
    : removeChild(text, parent, index);
}

/** Tells which objects and lists stood empty in a text; an unreadable one has none. */
export function emptyIn(original: string): (path: readonly string[]) => boolean {
  return (path) => {
    const node = original.trim() === "" ? null : nodeAt(original, path);
    return node !== null && node.kind !== "scalar" && node.children.length === 0;
  };
}

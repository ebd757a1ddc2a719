/** How two projects of one name are told apart, in words that name the right one when they are typed. */
import type { NamedProject } from "./event.ts";

const hashCharsShown = 8;

/**
 * By key, of those that share their name with another: the end of a remote's key that tells it apart (`acme/shop`), or
 * the name with the beginning of the key's hash (`shop:681f0ac9`).
 */
export function projectLabels(projects: readonly NamedProject[]): ReadonlyMap<string, string> {
  const byName = Map.groupBy(projects, ({ name }) => name.toLowerCase());
  return new Map(
    [...byName.values()]
      .filter((same) => same.length > 1)
      .flatMap((same) => same.map((one) => [one.key, labelAmong(one, same)] as const)),
  );
}

function labelAmong({ key, name }: NamedProject, same: readonly NamedProject[]): string {
  if (key.includes(":")) return `${name}:${hashOf(key).slice(0, hashCharsShown)}`;
  const parts = key.split("/");
  const ends = parts.slice(1).map((_, at) => parts.slice(-(at + 2)).join("/"));
  return ends.find((end) => same.filter((other) => isEndOf(end, other.key)).length === 1) ?? key;
}

/** Keys of the projects that such a label means, in any case. */
export const labelled = (projects: readonly NamedProject[], label: string): readonly string[] =>
  projects.filter((one) => isLabelOf(label, one)).map(({ key }) => key);

function isLabelOf(label: string, { key, name }: NamedProject): boolean {
  const colon = label.lastIndexOf(":");
  if (colon < 0) return label.includes("/") && isEndOf(label, key);
  const isNamed = label.slice(0, colon).toLowerCase() === name.toLowerCase();
  const hash = label.slice(colon + 1);
  return isNamed && hash.length >= hashCharsShown && hashOf(key).startsWith(hash);
}

const isEndOf = (end: string, key: string): boolean =>
  `/${key}`.toLowerCase().endsWith(`/${end.toLowerCase()}`);

/** Behind `dir:`, `split:` or `remote:`; empty for an address. */
const hashOf = (key: string): string => (key.includes(":") ? key.slice(key.indexOf(":") + 1) : "");

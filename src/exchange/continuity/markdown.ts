/** One memory of a Markdown export, back to the record it was made of. Pure. */
import { categoryRules } from "#domain";

const overviewMark = "<!-- continuity: overview -->";
const fullMark = "<!-- continuity: full -->";

/** The `node` record of a page; null when it is not a page of ours. */
export function nodeOfPage(page: string): Readonly<Record<string, unknown>> | null {
  const found = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---\r?\n/.exec(page);
  if (found === null) return null;
  const front = frontOf(found[1] ?? "");
  if (typeof front?.["uri"] !== "string") return null;
  const body = page.slice(found[0].length);
  const heading = /^\s*# (.+)$/m.exec(body);
  if (heading === null) return null;
  const { mergedFrom: _merged, links: _links, ...node } = front;
  const { overview, full } = sectionsOf(body.slice(heading.index + heading[0].length));
  return { kind: "node", ...node, l0: (heading[1] ?? "").trim(), l1: overview, l2: full };
}

/** `key: <JSON>` lines; null when one is something else. */
function frontOf(text: string): Readonly<Record<string, unknown>> | null {
  const fields: [string, unknown][] = [];
  for (const line of text.split(/\r?\n/)) {
    const field = /^([A-Za-z]\w{0,40}): (.*)$/.exec(line);
    if (field === null) return null;
    try {
      fields.push([field[1] ?? "", JSON.parse(field[2] ?? "")]);
    } catch {
      return null; // Front matter that is not ours: YAML that is no JSON.
    }
  }
  return Object.fromEntries(fields);
}

function sectionsOf(body: string): {
  readonly overview: string | null;
  readonly full: string | null;
} {
  const marks = /^<!-- continuity: (overview|full) -->\r?\n/gm;
  const starts = [...body.matchAll(marks)].filter(
    ({ 0: mark }) => mark.startsWith(overviewMark) || mark.startsWith(fullMark),
  );
  const sections = new Map(
    starts.map((start, index) => {
      const next = starts[index + 1];
      const text = body.slice(start.index + start[0].length, next?.index);
      // Each text ends with one added newline; an empty line stands before the next mark.
      const own = next === undefined ? text : text.replace(/\n$/, "");
      return [start[1] ?? "", unmasked(own.replace(/\n$/, ""))] as const;
    }),
  );
  return { overview: sections.get("overview") ?? null, full: sections.get("full") ?? null };
}

const unmasked = (text: string): string => text.replaceAll(/^\\(?=\\*<!-- continuity:)/gm, "");

type Json = Readonly<Record<string, unknown>>;

/** Records of the folders above a page's memory that were not given before, the outermost first. */
export function placesAbove(node: Json, given: Set<string>): readonly Json[] {
  const uri = typeof node["uri"] === "string" ? node["uri"] : "";
  const places: Json[] = [];
  for (let above = parentOf(uri); above !== null && !given.has(above); above = parentOf(above)) {
    given.add(above);
    places.unshift(placeOf(above, node));
  }
  return places;
}

function parentOf(uri: string): string | null {
  const path = uri.replace(/^mem:\/\//, "");
  if (path === "" || path === uri) return null;
  return `mem://${path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ""}`;
}

/** What a folder is called, as the tree calls it. */
function nameOf(uri: string): Json {
  const rule = Object.values(categoryRules).find(
    ({ root }) => uri === root || uri.startsWith(`${root}/`),
  );
  const l0 = rule?.root === uri ? rule.meaning : uri.slice(uri.lastIndexOf("/") + 1);
  return { category: rule?.category ?? null, l0 };
}

/** A folder as the tree keeps it; it is as old as the first memory in it. */
const placeOf = (uri: string, node: Json): Json => ({
  ...node,
  kind: "node",
  uri,
  parentUri: parentOf(uri),
  nodeType: "dir",
  ...nameOf(uri),
  project: null,
  branch: null,
  status: "active",
  origin: "agent",
  maker: "manual",
  sourceSession: null,
  updatedAt: node["createdAt"],
  validFrom: null,
  validTo: null,
  expiresAt: null,
  slot: null,
  lastAccess: null,
  accessCount: 0,
  importance: 3,
  evidenceCount: 0,
  pinned: false,
  mergeable: false,
  l1: null,
  l2: null,
  tags: [],
  files: [],
  aliases: [],
  anchors: [],
  evidence: [],
});

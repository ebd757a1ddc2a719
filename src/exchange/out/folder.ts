/**
 * An export as JSON lines: the same bytes for the same content. A first line says what it is, a last one that it is
 * whole.
 *
 * Writes an export into a folder of its own: whole or not at all, readable for its owner only, and never over a folder
 * that is something else. What the user keeps beside it under a name with a dot (.git, .obsidian) stays.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import {
  portableFormat,
  type PortableRecord,
  type Store,
  attributed,
  treeRoot,
  type Checkpoint,
  type PortableValue,
  type Session,
  type Turn,
} from "#domain";
import { err, errorCode, ok, type Random, type Result, isoTime } from "#kit";

/** Says what a folder is, so that the next export may replace it. */
export const markName = ".continuity-export";

/** `count`: records, or files of a Markdown export. */
type Written = Result<
  { readonly path: string; readonly count: number },
  { readonly type: "export.occupied" | "export.failed"; readonly message: string }
>;

/** The file of records within an export folder. */
export const exportName = "continuity.jsonl";

/** Lines are handed over in pieces of about this size, so that memory does not grow with what is remembered. */
const pieceChars = 65_536;

/** Writes text in pieces, each ending with a line; takes one record at a time. Returns how many there were. */
export function exportLines(
  records: Iterable<PortableRecord>,
  write: (piece: string) => void,
): number {
  let piece = lineOf({ kind: "continuity", format: portableFormat });
  let count = 0;
  for (const record of records) {
    piece += lineOf(record);
    count += 1;
    if (piece.length < pieceChars) continue;
    write(piece);
    piece = "";
  }
  write(piece + lineOf({ kind: "end", records: count }));
  return count;
}

const lineOf = (record: PortableRecord): string => `${JSON.stringify(record)}\n`;

/** `DIR/continuity.jsonl`. */
export const writeLinesFolder = (folder: string, store: Store, random: Random): Written =>
  replaceFolder(folder, random, (place) => {
    const file = openSync(join(place, exportName), "wx", 0o600);
    try {
      return exportLines(store.portable.records(), (piece) => void writeSync(file, piece));
    } finally {
      fsyncSync(file);
      closeSync(file);
    }
  });

/** A file for each memory and each session. */
export const writeMarkdownFolder = (folder: string, store: Store, random: Random): Written =>
  replaceFolder(folder, random, (place) => {
    let count = 0;
    const made = new Set<string>();
    for (const record of store.portable.records()) {
      const page = pageOf(store, record);
      if (page === null) continue;
      const file = join(place, page.path);
      const above = dirname(file);
      if (!made.has(above)) mkdirSync(above, { recursive: true, mode: 0o700 });
      made.add(above);
      writeFileSync(file, page.text, { mode: 0o600, flag: "wx" });
      count += 1;
    }
    return count;
  });

interface Page {
  readonly path: string;
  readonly text: string;
}

function pageOf(store: Store, record: PortableRecord): Page | null {
  if (record.kind === "node" && record["nodeType"] === "leaf")
    return nodePage(store, record, textOf(record["uri"]));
  const session =
    record.kind === "session" ? store.sessions.byId(textOf(record["sessionId"])) : null;
  if (session === null) return null;
  const { sessionId } = session;
  return {
    path: `sessions/${sessionId.replaceAll(/[^\w.-]|^\./g, "-")}.md`,
    text: sessionPage(
      session,
      store.sessions.turns(sessionId),
      store.sessions.currentCheckpoint(sessionId),
    ),
  };
}

function nodePage({ nodes }: Store, record: PortableRecord, uri: string): Page | null {
  const node = nodes.byUri(uri);
  if (node === null) return null;
  const links = nodes.links(node.id).filter(({ fromId }) => fromId === node.id);
  const others = nodes.byIds([...links.map(({ toId }) => toId), ...node.mergedFrom]);
  const uris = new Map(others.map((other) => [other.id, other.uri]));
  const text = memoryPage({
    node: record,
    mergedFrom: node.mergedFrom.flatMap((id) => uris.get(id) ?? []),
    links: links.flatMap(({ toId, relation, weight, createdAt }) => {
      const to = uris.get(toId);
      return to === undefined ? [] : [{ relation, to, weight, createdAt }];
    }),
  });
  return { path: pagePath(uri), text };
}

/** Fills a folder beside the wanted one and puts it in its place; `fill` returns how much it wrote. */
function replaceFolder(wanted: string, random: Random, fill: (place: string) => number): Written {
  const path = resolve(wanted);
  const occupied = whyOccupied(path);
  if (occupied !== null) return err({ type: "export.occupied", message: occupied });
  const suffix = random.hex(8);
  const place = `${path}.new-${suffix}`;
  try {
    mkdirSync(place, { recursive: true, mode: 0o700 });
    writeFileSync(join(place, markName), "An export of continuity: the next one replaces it.\n", {
      mode: 0o600,
    });
    const count = fill(place);
    putInPlace(place, path, `${path}.old-${suffix}`);
    return ok({ path, count });
  } catch (error) {
    attempt(() => rmSync(place, { recursive: true, force: true }));
    if (!isFromDisk(error)) throw error;
    return err({ type: "export.failed", message: `${path} cannot be written: ${error.message}` });
  }
}

/**
 * `whyOccupied` gives the reason why a path may not be replaced; null when it may, and when it
 * cannot be looked at: making it says why.
 */
function whyOccupied(path: string): string | null {
  const found = attempt(() => lstatSync(path, { throwIfNoEntry: false }));
  if (found === undefined) return null;
  if (!found.isDirectory()) return `${path} is there already and is no folder`;
  const names = readdirSync(path);
  return names.length === 0 || names.includes(markName)
    ? null
    : `${path} holds other files and was left as it is`;
}

function attempt<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** A database that cannot be read is another fault, which names itself. */
const isFromDisk = (error: unknown): error is Error => !/^(?:SQLITE|$)/.test(errorCode(error));

function putInPlace(place: string, path: string, old: string): void {
  if (existsSync(path)) renameSync(path, old);
  renameSync(place, path);
  if (!existsSync(old)) return;
  for (const name of readdirSync(old))
    if (name.startsWith(".") && name !== markName) renameSync(join(old, name), join(path, name));
  rmSync(old, { recursive: true, force: true });
}

// Memories and sessions as Markdown for people and for other programs. Pure. Front matter is one JSON value a line,
// which is YAML as well; what a text says can never end its own section.

interface MemoryPage {
  readonly node: PortableRecord;
  readonly mergedFrom: readonly string[];
  readonly links: readonly PortableValue[];
}

const overviewMark = "<!-- continuity: overview -->";
const fullMark = "<!-- continuity: full -->";
const inBody: ReadonlySet<string> = new Set(["kind", "l0", "l1", "l2"]);

export function memoryPage({ node, mergedFrom, links }: MemoryPage): string {
  const front = Object.entries({ ...node, mergedFrom, links })
    .filter(([name]) => !inBody.has(name))
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`);
  return [
    `---\n${front.join("")}---\n\n# ${textOf(node["l0"])}\n`,
    sectionOf(overviewMark, node["l1"]),
    sectionOf(fullMark, node["l2"]),
  ].join("");
}

const sectionOf = (mark: string, text: PortableValue | undefined): string =>
  typeof text === "string" ? `\n${mark}\n${masked(text)}\n` : "";

/** A line that looks like a mark gets a backslash in front, one more if it has some. */
const masked = (text: string): string => text.replaceAll(/^(?=\\*<!-- continuity:)/gm, "\\");

const textOf = (value: PortableValue | undefined): string =>
  typeof value === "string" ? value : "";

/** `user/preferences/pnpm.md` for `mem://user/preferences/pnpm`. */
export const pagePath = (uri: string): string => `${uri.slice(treeRoot.length)}.md`;

/** A session for reading: what was asked, what came of it. */
function sessionPage(
  session: Session,
  turns: readonly Turn[],
  checkpoint: Checkpoint | null,
): string {
  const { sessionId, project, branch, status, startedAt, endedAt } = session;
  const front = Object.entries({ sessionId, project, branch, status, startedAt, endedAt });
  const summary: readonly (readonly [string, string])[] =
    checkpoint === null
      ? []
      : [
          ["Request", checkpoint.request],
          ["Investigated", checkpoint.investigated],
          ["Learned", checkpoint.learned],
          ["Completed", checkpoint.completed],
          ["Next steps", checkpoint.nextSteps],
          ["Files read", checkpoint.filesRead.join(", ")],
          ["Files edited", checkpoint.filesEdited.join(", ")],
          ["Notes", checkpoint.notes],
        ];
  return [
    `---\n${front.map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`).join("")}---\n`,
    `\n# ${session.title ?? sessionId}\n`,
    ...summary.map(([title, text]) => (text === "" ? "" : `\n**${title}:** ${text}\n`)),
    ...turns.map(turnText),
  ].join("");
}

function turnText({ n, startedAt, prompt, answer }: Turn): string {
  const said = prompt === null ? "(private)" : quoted(attributed(prompt));
  const answered = prompt === null || answer === null ? "" : `\n${answer}\n`;
  return `\n## ${n}. ${isoTime(startedAt)}\n\n${said}\n${answered}`;
}

const quoted = (text: string): string =>
  text
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");

/** Our own exports: the stream of lines in a file, in a folder or on standard input, or a folder of Markdown pages. */
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { categoryRules, portableFormat, type PrivacyGate } from "#domain";
import {
  checkFile,
  itemStep,
  left,
  type Line,
  linesOf,
  type ReaderDeps,
  type ReadPlan,
  type ReadStep,
  SourceFailure,
} from "../source.ts";

const exportName = "continuity.jsonl";
const markName = ".continuity-export";
const pageBytesMax = 1_048_576;

/** `path` null = standard input. */
export function planContinuity(deps: ReaderDeps, path: string | null): ReadPlan {
  if (path === null)
    return linesPlan(deps, {
      name: "standard input",
      bytes: null,
      input: () => Bun.stdin.stream(),
    });
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts?.isDirectory() !== true) return filePlan(deps, path);
  const file = join(path, exportName);
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) return filePlan(deps, file);
  if (lstatSync(join(path, markName), { throwIfNoEntry: false }) === undefined)
    throw new SourceFailure(`${path} is no folder that an export was written to`);
  return pagesPlan(deps, path);
}

const filePlan = (deps: ReaderDeps, path: string): ReadPlan =>
  linesPlan(deps, { name: path, ...checkFile(path), input: () => Bun.file(path).stream() });

interface Input {
  readonly name: string;
  readonly bytes: number | null;
  readonly input: () => ReadableStream<Uint8Array>;
}

const linesPlan = (deps: ReaderDeps, input: Input): ReadPlan => ({
  total: input.bytes,
  unit: "bytes",
  steps: lineSteps(deps, input),
  close: () => undefined,
});

async function* lineSteps(deps: ReaderDeps, { name, input }: Input): AsyncIterable<ReadStep> {
  let done = 0;
  let state: "head" | "records" | "ended" = "head";
  for await (const line of linesOf(input(), name)) {
    if (state === "head") {
      checkHead(line, name);
      state = "records";
    } else if (state === "records") {
      const step = stepOf(deps, line);
      if (step === null) state = "ended";
      else yield step;
    } else if (line.text !== "" || !line.isText)
      yield left("refused", "stands behind the end of the export");
    yield { type: "progress", done: line.bytesDone - done };
    done = line.bytesDone;
  }
  if (state === "head") throw new SourceFailure(`${name} is empty`);
  if (state === "records") yield left("refused", "the rest is missing: the file is cut off");
}

function checkHead({ text, isText }: Line, name: string): void {
  if (!isText) throw new SourceFailure(`${name} is not UTF-8 text (line 1)`);
  const head = recordIn(text);
  if (head?.["kind"] !== "continuity" || typeof head["format"] !== "number")
    throw new SourceFailure(
      `${name} is no export of Continuity: its first line does not say so`,
      "name a file that `continuity export` has written",
    );
  if (head["format"] > portableFormat)
    throw new SourceFailure(
      `${name} was written by a newer version (format ${head["format"]})`,
      "see `continuity upgrade --check`",
    );
}

/** Null at the last line. */
function stepOf(deps: ReaderDeps, line: Line): ReadStep | null {
  if (!line.isText) return left("refused", "not UTF-8 text");
  const record = recordIn(line.text);
  if (record === null)
    return line.isCut ? left("refused", "the last line is cut off") : left("refused", "not JSON");
  if (record["kind"] === "end") return null;
  return itemStep({ kind: "portable", isPlace: false, record: gatedRecord(deps.gate, record) });
}

function recordIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value))
      : null;
  } catch {
    return null; // JSON.parse is the only thing here that throws.
  }
}

function pagesPlan(deps: ReaderDeps, folder: string): ReadPlan {
  const pages = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .toSorted();
  if (pages.length === 0) throw new SourceFailure(`${folder} holds no pages of an export`);
  return {
    total: pages.length,
    unit: "records",
    steps: pageSteps(deps, folder, pages),
    close: () => undefined,
  };
}

function* pageSteps(
  deps: ReaderDeps,
  folder: string,
  pages: readonly string[],
): Iterable<ReadStep> {
  const placed = new Set<string>();
  for (const name of pages) {
    const step = pageStep(deps, join(folder, name));
    if (step.type === "item" && step.item.kind === "portable") {
      for (const record of placesAbove(step.item.record, placed))
        yield itemStep({ kind: "portable", isPlace: true, record });
    }
    yield step;
    yield { type: "progress", done: 1 };
  }
}

function pageStep(deps: ReaderDeps, path: string): ReadStep {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts?.isSymbolicLink() === true) return left("refused", "a symbolic link");
  if (facts?.isFile() !== true) return left("refused", "no regular file");
  if (facts.size > pageBytesMax) return left("refused", "a page of more than 1 MB");
  try {
    const page = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
    const record = nodeOfPage(page);
    // Pages of sessions are for people; what they tell is in the other format.
    if (record === null) return left("skipped", "not a page of one memory");
    return itemStep({ kind: "portable", isPlace: false, record: gatedRecord(deps.gate, record) });
  } catch (error) {
    return left("refused", error instanceof TypeError ? "not a text file" : "cannot be read");
  }
}

// The privacy gate over a record of our own export: over its texts, not over its names, ids and hashes. Pure but for
// the gate.

type Json = Readonly<Record<string, unknown>>;

/** Fields that hold what people or programs said; all other fields are names, times, ids or hashes. */
const spoken: ReadonlySet<string> = new Set([
  "l0",
  "l1",
  "l2",
  "quote",
  "prompt",
  "answer",
  "firstPrompt",
  "compactSummary",
  "title",
  "subtitle",
  "narrative",
  "facts",
  "target",
  "text",
  "message",
  "request",
  "investigated",
  "learned",
  "completed",
  "nextSteps",
  "notes",
  "currentTask",
  "aliases",
]);

const depthMax = 6;

/** The record with every text behind the gate. */
const gatedRecord = (gate: PrivacyGate, record: Json): Json =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      gatedValue(gate, value, { name, depth: 0 }),
    ]),
  );

function gatedValue(
  gate: PrivacyGate,
  value: unknown,
  at: { readonly name: string; readonly depth: number },
): unknown {
  if (typeof value === "string") return spoken.has(at.name) ? gate.clean(value).text : value;
  if (typeof value !== "object" || value === null || at.depth >= depthMax) return value;
  const inner = { name: at.name, depth: at.depth + 1 };
  if (Array.isArray(value)) return value.map((entry) => gatedValue(gate, entry, inner));
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [
      name,
      gatedValue(gate, entry, { ...inner, name }),
    ]),
  );
}

// One memory of a Markdown export, back to the record it was made of. Pure.

const overviewMark = "<!-- continuity: overview -->";
const fullMark = "<!-- continuity: full -->";

/** The `node` record of a page; null when it is not a page of ours. */
function nodeOfPage(page: string): Readonly<Record<string, unknown>> | null {
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

/** Records of the folders above a page's memory that were not given before, the outermost first. */
function placesAbove(node: Json, given: Set<string>): readonly Json[] {
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

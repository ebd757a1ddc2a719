/**
 * The MCP memory server's knowledge graph: entities with observations, and relations between them. One memory for each
 * entity, for each observation (linked to its entity), and for each relation (linked to both ends).
 *
 * Read twice: first to see that it is one, then to hand it over, entities before relations.
 */
import { oneLine, sha256 } from "#kit";
import { gated, type ImportedMemory, memoryOf } from "../items.ts";
import {
  checkFile,
  itemStep,
  left,
  linesOf,
  type ReaderDeps,
  type ReadPlan,
  type ReadStep,
  SourceFailure,
} from "../source.ts";
import {
  createObjectScanner,
  type Found,
  type Graph,
  graphsIn,
  type Note,
  notText,
} from "./graph.ts";
import type { PrivacyGate } from "#domain";

export function planMcpMemory(deps: ReaderDeps, path: string): ReadPlan {
  const { bytes, changedMs } = checkFile(path);
  // Most graphs have no dates: what they say has been known since the file was written.
  const about: About = { gate: deps.gate, atMs: changedMs, nowMs: deps.nowMs };
  return { total: bytes * 2, unit: "bytes", steps: steps(about, path), close: () => undefined };
}

interface About {
  readonly gate: PrivacyGate;
  readonly atMs: number;
  readonly nowMs: number;
}

async function* steps(about: About, path: string): AsyncIterable<ReadStep> {
  await check(path);
  yield* pass(path, (graph) => entitySteps(about, graph));
  yield* pass(path, (graph) => relationSteps(about, graph));
}

/** Values that are read before a file without a record is refused. */
const wrongMax = 1_000;

/** Nothing is handed over of a file that holds no graph. */
async function check(path: string): Promise<void> {
  let firstWrong: string | null = null;
  let wrongs = 0;
  for await (const { graphs } of graphsOf(path)) {
    if (graphs.some(({ type }) => type !== "wrong")) return;
    for (const graph of graphs) if (graph.type === "wrong") firstWrong ??= graph.reason;
    wrongs += graphs.length;
    if (wrongs > wrongMax) break;
  }
  throw new SourceFailure(
    firstWrong === notText
      ? `${path} is not UTF-8 text`
      : `${path} is no knowledge graph of an MCP memory: it holds no entity and no relation`,
  );
}

async function* pass(
  path: string,
  stepsOf: (graph: Graph) => Iterable<ReadStep>,
): AsyncIterable<ReadStep> {
  let done = 0;
  for await (const { graphs, bytesDone } of graphsOf(path)) {
    for (const graph of graphs) yield* stepsOf(graph);
    yield { type: "progress", done: bytesDone - done };
    done = bytesDone;
  }
}

interface Graphs {
  readonly graphs: readonly Graph[];
  readonly bytesDone: number;
}

async function* graphsOf(path: string): AsyncIterable<Graphs> {
  const scanner = createObjectScanner();
  let bytesDone = 0;
  const read = (found: readonly Found[]): Graphs => ({
    graphs: found.flatMap((one): readonly Graph[] =>
      "wrong" in one ? [{ type: "wrong", reason: one.wrong }] : graphsIn(one.value),
    ),
    bytesDone,
  });
  for await (const line of linesOf(Bun.file(path).stream(), path)) {
    ({ bytesDone } = line);
    yield read(line.isText ? scanner.push(line.text, line.isCut) : scanner.pushBroken());
  }
  yield read(scanner.end());
}

const entityKey = (name: string): string => `entity:${sha256(name)}`;

/** `Alice_Smith` and `works_at` as people write them. */
const spoken = (name: string): string => oneLine(name.replaceAll("_", " "));

function* entitySteps(about: About, graph: Graph): Iterable<ReadStep> {
  if (graph.type === "wrong") yield left("refused", graph.reason);
  if (graph.type === "entity") yield entityStep(about, graph);
  if (graph.type === "entity" || graph.type === "notes")
    for (const note of graph.notes) yield noteStep(about, graph, note);
}

function entityStep(about: About, graph: Graph & { readonly type: "entity" }): ReadStep {
  const kind = graph.entityType === "" ? "" : ` (${spoken(graph.entityType)})`;
  const list = graph.notes.flatMap((note) => {
    const text = "text" in note ? gated(about.gate, note.text)?.trim() : undefined;
    return text === undefined || text === "" ? [] : [`- ${text}`];
  });
  return step(about, entityKey(graph.name), {
    line: `${spoken(graph.name)}${kind}`,
    overview: list.slice(0, 200).join("\n"),
    tags: [graph.entityType],
    links: [],
    atMs: graph.atMs,
  });
}

function noteStep(
  about: About,
  graph: Graph & { readonly type: "entity" | "notes" },
  note: Note,
): ReadStep {
  if (!("text" in note)) return left("refused", note.reason);
  const text = gated(about.gate, note.text)?.trim() ?? "";
  if (text === "") return left("skipped", "holds no words");
  const name = spoken(graph.name);
  return step(about, `note:${sha256(JSON.stringify([graph.name, text]))}`, {
    line: text.toLowerCase().startsWith(name.toLowerCase()) ? text : `${name}: ${text}`,
    overview: null,
    tags: graph.type === "entity" ? [graph.entityType] : [],
    links: [{ key: entityKey(graph.name), relation: "elaborates" }],
    atMs: note.atMs ?? (graph.type === "entity" ? graph.atMs : null),
  });
}

function* relationSteps(about: About, graph: Graph): Iterable<ReadStep> {
  if (graph.type !== "relation") return;
  const { from, to, relation, atMs } = graph;
  yield step(about, `relation:${sha256(JSON.stringify([from, relation, to]))}`, {
    line: `${spoken(from)} ${spoken(relation)} ${spoken(to)}`,
    overview: null,
    tags: ["relation"],
    links: [from, to].map((name) => ({ key: entityKey(name), relation: "related" })),
    atMs,
  });
}

interface Words {
  readonly line: string;
  readonly overview: string | null;
  readonly tags: readonly string[];
  readonly links: { readonly key: string; readonly relation: "related" | "elaborates" }[];
  /** Null = as old as the file. */
  readonly atMs: number | null;
}

function step(about: About, key: string, words: Words): ReadStep {
  const line = gated(about.gate, words.line);
  if (line === null) return left("skipped", "private as a whole");
  const category: ImportedMemory["category"] = "entities";
  const memory = memoryOf({
    category,
    line,
    overview: words.overview,
    full: null,
    importance: 3,
    tags: words.tags.filter((tag) => tag !== ""),
    files: [],
    project: null,
    atMs: Math.min(words.atMs ?? about.atMs, about.nowMs),
    sessionId: "mcp-memory",
    turn: null,
  });
  return memory === null
    ? left("skipped", "holds no words")
    : itemStep({ kind: "memory", key, memory, links: words.links });
}

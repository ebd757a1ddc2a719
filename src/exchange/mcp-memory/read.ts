/**
 * The MCP memory server's knowledge graph: entities with observations, and relations between them. One memory for each
 * entity, for each observation (linked to its entity), and for each relation (linked to both ends).
 * Entities come before relations.
 */
import { oneLine, sha256 } from "#kit";
import { gated, type ItemOf, memoryOf, reasons } from "../items.ts";
import {
  checkFile,
  itemStep,
  left,
  linesOf,
  type ReadContext,
  type ReadPlan,
  type ReadStep,
  SourceFailure,
} from "../source.ts";
import { brokenLine, type Graph, notText, recordsIn, valuesIn } from "./graph.ts";

export function planMcpMemory(context: ReadContext, path: string): ReadPlan {
  const facts = checkFile(path);
  return {
    total: facts.bytes * 2,
    unit: "bytes",
    steps: steps(context, path, facts),
    close: () => undefined,
  };
}

async function* steps(
  context: ReadContext,
  path: string,
  { bytes, changedMs }: ReturnType<typeof checkFile>,
): AsyncIterable<ReadStep> {
  const graphs = await graphsIn(path);
  for (const stepsOf of [entitySteps, relationSteps])
    for (const graph of graphs) {
      for (const said of stepsOf(context, graph))
        yield "type" in said ? said : memoryStep(context, said, changedMs);
      yield { type: "progress", done: bytes / graphs.length };
    }
}

/** Reads the whole file, as the memory server does. Nothing is handed over of one that holds no graph. */
async function graphsIn(path: string): Promise<readonly Graph[]> {
  const lines: string[] = [];
  for await (const { isText, text } of linesOf(Bun.file(path).stream(), path))
    lines.push(isText ? text : brokenLine);
  const graphs: Graph[] = [];
  for (const found of valuesIn(lines.join("\n")))
    if ("wrong" in found) graphs.push({ type: "wrong", reason: found.wrong });
    else graphs.push(...recordsIn(found.value));
  if (graphs.some(({ type }) => type !== "wrong")) return graphs;
  const [first] = graphs;
  throw new SourceFailure(
    first?.type === "wrong" && first.reason === notText
      ? `${path} is not UTF-8 text`
      : `${path} is no knowledge graph of an MCP memory: it holds no entity and no relation`,
  );
}

/** A memory before it has passed the gate. */
interface Statement {
  readonly key: string;
  readonly line: string;
  readonly overview: string | null;
  readonly tags: readonly string[];
  readonly links: ItemOf<"memory">["links"];
  /** Null = as old as the file. */
  readonly atMs: number | null;
}

const entityKey = (name: string): string => `entity:${sha256(name)}`;

/** `Alice_Smith` and `works_at` as people write them. */
const spoken = (name: string): string => oneLine(name.replaceAll("_", " "));

function* entitySteps({ gate }: ReadContext, graph: Graph): Iterable<ReadStep | Statement> {
  if (graph.type === "wrong") yield left("refused", graph.reason);
  if (graph.type !== "entity" && graph.type !== "notes") return;
  const name = spoken(graph.name);
  const { entityType, atMs } = graph.type === "entity" ? graph : { entityType: "", atMs: null };
  const notes = graph.notes.map((note) =>
    "text" in note ? { ...note, text: gated(gate, note.text)?.trim() ?? "" } : note,
  );
  if (graph.type === "entity") {
    const list = notes.flatMap((note) =>
      "text" in note && note.text !== "" ? [`- ${note.text}`] : [],
    );
    yield {
      key: entityKey(graph.name),
      line: `${name}${entityType === "" ? "" : ` (${spoken(entityType)})`}`,
      overview: list.slice(0, 200).join("\n"),
      tags: [entityType],
      links: [],
      atMs,
    };
  }
  for (const note of notes)
    if (!("text" in note)) yield left("refused", note.reason);
    else if (note.text === "") yield left("skipped", "holds no words");
    else
      yield {
        key: `note:${sha256(JSON.stringify([graph.name, note.text]))}`,
        line: note.text.toLowerCase().startsWith(name.toLowerCase())
          ? note.text
          : `${name}: ${note.text}`,
        overview: null,
        tags: [entityType],
        links: [{ key: entityKey(graph.name), relation: "elaborates" }],
        atMs: note.atMs ?? atMs,
      };
}

function* relationSteps(_: ReadContext, graph: Graph): Iterable<Statement> {
  if (graph.type !== "relation") return;
  const { from, to, relation, atMs } = graph;
  yield {
    key: `relation:${sha256(JSON.stringify([from, relation, to]))}`,
    line: `${spoken(from)} ${spoken(relation)} ${spoken(to)}`,
    overview: null,
    tags: ["relation"],
    links: [from, to].map((name) => ({ key: entityKey(name), relation: "related" })),
    atMs,
  };
}

/** Most graphs have no dates: then what they say has been known since the file was written. */
function memoryStep(
  { gate, nowMs }: ReadContext,
  { key, links, ...said }: Statement,
  changedMs: number,
): ReadStep {
  const line = gated(gate, said.line);
  if (line === null) return left("skipped", reasons.private);
  const memory = memoryOf({
    category: "entities",
    line,
    overview: said.overview,
    full: null,
    tags: said.tags,
    files: [],
    project: null,
    atMs: Math.min(said.atMs ?? changedMs, nowMs),
    sessionId: "mcp-memory",
    turn: null,
  });
  return memory === null
    ? left("skipped", "holds no words")
    : itemStep({ kind: "memory", key, memory, links });
}

/**
 * The MCP memory server's knowledge graph: entities with observations, and relations between them. One memory for each
 * entity, for each observation (linked to its entity), and for each relation (linked to both ends).
 *
 * Read twice: first to see that it is one, then to hand it over, entities before relations.
 */
import type { GateDep } from "#domain";
import { oneLine, sha256 } from "#kit";
import type { ImportedMemory } from "../items.ts";
import { checkFile, linesOf } from "../lines.ts";
import { gated, memoryOf } from "../memory-of.ts";
import {
  itemStep,
  left,
  SourceFailure,
  type ReaderDeps,
  type ReadPlan,
  type ReadStep,
} from "../source.ts";
import { createObjectScanner, objectCharsMax } from "./objects.ts";

const observationsMax = 10_000;
const namesMax = 1_000;

export function planMcpMemory(deps: ReaderDeps, path: string): ReadPlan {
  const { bytes, changedMs } = checkFile(path);
  // The graph has no dates: what it says has been known since the file was written.
  const about: About = { gate: deps.gate, atMs: Math.min(changedMs, deps.nowMs) };
  return { total: bytes * 2, unit: "bytes", steps: steps(about, path), close: () => undefined };
}

interface About extends GateDep {
  readonly atMs: number;
}

async function* steps(about: About, path: string): AsyncIterable<ReadStep> {
  await check(path);
  yield* pass(path, (graph) => entitySteps(about, graph), true);
  yield* pass(path, (graph) => relationSteps(about, graph), false);
}

type Graph =
  | {
      readonly type: "entity";
      readonly name: string;
      readonly entityType: string;
      readonly observations: readonly string[];
    }
  | {
      readonly type: "relation";
      readonly from: string;
      readonly to: string;
      readonly relation: string;
    }
  | { readonly type: "wrong"; readonly reason: string };

/** Nothing is handed over of a file that holds no graph. */
async function check(path: string): Promise<void> {
  for await (const objects of objectsIn(path)) {
    const graph = objects.list.map(graphOf);
    if (graph.some(({ type }) => type !== "wrong")) return;
    if (graph.length > 0 || objects.garbage > garbageMax) break;
  }
  throw new SourceFailure(
    `${path} is no knowledge graph of an MCP memory: it does not begin with an entity or a relation`,
  );
}

const garbageMax = 1_000;

async function* pass(
  path: string,
  stepsOf: (graph: Graph) => Iterable<ReadStep>,
  isFirst: boolean,
): AsyncIterable<ReadStep> {
  let done = 0;
  for await (const objects of objectsIn(path)) {
    for (const text of objects.list) yield* stepsOf(graphOf(text));
    yield { type: "progress", done: objects.bytesDone - done };
    done = objects.bytesDone;
    if (objects.isEnd && objects.pending > 0 && isFirst)
      yield left("refused", "the last line is cut off");
    if (objects.isEnd && objects.garbage > 0 && isFirst)
      yield left("refused", "text between the objects");
  }
}

interface Objects {
  readonly list: readonly string[];
  readonly bytesDone: number;
  readonly pending: number;
  readonly garbage: number;
  readonly isEnd: boolean;
}

async function* objectsIn(path: string): AsyncIterable<Objects> {
  const scanner = createObjectScanner();
  let bytesDone = 0;
  const state = (list: readonly string[], isEnd: boolean): Objects => ({
    list,
    bytesDone,
    pending: scanner.pending(),
    garbage: scanner.garbage(),
    isEnd,
  });
  for await (const line of linesOf(Bun.file(path).stream(), path)) {
    bytesDone = line.bytesDone;
    yield state(scanner.push(line.isCut ? line.text : `${line.text}\n`), false);
    if (scanner.pending() > objectCharsMax)
      throw new SourceFailure(
        `${path} has an object of more than 16 MB: no memory is written like that`,
      );
  }
  yield state([], true);
}

const wrong = (reason: string): Graph => ({ type: "wrong", reason });

function graphOf(text: string): Graph {
  const record = recordOf(text);
  if (record === null) return wrong("not JSON");
  const type = textIn(record, "type");
  if (type === "entity" || (type === "" && "entityType" in record)) return entityOf(record);
  return type === "relation" ? relationOf(record) : wrong("not an entity or a relation");
}

type Json = Readonly<Record<string, unknown>>;

function recordOf(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null
      ? Object.fromEntries(Object.entries(value))
      : null;
  } catch {
    return null; // JSON.parse is the only thing here that throws.
  }
}

function textIn(record: Json, name: string): string {
  const given = record[name];
  return typeof given === "string" ? given.trim().slice(0, namesMax) : "";
}

function entityOf(record: Json): Graph {
  const name = textIn(record, "name");
  if (name === "") return wrong("an entity without a name");
  const notes: unknown = record["observations"];
  const observations = Array.isArray(notes)
    ? notes.filter((one) => typeof one === "string").slice(0, observationsMax)
    : [];
  return { type: "entity", name, entityType: textIn(record, "entityType"), observations };
}

function relationOf(record: Json): Graph {
  const [from, to] = [textIn(record, "from"), textIn(record, "to")];
  if (from === "" || to === "") return wrong("a relation without both ends");
  const relation = textIn(record, "relationType") || "is related to";
  return { type: "relation", from, to, relation };
}

const entityKey = (name: string): string => `entity:${sha256(name)}`;

/** `Alice_Smith` and `works_at` as people write them. */
const spoken = (name: string): string => oneLine(name.replaceAll("_", " "));

function* entitySteps(about: About, graph: Graph): Iterable<ReadStep> {
  if (graph.type === "wrong") yield left("refused", graph.reason);
  if (graph.type !== "entity") return;
  const name = spoken(graph.name);
  const kind = graph.entityType === "" ? "" : ` (${spoken(graph.entityType)})`;
  const notes = graph.observations.map((note) => gated(about.gate, note)?.trim() ?? "");
  const list = notes.filter((note) => note !== "").map((note) => `- ${note}`);
  yield step(about, entityKey(graph.name), {
    line: `${name}${kind}`,
    overview: list.slice(0, 200).join("\n"),
    tags: [graph.entityType],
    links: [],
  });
  for (const note of notes) {
    if (note === "") yield left("skipped", "holds no words");
    else
      yield step(about, `note:${sha256(JSON.stringify([graph.name, note]))}`, {
        line: note.toLowerCase().startsWith(name.toLowerCase()) ? note : `${name}: ${note}`,
        overview: null,
        tags: [graph.entityType],
        links: [{ key: entityKey(graph.name), relation: "elaborates" }],
      });
  }
}

function* relationSteps(about: About, graph: Graph): Iterable<ReadStep> {
  if (graph.type !== "relation") return;
  const { from, to, relation } = graph;
  yield step(about, `relation:${sha256(JSON.stringify([from, relation, to]))}`, {
    line: `${spoken(from)} ${spoken(relation)} ${spoken(to)}`,
    overview: null,
    tags: ["relation"],
    links: [from, to].map((name) => ({ key: entityKey(name), relation: "related" })),
  });
}

interface Words {
  readonly line: string;
  readonly overview: string | null;
  readonly tags: readonly string[];
  readonly links: { readonly key: string; readonly relation: "related" | "elaborates" }[];
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
    atMs: about.atMs,
    sessionId: "mcp-memory",
    turn: null,
  });
  return memory === null
    ? left("skipped", "holds no words")
    : itemStep({ kind: "memory", key, memory, links: words.links });
}

/** Gives the neighbours of a memory: its links, and where its words were said. */
import { attributed, isPlan, type Link, type MemoryNode, type Turn } from "#domain";
import { cutAtWord, ok, type Result } from "#kit";
import type { ServiceError } from "./errors.ts";
import type { EvidenceItemJson, EvidenceJson, GraphJson } from "../forms-history.ts";
import { nodeAt } from "./memories.ts";
import type { Context } from "./context.ts";

/** More than a picture can show. */
const nodesMax = 100;
const linksMax = 400;

/** A memory with what it is linked to, one step away or two. */
export function links(
  context: Context,
  uri: string,
  depth: 1 | 2,
): Result<GraphJson, ServiceError> {
  const found = nodeAt(context, uri);
  return found.ok ? ok(graph(context, found.value, depth)) : found;
}

/** `evidence` gives the place where a memory was learnt, with the words around it. */
export function evidence(context: Context, uri: string): Result<EvidenceJson, ServiceError> {
  const found = nodeAt(context, uri);
  if (!found.ok) return found;
  const items = found.value.evidence.map((one) => evidenceItem(context, one));
  return ok({ uri: found.value.uri, items });
}

function graph({ store }: Context, start: MemoryNode, depth: 1 | 2): GraphJson {
  const depthOf = new Map<number, number>([[start.id, 0]]);
  const found = new Map<string, Link>();
  let isCut = false;
  for (let step = 1; step <= depth; step += 1) {
    const edge = [...depthOf].filter(([, at]) => at === step - 1).map(([id]) => id);
    const links = store.nodes.linksOf(edge, linksMax);
    isCut ||= links.length === linksMax;
    for (const link of links) {
      for (const id of [link.fromId, link.toId])
        if (!depthOf.has(id) && depthOf.size < nodesMax) depthOf.set(id, step);
        else isCut ||= !depthOf.has(id);
      found.set(`${link.fromId} ${link.toId} ${link.relation}`, link);
    }
  }
  const nodes = store.nodes.byIds([...depthOf.keys()]);
  const uris = new Map(nodes.map(({ id, uri }) => [id, uri]));
  return {
    uri: start.uri,
    nodes: nodes.map((node) => pointOf(node, depthOf.get(node.id) ?? 0)),
    edges: [...found.values()].flatMap((link) => edgeOf(link, uris)),
    truncated: isCut,
  };
}

const pointOf = (node: MemoryNode, depth: number): GraphJson["nodes"][number] => ({
  uri: node.uri,
  l0: node.l0,
  category: node.category,
  project: node.project,
  status: node.status,
  importance: node.importance,
  depth,
});

/** Only between nodes that are shown. */
function edgeOf(link: Link, uris: ReadonlyMap<number, string>): GraphJson["edges"] {
  const from = uris.get(link.fromId);
  const to = uris.get(link.toId);
  if (from === undefined || to === undefined) return [];
  return [{ from, to, relation: link.relation, weight: link.weight, created_at: link.createdAt }];
}

const turnCharsMax = 4_000;
/** The text shown around a quote, on either side. */
const aroundChars = 600;

function evidenceItem(
  { store }: Context,
  { sessionId, turn: n, line, quote }: MemoryNode["evidence"][number],
): EvidenceItemJson {
  const turn = n === null ? null : store.sessions.turn(sessionId, n);
  const title = store.sessions.byId(sessionId)?.title ?? null;
  const said = { session_id: sessionId, turn: n, line, quote, title };
  if (turn === null) return { ...said, ...unrecorded };
  return {
    ...said,
    ...placeOf(turn, quote),
    line: line ?? turn.line,
    at: turn.startedAt,
    prompt: turn.prompt === null ? null : cut(attributed(turn.prompt)),
    answer: cut(turn.answer),
    files: [...new Set([...turn.filesEdited, ...turn.filesRead])],
  };
}

/** The fields of a turn that is not recorded. */
const unrecorded = {
  at: null,
  speaker: null,
  excerpt: null,
  prompt: null,
  answer: null,
  files: [],
} as const;

const cut = (text: string | null): string | null =>
  text === null ? null : cutAtWord(text, turnCharsMax);

function placeOf(turn: Turn, quote: string) {
  for (const speaker of ["user", "assistant"] as const) {
    const text = (speaker === "user" ? turn.prompt : turn.answer) ?? "";
    const at = spanOf(text, quote);
    if (at === null) continue;
    const [start, end] = at;
    return {
      speaker: speaker === "user" && isPlan(text) ? "assistant" : speaker,
      excerpt: {
        before: text.slice(Math.max(0, start - aroundChars), start),
        text: text.slice(start, end),
        after: text.slice(end, end + aroundChars),
      },
    };
  }
  return { speaker: null, excerpt: null };
}

/**
 * `spanOf` finds a quote in a text; spacing may differ, since a quote is one line. An ellipsis at
 * its end says that it was cut.
 */
function spanOf(text: string, quote: string): readonly [start: number, end: number] | null {
  const words = quote.replace(/…$/, "").split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  const pattern = words.map((word) => word.replace(/[$()*+./?[\\\]^{|}]/g, "\\$&")).join("\\s+");
  const match = new RegExp(pattern, "iu").exec(text);
  return match === null ? null : [match.index, match.index + match[0].length];
}

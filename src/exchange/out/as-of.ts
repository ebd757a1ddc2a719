/**
 * The records of an export as they stood at a time in the past: what came later is left out, and every memory says what
 * it said then, in its place of then. What was forgotten since is gone from then too. Reads; writes nothing.
 */
import {
  treeRoot,
  type MemoryNode,
  type PortableRecord,
  type PortableValue,
  type Store,
} from "#domain";
import { standing } from "#memory";
import { textOf } from "./markdown.ts";

type Write = { kind: string } & Record<string, PortableValue>;
type Reading = Pick<Store, "history" | "nodes" | "portable">;

/** The records of `store` as of `atMs` (epoch ms), in an order in which they can be imported. */
export function* recordsAsOf(store: Reading, atMs: number): Generator<PortableRecord> {
  const state: State = {
    store,
    atMs,
    names: new Map(),
    directories: new Set(),
    sessions: new Set(),
    revised: "",
  };
  yield* withCurrent(inPlace(state, pastOf(state)));
}

function* pastOf(state: State): Generator<PortableRecord> {
  for (const record of state.store.portable.records()) {
    const of = readers[record.kind];
    const past = of === undefined ? record : of(state, { ...record });
    if (past !== null) yield past;
  }
}

/** A memory may have stood in a directory that comes later: first all directories, then what is in them. */
function* inPlace(state: State, records: Iterable<PortableRecord>): Generator<PortableRecord> {
  const leaves: PortableRecord[] = [];
  for (const record of records) {
    if (record.kind !== "node")
      for (const leaf of leaves.splice(0)) yield { ...leaf, parentUri: parentOf(state, leaf) };
    if (record["nodeType"] === "leaf") leaves.push(record);
    else yield record;
  }
  for (const leaf of leaves) yield { ...leaf, parentUri: parentOf(state, leaf) };
}

/** The last checkpoint of a session that was there then was the current one. */
function* withCurrent(records: Iterable<PortableRecord>): Generator<PortableRecord> {
  let held: PortableRecord | null = null;
  for (const record of records) {
    const isOfSame = record.kind === "checkpoint" && record["sessionId"] === held?.["sessionId"];
    if (held !== null) yield { ...held, isCurrent: !isOfSame };
    held = record.kind === "checkpoint" ? record : null;
    if (held === null) yield record;
  }
  if (held !== null) yield { ...held, isCurrent: true };
}

/** The nearest directory above that is still there. */
function parentOf({ directories }: State, { uri }: PortableRecord): string | null {
  const parts = textOf(uri).split("/");
  while (parts.length > 3) {
    parts.pop();
    const above = parts.join("/");
    if (directories.has(above)) return above;
  }
  return treeRoot;
}

interface State {
  readonly store: Reading;
  readonly atMs: number;
  /** URIs of today, and what each was then. */
  readonly names: Map<string, string>;
  readonly directories: Set<string>;
  readonly sessions: Set<string>;
  /** The memory whose first revision has been written. */
  revised: string;
}

/** When a record of each kind began; the others have no time. */
const began: Readonly<Record<string, string>> = {
  project: "firstSeen",
  link: "createdAt",
  guard: "createdAt",
  session: "startedAt",
  turn: "startedAt",
  toolUse: "atMs",
  observation: "atMs",
  checkpoint: "atMs",
  exposure: "atMs",
  injection: "atMs",
  llmCall: "atMs",
};

const isLater = ({ atMs }: State, time: PortableValue | undefined): boolean =>
  typeof time === "number" && time > atMs;

/** A record that names memories or a session which were there. */
function dated(state: State, record: Write): PortableRecord | null {
  if (isLater(state, record[began[record.kind] ?? ""])) return null;
  const { sessionId } = record;
  const isOfSession = typeof sessionId === "string" && record.kind in ofSessions;
  if (isOfSession && !state.sessions.has(sessionId)) return null;
  for (const name of nodeKeys) {
    const uri = record[name];
    if (typeof uri !== "string" || !uri.startsWith("mem://")) continue;
    const then = state.names.get(uri);
    if (then === undefined) return null;
    record[name] = then;
  }
  return record;
}

const nodeKeys = ["uri", "from", "to"] as const;
const ofSessions = { turn: 1, toolUse: 1, observation: 1, checkpoint: 1 } as const;

type Reader = (state: State, record: Write) => PortableRecord | null;

const readers: Readonly<Record<string, Reader>> = {
  project: dated,
  node: (state, record) => {
    const uri = textOf(record["uri"]);
    const node = record["nodeType"] === "leaf" ? state.store.nodes.byUri(uri) : null;
    const past = node === null ? null : standing(state.store, node, state.atMs);
    if (node !== null && past === null) return null;
    if (node === null) state.directories.add(uri);
    state.names.set(uri, past?.uri ?? uri);
    return past === null ? record : { ...record, ...columnsOf(state, past) };
  },
  merged: (state, record) => {
    const node = state.store.nodes.byUri(textOf(record["uri"]));
    const past = node === null ? null : standing(state.store, node, state.atMs);
    const parts = past === null ? [] : state.store.nodes.byIds(past.mergedFrom);
    const from = parts.flatMap(({ uri }) => state.names.get(uri) ?? []);
    return past === null || from.length === 0 ? null : { ...record, uri: past.uri, from };
  },
  revision: (state, record) => {
    const uri = textOf(record["uri"]);
    // What was imported is older than its first revision.
    const isFirst = state.revised !== uri;
    state.revised = uri;
    const then = state.names.get(uri);
    if (then === undefined || (!isFirst && isLater(state, record["atMs"]))) return null;
    return { ...record, uri: then, fields: withNames(state, record["fields"]) };
  },
  link: dated,
  guard: dated,
  session: (state, record) => {
    if (isLater(state, record["startedAt"])) return null;
    state.sessions.add(textOf(record["sessionId"]));
    if (!isLater(state, record["lastEventAt"])) return record;
    // It was under way.
    return {
      ...record,
      status: "active",
      endedAt: null,
      lastEventAt: state.atMs,
      compactSummary: null,
    };
  },
  turn: (state, record) =>
    dated(
      state,
      isLater(state, record["endedAt"])
        ? { ...record, status: "open", endedAt: null, answer: null }
        : record,
    ),
  toolUse: dated,
  observation: dated,
  checkpoint: dated,
  exposure: dated,
  injection: dated,
  llmCall: dated,
};

function columnsOf({ atMs }: State, past: MemoryNode): Record<string, PortableValue> {
  const { uri, category, project, status, origin, pinned, importance, evidenceCount, slot } = past;
  const { l0, l1, l2, updatedAt, validFrom, validTo, expiresAt, lastAccess } = past;
  const { tags, files, aliases, anchors, evidence } = past;
  const lists = JSON.parse(JSON.stringify({ tags, files, aliases, anchors, evidence })) as Record<
    string,
    PortableValue
  >;
  return {
    uri,
    category,
    project,
    status,
    origin,
    pinned,
    importance,
    evidenceCount,
    slot,
    l0,
    l1,
    l2,
    updatedAt: Math.min(updatedAt, atMs),
    validFrom,
    validTo,
    expiresAt,
    lastAccess: lastAccess !== null && lastAccess > atMs ? null : lastAccess,
    ...lists,
  };
}

/** The parts that a revision names by their URIs. */
function withNames(state: State, fields: PortableValue | undefined): PortableValue {
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) return fields ?? null;
  const named = fields as Readonly<Record<string, PortableValue>>;
  const { mergedFrom } = named;
  if (!Array.isArray(mergedFrom)) return fields;
  return { ...named, mergedFrom: mergedFrom.flatMap((uri) => state.names.get(textOf(uri)) ?? []) };
}

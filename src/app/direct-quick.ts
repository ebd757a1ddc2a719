/**
 * Answers of a command that reads for itself, for what is asked most: `list`, `find`, `search` and `status`. Loads what
 * these need and neither the server nor the engine; whatever it does not know word by word is left to `direct`, which
 * answers everything and says what is wrong.
 */
import {
  createOneLook,
  embedOnceEmbedded,
  loadEmbeddedModel,
  oneLookMax,
  type StoredVector,
} from "#embed";
import { documentKinds, nodeStatuses, nowHeader, type Embedder, type Store } from "#domain";
import { parseNow, systemRandom, type Result } from "#kit";
import {
  createSearchApi,
  createStatusApi,
  listMemories,
  type ListAsk,
  type SearchAsk,
  type ServiceError,
} from "#service";
import { openToAnswer } from "#store/read";
import type { Place, SettingsSource } from "./context.ts";
import { createSearching, createStatusDeps } from "./reading.ts";

export interface QuickDeps extends Pick<Place, "clock" | "paths" | "version"> {
  readonly settings: SettingsSource;
}

/** Null: `direct` answers. */
export type QuickAnswer = (request: Request) => Promise<Response | null>;

/** Opens the database; null when it cannot be opened just so. */
export function openQuickAnswers(deps: QuickDeps): QuickAnswer | null {
  if (deps.settings.current().embedder.provider !== "embedded") return null;
  const embedder = loadEmbeddedModel();
  const opened = openToAnswer(deps.paths.database, { clock: deps.clock, random: systemRandom });
  if (!opened.ok || !embedder.ok) return null;
  const reader = { store: opened.value, embedder: embedder.value };
  return async (request) => {
    try {
      const answer = await answerTo(deps, reader, request);
      return answer === null ? null : Response.json(answer);
    } catch {
      return null; // A damaged file: whoever looks at all of it says what is wrong.
    }
  };
}

interface Reading {
  readonly store: Store;
  readonly embedder: Embedder;
}

async function answerTo(
  deps: QuickDeps,
  reader: Reading,
  { method, url, headers }: Request,
): Promise<object | null> {
  const { pathname, searchParams } = new URL(url);
  if (method !== "GET") return null;
  const nowMs = parseNow(headers.get(nowHeader) ?? undefined) ?? deps.clock.nowMs();
  if (pathname === "/api/memories") return list(reader, searchParams, nowMs);
  if (pathname === "/api/search") return search(deps, reader, searchAsked(searchParams, nowMs));
  if (pathname === "/api/status" && searchParams.size === 0) return status(deps, reader);
  return null;
}

/** Counts come from indexes; one memory is read as well, so that a damaged table is told and not counted over. */
function status(deps: QuickDeps, reader: Reading): object {
  reader.store.nodes.byId(1);
  return createStatusApi(createStatusDeps(deps, reader, null)).status();
}

function list({ store }: Reading, asked: URLSearchParams, nowMs: number): object | null {
  const ask = listAsked(asked, nowMs);
  return ask === null ? null : valueOf(listMemories({ store }, ask));
}

const valueOf = <Value extends object>(result: Result<Value, ServiceError>): Value | null =>
  result.ok ? result.value : null;

async function search(
  deps: QuickDeps,
  reader: Reading,
  ask: SearchAsk | null,
): Promise<object | null> {
  if (ask === null) return null;
  const vectors = vectorsOf(reader);
  if (vectors === null) return null;
  const embedder =
    vectors.size() === 0 ? reader.embedder : await embedderFor(reader.embedder, ask.text);
  const finder = createSearching(deps, { store: reader.store, embedder, vectors });
  return valueOf(createSearchApi({ finder, store: reader.store, writable: false }).search(ask));
}

/** Null for so many that an index is worth its making. */
function vectorsOf({
  store,
  embedder: { identity },
}: Reading): ReturnType<typeof createOneLook> | null {
  const rows: StoredVector[] = [];
  for (const row of store.vectors.components(identity.id)) {
    if (rows.length === oneLookMax) return null;
    if (row.components.length === identity.dimension) rows.push(row);
  }
  return createOneLook(identity.dimension, rows);
}

/** Has the vector of this text; for another one, the model is opened. */
async function embedderFor(embedder: Embedder, text: string): Promise<Embedder> {
  const vector = await embedOnceEmbedded(text);
  if (vector === null) return embedder;
  return { ...embedder, embed: (other) => (other === text ? vector : embedder.embed(other)) };
}

const sorts = ["recent", "created", "used", "importance", "uri"] as const;
const defaultPage = 100;

function listAsked(asked: URLSearchParams, nowMs: number): ListAsk | null {
  const read = reading(asked);
  const statuses = asked.getAll("status");
  const ask = {
    projects: null,
    statuses: nodeStatuses.filter((status) => statuses.includes(status)),
    sort: read.oneOf("sort", sorts) ?? "recent",
    archive: read.oneOf("archive", ["0", "1"]) === "1",
    limit: read.count("limit", 1_000) ?? defaultPage,
    cursor: read.matching("cursor", /^o\d{1,9}$/),
    nowMs,
  };
  read.seen("status");
  return ask.statuses.length === statuses.length && statuses.length > 0 && read.isAll()
    ? ask
    : null;
}

const queryCharsMax = 2_000;
const resultsDefault = 10;
const resultsMax = 100;

function searchAsked(asked: URLSearchParams, nowMs: number): SearchAsk | null {
  const read = reading(asked);
  const text = read.matching("q", /\S/)?.trim() ?? "";
  const mode = read.oneOf("mode", ["find", "search"]) ?? "find";
  const ask: SearchAsk = {
    projects: null,
    text,
    mode,
    format:
      read.oneOf("format", ["index", "overview", "full"]) ??
      (mode === "find" ? "index" : "overview"),
    kinds: documentKinds,
    limit: read.count("limit", resultsMax) ?? resultsDefault,
    sort: read.oneOf("sort", ["relevance", "date"]) ?? "relevance",
    home: read.matching("home", /^\S{1,300}$/),
    reader: null,
    nowMs,
  };
  return text !== "" && text.length <= queryCharsMax && read.isAll() ? ask : null;
}

/** Reads parameters that are exactly what they should be; one that is not, or is left over, is for `direct`. */
function reading(asked: URLSearchParams) {
  const left = new Set(asked.keys());
  let isPlain = true;
  const matching = (name: string, pattern: RegExp): string | null => {
    left.delete(name);
    const [value = null, ...more] = asked.getAll(name);
    if (value === null) return null;
    if (more.length > 0 || !pattern.test(value)) isPlain = false;
    return value;
  };
  return {
    matching,
    oneOf: <Word extends string>(name: string, words: readonly Word[]): Word | null => {
      const value = matching(name, /./);
      const word = words.find((one) => one === value) ?? null;
      if (word !== value) isPlain = false;
      return word;
    },
    count: (name: string, most: number): number | null => {
      const value = matching(name, /^[1-9]\d{0,3}$/);
      if (Number(value) > most) isPlain = false;
      return value === null ? null : Number(value);
    },
    seen: (name: string): void => void left.delete(name),
    isAll: (): boolean => isPlain && left.size === 0,
  };
}

/**
 * An embedder that a server answers for. Nothing waits for it: documents are embedded in the background, a question has
 * a moment to get its vector, and whoever gets none searches by words. Failures are remembered for a while, so that a
 * server that is down is not asked with every prompt. The transport is the caller's; keys never come here.
 */
import type { Embedder, EmbedderIdentity, RemoteEmbedder } from "#domain";
import { type Clock, err, msPerMinute, msPerSecond, ok, type Result, isRecord } from "#kit";
import { calibrationOf } from "./embedded-model.ts";

export interface RemoteSettings {
  readonly wire: EmbedWire;
  readonly model: string;
  /** 0 = as the model is known to have. */
  readonly dimension: number;
}

/** A failure in words, and for how long the server asked to be left alone (ms), if it did. */
interface PostFailure {
  readonly reason: string;
  readonly retryAfterMs: number | null;
}

/** Sends JSON to the server and reads JSON; address, key and limits are its own affair. */
export type EmbedPost = (
  path: string,
  body: unknown,
  timeoutMs: number,
) => Promise<Result<unknown, PostFailure>>;

export interface RemoteContext {
  readonly clock: Clock;
  readonly post: EmbedPost;
  readonly pause: (ms: number) => Promise<void>;
}

/** A batch of documents may load a model first. */
const documentsTimeoutMs = 60 * msPerSecond;
/** A question that comes back later than its asker waited is still good for the next time. */
const queryTimeoutMs = 10 * msPerSecond;
const textCharsMax = 2_000;
const queriesKept = 200;
const restMsMin = 5 * msPerSecond;
const restMsMax = 10 * msPerMinute;
const prefixHexChars = 6;

/** Error: in words, what has to be set. */
export function remoteIdentity(settings: RemoteSettings): Result<EmbedderIdentity, string> {
  const model = modelOf(settings);
  if (model === null)
    return err(
      `how long are the vectors of ${settings.model}? Set embedder.dimension (a model that is known needs none)`,
    );
  const prefixes = new Bun.CryptoHasher("sha256")
    .update(JSON.stringify([model.queryPrefix, model.documentPrefix]))
    .digest("hex")
    .slice(0, prefixHexChars);
  const id = `${settings.wire}/${settings.model}@${model.dimension}-${prefixes}`;
  return ok({ id, dimension: model.dimension, ...calibrationOf(id) });
}

function modelOf({ model, dimension }: RemoteSettings): RemoteModel | null {
  const known = knownModel(model);
  if (dimension === 0) return known;
  return { queryPrefix: "", documentPrefix: "", ...known, dimension };
}

export function createRemoteEmbedder(
  deps: RemoteContext,
  settings: RemoteSettings,
  identity: EmbedderIdentity,
): Embedder & { readonly remote: RemoteEmbedder } {
  const queries = createQueries();
  const health = createHealth(deps.clock);
  const model = modelOf(settings);
  const prefix = { query: model?.queryPrefix ?? "", document: model?.documentPrefix ?? "" };

  const ask = async (
    kind: "query" | "document",
    texts: readonly string[],
  ): Promise<Result<readonly Float32Array[], string>> => {
    const resting = health.restingMs();
    if (resting > 0) return err(health.status().reason);
    const { path, body } = wireRequest(settings.wire, {
      model: settings.model,
      texts: texts.map((text) => prefix[kind] + text.slice(0, textCharsMax)),
      kind,
      dimension: settings.dimension || undefined,
    });
    const timeoutMs = kind === "query" ? queryTimeoutMs : documentsTimeoutMs;
    const answered = await deps.post(path, body, timeoutMs);
    const vectors = answered.ok
      ? readVectors(settings.wire, answered.value, {
          count: texts.length,
          dimension: identity.dimension,
        })
      : err(answered.error.reason);
    health.note(
      vectors.ok ? null : vectors.error,
      answered.ok ? null : answered.error.retryAfterMs,
    );
    return vectors;
  };

  const fetchQuery = async (text: string): Promise<void> => {
    const vectors = await ask("query", [text]);
    const [vector] = vectors.ok ? vectors.value : [];
    if (vector !== undefined) queries.set(text, vector);
  };

  const prepare = async (text: string, waitMs: number): Promise<void> => {
    const wanted = text.slice(0, textCharsMax);
    if (wanted.trim() === "" || queries.get(wanted) !== null) return;
    await Promise.race([fetchQuery(wanted), deps.pause(waitMs)]);
  };

  return {
    identity,
    embed: (text) => queries.get(text.slice(0, textCharsMax)),
    remote: {
      documents: (texts) => ask("document", texts),
      prepare,
      ...createDebts(),
      restingMs: health.restingMs,
      status: health.status,
    },
  };
}

/** Nodes that wait for a vector. */
function createDebts() {
  const owed = new Set<number>();
  let told: () => void = () => undefined;
  return {
    owe: (nodeId: number): void => {
      owed.add(nodeId);
      told();
    },
    onOwed: (listener: () => void): void => void (told = listener),
    owed: (limit: number): readonly number[] => [...owed].slice(0, limit),
    settle: (nodeIds: readonly number[]): void => nodeIds.forEach((nodeId) => owed.delete(nodeId)),
  };
}

/** Vectors of the last questions, the oldest out first. */
function createQueries() {
  const byText = new Map<string, Float32Array>();
  return {
    get: (text: string): Float32Array | null => byText.get(text) ?? null,
    set: (text: string, vector: Float32Array): void => {
      byText.delete(text);
      byText.set(text, vector);
      const oldest = byText.keys().next().value;
      if (byText.size > queriesKept && oldest !== undefined) byText.delete(oldest);
    },
  };
}

/** Leaves a server that fails alone for a while, longer each time. */
function createHealth(clock: Clock) {
  let failures = 0;
  let untilMs = 0;
  let reason: string | null = null;
  return {
    restingMs: (): number => Math.max(0, untilMs - clock.nowMs()),
    status: () => ({ isUsable: reason === null, reason: reason ?? "answers" }),
    note: (failure: string | null, retryAfterMs: number | null): void => {
      reason = failure;
      failures = failure === null ? 0 : failures + 1;
      const restMs = Math.min(restMsMax, restMsMin * 2 ** (failures - 1));
      untilMs = failure === null ? 0 : clock.nowMs() + Math.max(restMs, retryAfterMs ?? 0);
    },
  };
}

// Embedding models that a server answers for, as far as they differ: how long their vectors are, and what they want
// before a question and before a text. Facts from the models' own pages; a model that is not listed needs its dimension
// in the settings and gets no prefixes. Pure data.

interface RemoteModel {
  readonly dimension: number;
  readonly queryPrefix: string;
  readonly documentPrefix: string;
}

const plain = (dimension: number): RemoteModel => ({
  dimension,
  queryPrefix: "",
  documentPrefix: "",
});

const retrieval = "Represent this sentence for searching relevant passages: ";

const models: Readonly<Record<string, RemoteModel>> = {
  "nomic-embed-text": {
    dimension: 768,
    queryPrefix: "search_query: ",
    documentPrefix: "search_document: ",
  },
  "mxbai-embed-large": { ...plain(1_024), queryPrefix: retrieval },
  "snowflake-arctic-embed": { ...plain(1_024), queryPrefix: retrieval },
  embeddinggemma: {
    dimension: 768,
    queryPrefix: "task: search result | query: ",
    documentPrefix: "title: none | text: ",
  },
  "all-minilm": plain(384),
  "bge-m3": plain(1_024),
  "text-embedding-3-small": plain(1_536),
  "text-embedding-3-large": plain(3_072),
  "text-embedding-ada-002": plain(1_536),
  "voyage-3.5": plain(1_024),
  "voyage-3.5-lite": plain(1_024),
  "voyage-3-large": plain(1_024),
  "voyage-code-3": plain(1_024),
};

/** Null for a model that is not listed. `nomic-embed-text:v1.5` is a tag of `nomic-embed-text`. */
const knownModel = (name: string): RemoteModel | null =>
  models[name] ?? models[name.split(":")[0] ?? ""] ?? null;

// Describes the requests to an embedding server and its answers, for each wire format. Pure.

type EmbedWire = "ollama" | "openai" | "voyage";

interface WireAsk {
  readonly model: string;
  readonly texts: readonly string[];
  readonly kind: "query" | "document";
  /** Asked for only when the settings name one: most models have one length. */
  readonly dimension: number | undefined;
}

/** The path behind the server's address, and the body. */
function wireRequest(wire: EmbedWire, { model, texts: input, kind, dimension }: WireAsk) {
  if (wire === "ollama") return { path: "/api/embed", body: { model, input, truncate: true } };
  const options =
    wire === "openai"
      ? { encoding_format: "float", dimensions: dimension }
      : { input_type: kind, output_dimension: dimension };
  return { path: "/embeddings", body: { model, input, ...options } };
}

/** Unit vectors in the order of the texts, or in words what is wrong with the answer. */
function readVectors(
  wire: EmbedWire,
  reply: unknown,
  wanted: { readonly count: number; readonly dimension: number },
): Result<readonly Float32Array[], string> {
  const lists = listsOf(wire, reply);
  if (lists === null) return err("the answer holds no vectors");
  if (lists.length !== wanted.count)
    return err(`${lists.length} vectors for ${wanted.count} texts`);
  const vectors: Float32Array[] = [];
  for (const list of lists) {
    if (!Array.isArray(list)) return err("the answer holds no vectors");
    if (list.length !== wanted.dimension)
      return err(
        `vectors of ${list.length} values, not ${wanted.dimension}; set embedder.dimension = ${list.length}`,
      );
    const vector = unit(list);
    if (vector === null) return err("a vector that is none");
    vectors.push(vector);
  }
  return ok(vectors);
}

/** OpenAI and Voyage number their vectors, and promise no order. */
function listsOf(wire: EmbedWire, reply: unknown): readonly unknown[] | null {
  if (!isRecord(reply)) return null;
  if (wire === "ollama") return Array.isArray(reply["embeddings"]) ? reply["embeddings"] : null;
  const data: unknown = reply["data"];
  if (!Array.isArray(data)) return null;
  return data
    .filter(isRecord)
    .map((row, i) => ({ at: Number(row["index"] ?? i), list: row["embedding"] }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ list }) => list);
}

/** Null when there is no direction in it: not finite, or all zero. */
function unit(values: readonly unknown[]): Float32Array | null {
  const vector = Float32Array.from(values, Number);
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length > 0 && Number.isFinite(length) ? vector.map((value) => value / length) : null;
}

/** What is sent to an embedding server and what it answers, for each wire format. Pure. */
import { err, ok, type Result } from "#kit";

export type EmbedWire = "ollama" | "openai" | "voyage";

export interface WireRequest {
  /** Put behind the server's address. */
  readonly path: string;
  readonly body: unknown;
}

export interface WireAsk {
  readonly model: string;
  readonly texts: readonly string[];
  readonly kind: "query" | "document";
  /** Asked for only when the settings name one: most models have one length. */
  readonly dimension: number | null;
}

export function wireRequest(wire: EmbedWire, ask: WireAsk): WireRequest {
  const { model, texts: input, kind, dimension } = ask;
  switch (wire) {
    case "ollama":
      return { path: "/api/embed", body: { model, input, truncate: true } };
    case "openai":
      return {
        path: "/embeddings",
        body: {
          model,
          input,
          encoding_format: "float",
          ...(dimension === null ? {} : { dimensions: dimension }),
        },
      };
    case "voyage":
      return {
        path: "/embeddings",
        body: {
          model,
          input,
          input_type: kind,
          ...(dimension === null ? {} : { output_dimension: dimension }),
        },
      };
  }
}

/** Unit vectors in the order of the texts, or in words what is wrong with the answer. */
export function readVectors(
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

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

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

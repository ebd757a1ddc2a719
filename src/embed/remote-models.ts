/**
 * Embedding models that a server answers for, as far as they differ: how long their vectors are, and what they want
 * before a question and before a text. Facts from the models' own pages; a model that is not listed needs its dimension
 * in the settings and gets no prefixes. Pure data.
 */

export interface RemoteModel {
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
export const knownModel = (name: string): RemoteModel | null =>
  models[name] ?? models[name.split(":")[0] ?? ""] ?? null;

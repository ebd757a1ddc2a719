/** Embedders and the vector index. Everything heavy is loaded by the call, never by the import. */
export { loadEmbeddedModel } from "./embedded-model.ts";
export { openStaticEmbedder } from "./static-embedder.ts";
export type { EmbedError, ModelProfile } from "./static-embedder.ts";
export { createRemoteEmbedder, remoteIdentity } from "./remote-embedder.ts";
export type { EmbedPost, PostFailure, RemoteSettings } from "./remote-embedder.ts";
export { createVectorIndex } from "./vector-index.ts";

/** Embedders and the vector index. Everything heavy is loaded by the call, never by the import. */
export { loadEmbeddedModel } from "./embedded-model.ts";
export { modelRows, piecesOf, stemMark } from "./model-rows.ts";
export { isUnspaced, modelWords } from "./model-words.ts";
export { interactionNames } from "./late-interaction.ts";
export { openStaticEmbedder } from "./static-embedder.ts";
export type { EmbedError, ModelProfile } from "./static-embedder.ts";
export { createRemoteEmbedder, remoteIdentity } from "./remote-embedder.ts";
export type { EmbedPost, PostFailure, RemoteSettings } from "./remote-embedder.ts";
export { createVectorIndex } from "./vector-index.ts";
export { createWordTable } from "./word-table.ts";

/** Embedders and the vector index. Everything heavy is loaded by the call, never by the import. */
export {
  type EmbedError,
  loadEmbeddedModel,
  type ModelProfile,
  openStaticEmbedder,
} from "./embedded-model.ts";
export {
  createWordTable,
  isUnspaced,
  modelRows,
  modelWords,
  piecesOf,
  stemMark,
} from "./model-rows.ts";
export { interactionNames } from "./late-interaction.ts";
export {
  createRemoteEmbedder,
  type EmbedPost,
  type PostFailure,
  remoteIdentity,
  type RemoteSettings,
} from "./remote-embedder.ts";
export { createVectorIndex } from "./vector-index.ts";

/**
 * Meaning of texts as vectors: the embedded model, a server's models, and the exact vector index. The model's bytes are
 * loaded by the first text, never by the import.
 */
export { loadEmbeddedModel, openStaticEmbedder, unpackedVectors } from "./embedded-model.ts";
export {
  createWordTable,
  isUnspaced,
  modelRows,
  modelWords,
  piecesOf,
  stemMark,
} from "./model-rows.ts";
export { interactionNames } from "./late-interaction.ts";
export { createRemoteEmbedder, type EmbedPost, remoteIdentity } from "./remote-embedder.ts";
export { createVectorIndex } from "./vector-index.ts";

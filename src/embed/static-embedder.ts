/**
 * Static word-vector embedder: reads a CST1 model file and turns text into unit vectors in microseconds.
 *
 * Knows the file format and nothing about any one file: size, dimension and thresholds come with the file
 * or with its profile (models/*.json). Must not know about storage or search.
 */
import type { Embedder, EmbedderIdentity } from "#domain";
import { err, ok, type Result, memoised } from "#kit";
import { calibrationOf } from "./calibrations.ts";
import { createWordTable, type WordTable } from "./word-table.ts";

export type EmbedError =
  | { readonly type: "embed.unreadable"; readonly detail: string }
  | { readonly type: "embed.missing"; readonly path: string; readonly detail: string };

/** What is known of a model beside its file. */
export interface ModelProfile {
  readonly name: string;
  /** Hex SHA-256 of the file; null = computed when opened (about a millisecond per megabyte). */
  readonly sha256: string | null;
}

interface Model {
  readonly dimension: number;
  readonly words: WordTable;
  readonly scales: Float32Array;
  readonly weights: Int8Array;
}

const magic = "CST1";
const headerBytes = 16;
/** Far beyond any model in use; a guard against a header that is not one. */
const dimensionMax = 8_192;
/** Unknown words are cut into pieces found among this many most frequent words, and no shorter than this. */
const pieceRowsMax = 30_000;
const pieceLettersMin = 3;
const identityHexChars = 12;

const unknownProfile: ModelProfile = { name: "cst1", sha256: null };

/**
 * Opens a model in the CST1 format. The buffer is kept and must not change afterwards.
 * Error `embed.unreadable`: not such a file, or cut short.
 */
export function openStaticEmbedder(
  bytes: ArrayBuffer | Uint8Array,
  profile: ModelProfile = unknownProfile,
): Result<Embedder, EmbedError> {
  // Seen as a plain Uint8Array: a Node Buffer's own slice() would share memory where a copy is meant.
  const file =
    bytes instanceof Uint8Array
      ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      : new Uint8Array(bytes);
  const model = readModel(file);
  if (!model.ok) return model;
  const hash = profile.sha256 ?? new Bun.CryptoHasher("sha256").update(file).digest("hex");
  return ok({
    identity: identityOf(profile.name, hash, model.value.dimension),
    // A prompt is compared with the same sentences as the one before it.
    embed: memoised((text) => embed(model.value, text)),
    isWord: (word) => model.value.words.rowOf(word) >= 0,
  });
}

/** The identity of a model, whose bytes need not be read for it where its hash (hex SHA-256) is known. */
export function identityOf(name: string, hash: string, dimension: number): EmbedderIdentity {
  const id = `${name}@${hash.slice(0, identityHexChars)}`;
  return { id, dimension, ...calibrationOf(id) };
}

function readModel(file: Uint8Array): Result<Model, EmbedError> {
  if (file.byteLength < headerBytes || latin1(file.subarray(0, 4)) !== magic)
    return unreadable("no CST1 header");
  const header = new DataView(file.buffer, file.byteOffset, headerBytes);
  const count = header.getUint32(4, true);
  const dimension = header.getUint32(8, true);
  const vocabularyBytes = header.getUint32(12, true);
  if (count < 1 || dimension < 1 || dimension > dimensionMax) return unreadable("impossible size");
  const scalesAt = Math.ceil((headerBytes + vocabularyBytes) / 4) * 4;
  const weightsAt = scalesAt + count * 4;
  const end = weightsAt + count * dimension;
  if (file.byteLength < end)
    return unreadable(`${file.byteLength} bytes of ${end}: the file was cut short`);
  const words = createWordTable(file.subarray(headerBytes, headerBytes + vocabularyBytes));
  if (words.count !== count) return unreadable(`${words.count} words for ${count} rows`);
  return ok({
    dimension,
    words,
    // A copy: the file may lie at an odd offset, where no float array can be laid over it.
    scales: new Float32Array(file.slice(scalesAt, weightsAt).buffer),
    weights: new Int8Array(file.buffer, file.byteOffset + weightsAt, count * dimension),
  });
}

function embed(model: Model, text: string): Float32Array | null {
  const sum = new Float32Array(model.dimension);
  for (const word of modelWords(text)) {
    const row = model.words.rowOf(word);
    if (row < 0) addPieces(model, word, sum);
    else addRow(model, row, sum);
  }
  let squares = 0;
  for (const value of sum) squares += value * value;
  if (!(squares > 0) || !Number.isFinite(squares)) return null;
  const norm = Math.sqrt(squares);
  for (let i = 0; i < sum.length; i += 1) sum[i] = (sum[i] ?? 0) / norm;
  return sum;
}

/** Greedy longest prefixes; a letter at which none begins is skipped. Bounded by the longest known word. */
function addPieces(model: Model, word: string, sum: Float32Array): void {
  let at = 0;
  while (at <= word.length - pieceLettersMin) {
    const length = pieceLengthAt(model, word, at, sum);
    at += Math.max(1, length);
  }
}

function pieceLengthAt(model: Model, word: string, at: number, sum: Float32Array): number {
  const lengthMax = Math.min(word.length - at, model.words.bytesMax);
  for (let length = lengthMax; length >= pieceLettersMin; length -= 1) {
    const row = model.words.rowOf(word.slice(at, at + length));
    if (row < 0 || row >= pieceRowsMax) continue;
    addRow(model, row, sum);
    return length;
  }
  return 0;
}

function addRow(model: Model, row: number, sum: Float32Array): void {
  const { dimension, weights } = model;
  const scale = model.scales[row] ?? 0;
  const start = row * dimension;
  for (let i = 0; i < dimension; i += 1) sum[i] = (sum[i] ?? 0) + scale * (weights[start + i] ?? 0);
}

const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes);
const unreadable = (detail: string): Result<never, EmbedError> =>
  err({ type: "embed.unreadable", detail });

/** Longest run of digits that is looked up whole. */
const digitsMax = 4;

/**
 * Text as the models read it, by the exact normalisation that they were trained with: lower-case runs of letters and of
 * digits. Accents fold to ASCII, everything else that is not ASCII is dropped, camelCase is split, long numbers keep their
 * first four digits. Not for search: lexical retrieval has its own idea of a word.
 */
export function modelWords(text: string): readonly string[] {
  const ascii = isAscii(text) ? text : toAscii(text);
  const words = ascii
    .replace(/([a-z0-9])(?=[A-Z])/g, "$1 ")
    .toLowerCase()
    .match(/[a-z]+|[0-9]+/g);
  return (words ?? []).map((word) => (isNumber(word) ? word.slice(0, digitsMax) : word));
}

const isAscii = (text: string): boolean => !/[^\x00-\x7f]/.test(text);
const toAscii = (text: string): string => text.normalize("NFKD").replace(/[^\x00-\x7f]/g, "");
const isNumber = (word: string): boolean => word.charCodeAt(0) <= 0x39;

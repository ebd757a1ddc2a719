/**
 * The model that ships inside the binary. Importing this file costs a path, not the 13 MB: most processes (hooks
 * above all) never read it.
 */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Calibration, Embedder, EmbedderIdentity } from "#domain";
import { err, memoised, ok, type Result } from "#kit";
import profile from "../../models/cst-256-v4.json";
import modelPath from "../../models/cst-256-v4.bin" with { type: "file" };
import file from "../../models/calibrations.json";
import { createInteractions, type Model } from "./late-interaction.ts";
import { createWordTable, modelRows } from "./model-rows.ts";

/**
 * The embedded model of this process, which is one: readers of prompts have no context to find it in. Its bytes are
 * read and opened (about 15 ms, 14 MB) when the first text is to be embedded: a command that only reads rows never
 * does. The checksum is taken from the profile and verified by this room's test, not at run time. With a folder to
 * unpack to, which stands for all who ask later, the vectors (12 of the 14 MB) are read in place from a file there,
 * whose pages the system may have back; without one, or where nothing can be written, they are read into memory.
 */
export function loadEmbeddedModel(folder: string | null = null): Result<Embedder, EmbedError> {
  if (folder !== null && folder !== shared.folder) shared = { folder, model: null };
  try {
    statSync(modelPath);
  } catch (error) {
    return err({ type: "embed.missing", path: modelPath, detail: String(error) });
  }
  const own = shared;
  const model = (): Embedder => (own.model ??= open(own.folder));
  return ok({
    identity: identityOf(profile.name, profile.sha256, profile.dimension),
    embed: (text) => model().embed(text),
    isWord: (word) => model().isWord?.(word) === true,
    interactions: (question, texts) =>
      model().interactions?.(question, texts) ?? texts.map(() => null),
  });
}

let shared: { readonly folder: string | null; model: Embedder | null } = {
  folder: null,
  model: null,
};

/** Throws when the program's own file is damaged: nothing that is kept could tell what to do about that. */
function open(folder: string | null): Embedder {
  const model = openStaticEmbedder(unpacked(readFileSync(modelPath)), profile, (vectors) =>
    folder === null ? vectors : inPlace(folder, vectors),
  );
  if (!model.ok) throw new Error(`the embedded model ${modelPath}: ${JSON.stringify(model.error)}`);
  return model.value;
}

/** The file of the unpacked vectors. The words are not in it: a search of the home for one finds it nowhere. */
export const unpackedVectors = (folder: string): string =>
  join(folder, `${profile.name}-${profile.sha256.slice(0, identityHexChars)}.bin`);

/** The same bytes, read from a file in the folder; as they are given where none can be made or mapped. */
function inPlace(folder: string, vectors: Uint8Array): Uint8Array {
  const path = unpackedVectors(folder);
  try {
    const known = mapped(path);
    if (known !== null && Buffer.compare(known, vectors) === 0) return known;
    unpackTo(folder, path, vectors);
    return mapped(path) ?? vectors;
  } catch {
    return vectors;
  }
}

const mapped = (path: string): Uint8Array | null => {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return size === 0 ? null : Bun.mmap(path, { shared: false });
};

/** Free room of the disk, in sizes of the vectors, below which nothing is unpacked: it is for events. */
const roomLeast = 4;

/**
 * Writes the vectors, and removes those of other programs and what a crash left half written. Nothing is written where
 * the disk has little room.
 */
function unpackTo(folder: string, path: string, vectors: Uint8Array): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < roomLeast * vectors.length) return;
  const unfinished = `${path}.${process.pid}`;
  try {
    writeFileSync(unfinished, vectors, { mode: 0o600, flush: true });
    renameSync(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** First bytes of a zstd frame: the build packs the model. */
const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

const unpacked = (bytes: Buffer): Uint8Array =>
  bytes.subarray(0, zstdMagic.length).equals(zstdMagic) ? Bun.zstdDecompressSync(bytes) : bytes;

// Static word-vector embedder: reads a CST2 model file and turns text into unit vectors in microseconds. Knows the
// file format and nothing about any one file: size, dimension and thresholds come with the file or with its profile
// (models/*.json). Must not know about storage or search.

export type EmbedError =
  | { readonly type: "embed.unreadable"; readonly detail: string }
  | { readonly type: "embed.missing"; readonly path: string; readonly detail: string };

/** Describes a model beside its file. */
export interface ModelProfile {
  readonly name: string;
  /** Hex SHA-256 of the file; null = computed when opened (about a millisecond per megabyte). */
  readonly sha256: string | null;
}

const magic = "CST2";
const headerBytes = 16;
/** Far beyond any model in use; a guard against a header that is not one. */
const dimensionMax = 8_192;
const levelCount = 16;
const identityHexChars = 12;

const unknownProfile: ModelProfile = { name: "cst2", sha256: null };

/**
 * Opens a model in the CST2 format. `vectorsFrom` may give the bytes of the vectors from another place; those of the
 * buffer are kept where it gives them back, and must not change afterwards.
 * Error `embed.unreadable`: not such a file, or cut short.
 */
export function openStaticEmbedder(
  bytes: ArrayBuffer | Uint8Array,
  profile: ModelProfile = unknownProfile,
  vectorsFrom: (vectors: Uint8Array) => Uint8Array = (vectors) => vectors,
): Result<Embedder, EmbedError> {
  // Seen as a plain Uint8Array: a Node Buffer's own slice() would share memory where a copy is meant.
  const file =
    bytes instanceof Uint8Array
      ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      : new Uint8Array(bytes);
  const model = readModel(file, vectorsFrom);
  if (!model.ok) return model;
  const hash = profile.sha256 ?? new Bun.CryptoHasher("sha256").update(file).digest("hex");
  return ok({
    identity: identityOf(profile.name, hash, model.value.dimension),
    // A prompt is compared with the same sentences as the one before it.
    embed: memoised((text) => embed(model.value, text)),
    isWord: (word) => model.value.words.rowOf(word) >= 0,
    interactions: createInteractions(model.value),
  });
}

/** The identity of a model, whose bytes need not be read for it where its hash (hex SHA-256) is known. */
function identityOf(name: string, hash: string, dimension: number): EmbedderIdentity {
  const id = `${name}@${hash.slice(0, identityHexChars)}`;
  return { id, dimension, ...calibrationOf(id) };
}

function readModel(
  file: Uint8Array,
  vectorsFrom: (vectors: Uint8Array) => Uint8Array,
): Result<Model, EmbedError> {
  if (file.byteLength < headerBytes || latin1(file.subarray(0, 4)) !== magic)
    return unreadable("no CST2 header");
  const header = new DataView(file.buffer, file.byteOffset, headerBytes);
  const count = header.getUint32(4, true);
  const dimension = header.getUint32(8, true);
  const vocabularyBytes = header.getUint32(12, true);
  if (count < 1 || dimension < 2 || dimension % 2 > 0 || dimension > dimensionMax)
    return unreadable("impossible size");
  const levelsAt = Math.ceil((headerBytes + vocabularyBytes) / 4) * 4;
  const scalesAt = levelsAt + levelCount * 4;
  const codesAt = scalesAt + count * 4;
  const end = codesAt + (count * dimension) / 2;
  if (file.byteLength < end) return cutShort(file, end);
  const words = createWordTable(file.slice(headerBytes, headerBytes + vocabularyBytes));
  if (words.count !== count) return unreadable(`${words.count} words for ${count} rows`);
  return ok({
    words,
    dimension,
    // Copies: the file need not be kept, and may lie at an odd offset, where no float array can be laid over it.
    levels: new Float32Array(file.slice(levelsAt, scalesAt).buffer),
    scales: new Float32Array(file.slice(scalesAt, codesAt).buffer),
    codes: vectorsFrom(file.subarray(codesAt, end)),
  });
}

/** Returns the sum of a text's rows as a unit vector; null when there is nothing to sum. */
function embed(model: Model, text: string): Float32Array | null {
  const sum = new Float32Array(model.dimension);
  for (const row of modelRows(model.words, text)) addRow(model, row, sum);
  let squares = 0;
  for (const value of sum) squares += value * value;
  if (!(squares > 0) || !Number.isFinite(squares)) return null;
  const norm = Math.sqrt(squares);
  for (let i = 0; i < sum.length; i += 1) sum[i] = (sum[i] ?? 0) / norm;
  return sum;
}

function addRow({ codes, levels, scales }: Model, row: number, sum: Float32Array): void {
  const scale = scales[row] ?? 0;
  const start = (row * sum.length) / 2;
  for (let i = 0; i < sum.length; i += 2) {
    const pair = codes[start + i / 2] ?? 0;
    sum[i] = (sum[i] ?? 0) + scale * (levels[pair & 15] ?? 0);
    sum[i + 1] = (sum[i + 1] ?? 0) + scale * (levels[pair >> 4] ?? 0);
  }
}

const cutShort = (file: Uint8Array, bytes: number): Result<never, EmbedError> =>
  unreadable(`${file.byteLength} bytes of ${bytes}: the file was cut short`);
const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes);
const unreadable = (detail: string): Result<never, EmbedError> =>
  err({ type: "embed.unreadable", detail });

// The figures that were measured with each embedder, by its identity; written by
// lab/bench/calibrate.ts and kept beside the models. An embedder that nobody has measured gets
// cautious numbers, under which its similarities decide little.

/** Stands for every embedder that is not listed. */
const uncalibrated = "*";

const known: Readonly<Record<string, Calibration>> = file.embedders;

export function calibrationOf(id: string): Calibration & { readonly isCalibrated: boolean } {
  const own = known[id];
  return { ...(own ?? cautious), isCalibrated: own !== undefined };
}

const cautious: Calibration = file.embedders[uncalibrated];

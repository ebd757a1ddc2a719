/**
 * The model that ships inside the binary. Importing this file costs a path, not the 13 MB: the bytes are read
 * when somebody asks, since most processes (hooks above all) never do.
 */
import { readFileSync } from "node:fs";
import type { Embedder } from "#domain";
import { err, type Result } from "#kit";
import profile from "../../models/cst-256-v1.json";
import modelPath from "../../models/cst-256-v1.bin" with { type: "file" };
import { type EmbedError, openStaticEmbedder } from "./static-embedder.ts";

/**
 * Reads and opens the embedded model, about 25 ms. Each call reads again: keep the result.
 * The checksum is taken from the profile and verified by this room's test, not at run time.
 */
export function loadEmbeddedModel(): Result<Embedder, EmbedError> {
  try {
    return openStaticEmbedder(unpacked(readFileSync(modelPath)), profile);
  } catch (error) {
    // readFileSync is the only thing here that throws.
    return err({ type: "embed.missing", path: modelPath, detail: String(error) });
  }
}

/** First bytes of a zstd frame (RFC 8878): the build packs the model to keep the binary small. */
const zstdMagic = [0x28, 0xb5, 0x2f, 0xfd];

const unpacked = (bytes: Uint8Array): Uint8Array =>
  zstdMagic.every((byte, at) => bytes[at] === byte) ? Bun.zstdDecompressSync(bytes) : bytes;

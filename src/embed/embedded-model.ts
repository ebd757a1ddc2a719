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
    return openStaticEmbedder(readFileSync(modelPath), profile);
  } catch (error) {
    // readFileSync is the only thing here that throws.
    return err({ type: "embed.missing", path: modelPath, detail: String(error) });
  }
}

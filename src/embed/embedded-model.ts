/**
 * The model that ships inside the binary. Importing this file costs a path, not the 13 MB: most processes (hooks above
 * all) never read it.
 */
import { readFileSync, statSync } from "node:fs";
import type { Embedder } from "#domain";
import { err, ok, type Result } from "#kit";
import profile from "../../models/cst-256-v4.json";
import modelPath from "../../models/cst-256-v4.bin" with { type: "file" };
import { type EmbedError, identityOf, openStaticEmbedder } from "./static-embedder.ts";

/**
 * The embedded model. Its bytes are read and opened (about 15 ms, 14 MB) when the first text is to be embedded: a
 * daemon without memories never does, nor does a command that only reads rows. The checksum is taken from the profile
 * and verified by this room's test, not at run time.
 */
export function loadEmbeddedModel(): Result<Embedder, EmbedError> {
  try {
    statSync(modelPath);
  } catch (error) {
    return err({ type: "embed.missing", path: modelPath, detail: String(error) });
  }
  const identity = identityOf(profile.name, profile.sha256, profile.dimension);
  let opened: Embedder | null = null;
  const model = (): Embedder => (opened ??= open());
  return ok({
    identity,
    embed: (text) => model().embed(text),
    isWord: (word) => model().isWord?.(word) === true,
    interactions: (question, texts) =>
      model().interactions?.(question, texts) ?? texts.map(() => null),
    release: () => {
      opened = null;
    },
  });
}

/** Throws when the program's own file is damaged: nothing that is kept could tell what to do about that. */
function open(): Embedder {
  const model = openStaticEmbedder(unpacked(readFileSync(modelPath)), profile);
  if (!model.ok) throw new Error(`the embedded model ${modelPath}: ${JSON.stringify(model.error)}`);
  return model.value;
}

/** First bytes of a zstd frame: the build packs the model. */
const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

const unpacked = (bytes: Buffer): Uint8Array =>
  bytes.subarray(0, zstdMagic.length).equals(zstdMagic) ? Bun.zstdDecompressSync(bytes) : bytes;

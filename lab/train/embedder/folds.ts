/**
 * The embedder learns from invented developers too. What leans on its vectors (closeness, injection) is measured and
 * learnt with embedders that were made without the developer in question: a quarter of them at a time.
 */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Embedder } from "#domain";
import { openStaticEmbedder } from "#embed";
import { voiceSource } from "./texts.ts";

export const foldsCount = 4;

const names = readdirSync(join(import.meta.dir, "../voices"))
  .map((file) => basename(file, ".voice"))
  .toSorted();

/** The fold in whose model a developer is left out. */
export const foldOf = (name: string): number => names.indexOf(name) % foldsCount;

/** `voiceDraws` gives how often each developer is drawn, as arguments of the trainers; none of those of a fold. */
export const voiceDraws = (weight: number, without: number | null): readonly string[] =>
  names.map((name) => `${voiceSource(name)}=${foldOf(name) === without ? 0 : weight}`);

/** The model in `folder` that has not read a developer, under the identity of the one that is shipped. */
export function embedderWithout(name: string, folder: string, shipped: Embedder): Embedder {
  const path = join(folder, `${foldOf(name)}.bin`);
  const model = openStaticEmbedder(readFileSync(path), { name: "fold", sha256: null });
  if (!model.ok) throw new Error(`${path}: ${model.error.type}`);
  return { ...model.value, identity: shipped.identity };
}

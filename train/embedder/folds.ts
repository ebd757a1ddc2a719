/**
 * The embedder learns from invented developers too. What leans on its vectors (closeness, injection) is measured and
 * learnt with embedders that were made without the developer in question: a quarter of them at a time.
 */
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { voiceSource } from "./texts.ts";

export const foldsCount = 4;

const names = readdirSync(join(import.meta.dir, "../voices"))
  .map((file) => basename(file, ".voice"))
  .toSorted();

/** The fold in whose model a developer is left out. */
export const foldOf = (name: string): number => names.indexOf(name) % foldsCount;

/** How often each developer is drawn, as arguments of the trainers; none of those of a fold. */
export const voiceDraws = (weight: number, without: number | null): readonly string[] =>
  names.map((name) => `${voiceSource(name)}=${foldOf(name) === without ? 0 : weight}`);

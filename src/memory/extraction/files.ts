/** Files a memory is about: those its words name, and those the turn edited when it sets a value. Pure. */
import { identifiersOf } from "../language/index.ts";
import type { TurnContext } from "./turn-context.ts";

/** More files than this say nothing about any of them. */
const filesMax = 5;

export function filesIn(line: string, turn: TurnContext): readonly string[] {
  const named = new Set(
    identifiersOf(line).filter((token) => /^(?!.*:\/\/)[\w@./-]{1,80}\.[a-z]{1,5}$/.test(token)),
  );
  if (named.size === 0) return [];
  const touched = turn.tools.flatMap((use) => use.files);
  const paths = [...named].map(
    (name) => touched.find((path) => path.toLowerCase().endsWith(`/${name}`)) ?? name,
  );
  return [...new Set(paths)].slice(0, filesMax);
}

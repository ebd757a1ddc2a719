/** Tells whether a text holds something that the user had forgotten: as a whole, a line or a sentence of it. */
import { spansOf } from "#kit";
import type { Store } from "./store.ts";

export function holdsForgotten(
  { nodes }: Pick<Store, "nodes">,
  texts: readonly (string | null)[],
): boolean {
  if (!nodes.hasForgotten()) return false;
  return texts.some((text) => text !== null && spansOf(text).some(nodes.isForgotten));
}

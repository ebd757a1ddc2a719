/** What keys and the palette do with the chosen memory, wherever it is shown. */
import { isWide } from "../parts/screen.ts";
import { editing } from "./actions.ts";
import type { Subject } from "./overlay.ts";
import { go, memoryHref, route } from "./router.ts";

/** Edits where the memory is shown whole: beside its list, or on its own page. */
export function startEdit({ uri }: Subject): void {
  editing.value = uri;
  const isShown = isWide.peek() || route.peek().view === "memory" || route.peek().view === "review";
  if (!isShown) go(memoryHref(uri));
}

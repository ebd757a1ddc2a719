/** What keys and the palette do with the chosen memory, wherever it is shown. */
import { isWide } from "../parts/screen.ts";
import { editing } from "./actions.ts";
import type { Subject } from "./overlay.ts";
import { go, memoryHref, route } from "./router.ts";

/** Screens that show the form in the place where the memory stands. */
const inPlace: ReadonlySet<string> = new Set(["memory", "prompts", "review", "session"]);

/** Edits where the memory is shown: beside its list, in its line, or on its own page. */
export function startEdit({ uri }: Subject): void {
  editing.value = uri;
  if (!isWide.peek() && !inPlace.has(route.peek().view)) go(memoryHref(uri));
}

/** Closes the form, unless the page that opens is that of its memory. */
export function leaveEdit(): void {
  const { view, query } = route.peek();
  if (view !== "memory" || query.get("uri") !== editing.peek()) editing.value = null;
}

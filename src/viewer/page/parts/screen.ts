/** How wide the window is, as far as views must know (everything else is CSS). */
import { signal, type ReadonlySignal } from "@preact/signals";

function matches(query: string): ReadonlySignal<boolean> {
  const list = matchMedia(query);
  const state = signal(list.matches);
  list.addEventListener("change", ({ matches: now }) => (state.value = now));
  return state;
}

/** Room for a list and what is chosen in it, side by side. Known to the styles by the same figure. */
export const isWide = matches("(min-width: 1100px)");
/** A phone: rows have two lines. */
export const isNarrow = matches("(max-width: 699px)");

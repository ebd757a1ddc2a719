/** Display state: theme, and the window widths at which views change. */
import { type ReadonlySignal, signal } from "@preact/signals";

type Theme = "system" | "light" | "dark";
const storageKey = "continuity.theme";
const order: readonly Theme[] = ["system", "light", "dark"];

const stored = localStorage.getItem(storageKey);
export const theme = signal<Theme>(order.find((one) => one === stored) ?? "system");

function setTheme(wanted: Theme): void {
  theme.value = wanted;
  if (wanted === "system") {
    localStorage.removeItem(storageKey);
    delete document.documentElement.dataset["theme"];
    return;
  }
  localStorage.setItem(storageKey, wanted);
  document.documentElement.dataset["theme"] = wanted;
}

export const nextTheme = (): void =>
  setTheme(order[(order.indexOf(theme.peek()) + 1) % order.length] ?? "system");

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

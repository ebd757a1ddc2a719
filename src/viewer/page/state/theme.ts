/**
 * Light, dark, or as the system has it. Kept across visits; the script in the page's head applies it before painting.
 */
import { signal } from "@preact/signals";

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

/** Searches and lists that are kept under a name. The daemon keeps them: a page's own storage ends with its address. */
import { signal } from "@preact/signals";
import type { SavedViewsJson } from "#api";
import { answerOf, api } from "./api.ts";
import { toast } from "./toasts.ts";

type SavedView = SavedViewsJson["items"][number];

export const savedViews = signal<readonly SavedView[]>([]);

export async function askForViews(): Promise<void> {
  const answer = await answerOf(api.views.$get());
  if (answer.ok) savedViews.value = answer.value.items;
}

/** Keeps an address under a name, or lets go of it (null). Resolves to whether it was done. */
export async function saveView(name: string, address: string | null): Promise<boolean> {
  const before = savedViews.peek().find((view) => view.name === name)?.address ?? null;
  const answer = await answerOf(api.views.$post({ json: { name, address } }));
  if (!answer.ok) {
    toast(`Could not save: ${answer.failure.message}`, { tone: "bad" });
    return false;
  }
  savedViews.value = answer.value.items;
  toast(address === null ? `View “${name}” removed` : `View “${name}” saved`, {
    undo: () => void saveView(name, before),
  });
  return true;
}

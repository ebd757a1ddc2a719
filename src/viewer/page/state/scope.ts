/**
 * The project that a person looks at: chosen once, it holds in every view until another one is. An address that names a
 * project wins. In the tab's storage: it ends with the tab, as the token does.
 */
import { signal } from "@preact/signals";
import { adjust, route } from "./router.ts";

const storageKey = "continuity.scope";

/** Key of a project; null = all of them. */
export const scope = signal<string | null>(sessionStorage.getItem(storageKey));

/** The project that the present view is about; null = all. */
export const projectHere = (): string | null => route.value.query.get("project") || scope.value;

export function setScope(project: string | null): void {
  scope.value = project;
  if (project === null) sessionStorage.removeItem(storageKey);
  else sessionStorage.setItem(storageKey, project);
  // What the address says would win.
  if (route.peek().query.has("project")) adjust({ project });
}

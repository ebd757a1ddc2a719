/** The projects there are, and the one that a person looks at. */
import { signal } from "@preact/signals";
import type { ProjectsJson } from "#api";
import { answerOf, api } from "./connection.ts";
import { adjust, route } from "./router.ts";

/** Projects, the one that was touched last first. */
export const projects = signal<ProjectsJson["items"]>([]);

/** Whoever opens a list shall not wait for them. */
const afterMs = 200;
let isAsked = false;

/** Asks once; later calls change nothing. */
export function wantProjects(): void {
  if (isAsked) return;
  isAsked = true;
  setTimeout(() => void askForProjects(), afterMs);
}

/** Asks again: one was renamed, merged or split. */
export async function askForProjects(): Promise<void> {
  const answer = await answerOf(api.projects.$get());
  if (answer.ok) projects.value = answer.value.items;
  else isAsked = false;
}

// The scope is chosen once and holds in every view until another one is. An address that names a project wins. It is in
// the tab's storage: it ends with the tab, as the token does.
const storageKey = "continuity.scope";

/** Key of a project; null = all of them. */
export const scope = signal<string | null>(sessionStorage.getItem(storageKey));

/** The project that the present view is about; null = all. */
export const projectHere = (): string | null => route.value.query.get("project") || scope.value;

export function setScope(project: string | null): void {
  scope.value = project;
  if (project === null) sessionStorage.removeItem(storageKey);
  else sessionStorage.setItem(storageKey, project);
  // The address would win.
  if (route.peek().query.has("project")) adjust({ project });
}

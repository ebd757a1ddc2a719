/** The projects there are, for filters: asked for once, when the page has nothing better to do. */
import { signal } from "@preact/signals";
import type { ProjectsJson } from "#api";
import { answerOf, api } from "./api.ts";

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

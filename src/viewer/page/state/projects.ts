/** The projects there are, for filters: asked for once, when the page has nothing better to do. */
import { signal } from "@preact/signals";
import { answerOf, api } from "./api.ts";

/** Projects, as the statistics list them: keys, and what their folders are called. */
export const projects = signal<readonly { readonly key: string; readonly name: string }[]>([]);

/** Figures are counted over everything: whoever opens a list shall not wait for them. */
const afterMs = 600;
let isAsked = false;

/** Asks once; later calls change nothing. */
export function wantProjects(): void {
  if (isAsked) return;
  isAsked = true;
  setTimeout(() => void ask(), afterMs);
}

async function ask(): Promise<void> {
  const answer = await answerOf(api.stats.$get({ query: { days: "1" } }));
  if (answer.ok) projects.value = answer.value.projects;
  else isAsked = false;
}

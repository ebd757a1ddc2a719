/**
 * Requests to the writers of notes: they see the earlier sessions of one project and nothing of its task. One writes as
 * the client's own agent does into its auto memory, one as a careful person.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { voiceOf } from "./homes.ts";
import type { Task } from "./task.ts";

const asked = `Two texts are wanted about the project below. Its sessions are shown as the coding agent lived through them. Nothing else is
known; what will be worked on next is not known either.

1. PROJECT.auto.md, as the agent's own automatic memory. Play the busy agent: go through the sessions in their order and decide at the
   end of each what is worth a note for later conversations. Worth it: who the user is and how they want to work; corrections and approvals,
   with the reason; what goes on in the project that neither code nor git tells (goals, decisions, incidents, dates made absolute); where
   things are found outside. Not worth it: what the code, its history or its documents show; how a bug was fixed; what only matters to
   the session itself. Update a note that a later session makes wrong. The form: first the index, one line a note,
   "- [Title](file.md) — hook" (the hook says when the note is wanted, 150 characters at most), then each note:
   a line "=== file.md" and its text (one to four lines). An empty file is a right answer when nothing is worth it.
2. PROJECT.notes.md, as a careful person who wants a colleague to go on without asking again: everything that was said or found and that
   may matter later, in plain lines, no more than 150 words. What was replaced is not repeated as if it held.
`;

/** The sessions of a task as they are read. */
export function sessionsText(task: Task, scratch: string): string {
  const voice = voiceOf([task], scratch);
  const parts = voice.sessions.map(({ startMs, turns }) =>
    [
      `##### session of ${new Date(startMs).toISOString().slice(0, 10)}`,
      ...turns.flatMap(({ prompt, tools, answer }) => [
        `USER: ${prompt}`,
        ...tools.map((tool) => `  (${tool})`),
        `AGENT: ${answer}`,
        "",
      ]),
    ].join("\n"),
  );
  return parts.join("\n");
}

export function writeRequests(tasks: readonly Task[], folder: string, scratch: string): void {
  for (const name of ["requests", "replies"]) mkdirSync(join(folder, name), { recursive: true });
  for (const task of tasks) {
    const text = `${asked}\nPROJECT = ${task.project}\n\n${sessionsText(task, scratch)}`;
    writeFileSync(join(folder, "requests", `${task.project}.txt`), text);
  }
}

export interface Written {
  /** The index, which every session is given. */
  readonly index: string;
  /** Its notes, which the agent may read. */
  readonly topics: string;
  readonly notes: string;
}

/** Reads the texts written about a project; an error names what is missing. */
export function writtenOf({ project }: Task, folder: string): Written {
  const read = (kind: string): string => {
    const path = join(folder, "replies", `${project}.${kind}.md`);
    if (!existsSync(path)) throw new Error(`not written yet: ${path}`);
    return readFileSync(path, "utf8").trim();
  };
  const [index = "", ...topics] = read("auto").split(/^=== /mu);
  return { index: index.trim(), topics: topics.join("\n"), notes: read("notes") };
}

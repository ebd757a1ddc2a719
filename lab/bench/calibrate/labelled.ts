/**
 * Labelled prompts for calibrating an embedder: invented projects with memories, earlier prompts, and prompts that want memory
 * (with the memories that answer them) or silence.
 *
 * Format of data/*.txt: `P project`, `M id category | text`, `H earlier prompt`, `+ id,id | prompt`, `- prompt`;
 * in `_global.txt` memories are `G id category | text` and prompts name their project first.
 */
import { readdirSync, readFileSync } from "node:fs";
import type { Category } from "#domain";

export interface LabelledMemory {
  readonly id: string;
  readonly category: Category;
  readonly project: string | null;
  readonly text: string;
}

export interface LabelledPrompt {
  readonly project: string;
  readonly prompt: string;
  /** Ids of the memories that answer it; none = silence is right. */
  readonly wants: readonly string[];
}

export interface Labelled {
  readonly projects: readonly string[];
  readonly memories: readonly LabelledMemory[];
  readonly history: readonly { readonly project: string; readonly prompt: string }[];
  readonly prompts: readonly LabelledPrompt[];
}

const folder = new URL("./data/", import.meta.url);

export function readLabelled(): Labelled {
  const memories: LabelledMemory[] = [];
  const history: { project: string; prompt: string }[] = [];
  const prompts: LabelledPrompt[] = [];
  const projects: string[] = [];
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith(".txt"))
    .sort()) {
    let project: string | null = null;
    for (const line of readFileSync(new URL(file, folder), "utf8").split("\n").filter(Boolean)) {
      const kind = line.slice(0, 1);
      const rest = line.slice(2);
      const [head = "", text = ""] = rest.split(" | ");
      const words = head.split(" ");
      if (kind === "P") {
        project = rest;
        projects.push(rest);
      } else if (kind === "M" || kind === "G") {
        const [id = "", category = ""] = words;
        const scoped = `${project ?? "global"}.${id}`;
        memories.push({ id: scoped, category: category as Category, project, text });
      } else if (kind === "H") {
        history.push({ project: project ?? "", prompt: rest });
      } else if (kind === "+") {
        const ids = (words.at(-1) ?? "").split(",");
        const scope = project ?? "global";
        prompts.push({
          project: project ?? words[0] ?? "",
          prompt: text,
          wants: ids.map((id) => `${scope}.${id}`),
        });
      } else if (kind === "-") {
        const [first = "", ...others] = rest.split(" ");
        prompts.push(
          project === null
            ? { project: first, prompt: others.join(" "), wants: [] }
            : { project, prompt: rest, wants: [] },
        );
      }
    }
  }
  return { projects, memories, history, prompts };
}

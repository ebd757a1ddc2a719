/** Labelled prompts: ours, from `lab/train/reader/*.jsonl`, and real ones from a folder outside of the repository. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Label, Sample } from "./reader-fit.ts";

interface OurLine {
  readonly id: string;
  readonly text: string;
  /** A letter for each line; a space for a blank one. */
  readonly labels: string;
  readonly previous?: string;
}

/** The invented prompts of this repository. */
export function ourSamples(folder = `${import.meta.dir}/reader`): readonly Sample[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .toSorted()
    .flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"))
    .map((line) => JSON.parse(line) as OurLine)
    .map(({ id, text, labels, previous }) => ({
      id,
      person: "ours",
      text,
      previous: previous ?? null,
      labels: labels.split("").map((one) => (one === " " ? null : labelOf(one))),
    }));
}

interface RealPrompt {
  readonly id: string;
  readonly dev: string;
  readonly text: string;
  readonly prev: string;
}

/**
 * Prompts of `DIR/pick.json` that are labelled in `DIR/labels*.txt`; `DIR/fixed.txt` goes before. A person may have
 * several projects: `dev` ends with the person.
 */
export function realSamples(folder: string): readonly Sample[] {
  const labels = labelsIn(folder);
  const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), "utf8"));
  // The whole answer before, where it was looked up; the pick holds its end only.
  const answers = existsSync(join(folder, "prev.json"))
    ? (read("prev.json") as Record<string, string>)
    : {};
  return (read("pick.json") as RealPrompt[]).flatMap(({ id, dev, text, prev }) => {
    const own = labels.get(id);
    if (own === undefined) return [];
    const lines = text.split("\n");
    return [
      {
        id,
        person: dev.split("-").at(-1) ?? dev,
        text,
        previous: answers[id] ?? prev,
        labels: lines.map((line, n) => (line.trim() === "" ? null : (own.get(n + 1) ?? "t"))),
      },
    ];
  });
}

function labelsIn(folder: string): ReadonlyMap<string, ReadonlyMap<number, Label>> {
  const names = readdirSync(folder).filter((name) => /^labels.*\.txt$/.test(name));
  const all = new Map<string, ReadonlyMap<number, Label>>();
  for (const name of [...names.toSorted(), "fixed.txt"]) {
    if (!existsSync(join(folder, name))) continue;
    for (const line of readFileSync(join(folder, name), "utf8").split("\n")) {
      const [id = "", ranges = ""] = line.split("\t");
      if (ranges !== "") all.set(id, rangesOf(ranges));
    }
  }
  return all;
}

/** `1-2 t, 3-40 p, 41 t`. */
function rangesOf(text: string): ReadonlyMap<number, Label> {
  const labels = new Map<number, Label>();
  for (const part of text.split(",")) {
    const found = /^\s*(\d+)(?:-(\d+))?\s+([tpqc])\s*$/.exec(part);
    if (found === null) throw new Error(`cannot read "${part}"`);
    const [, from, to = from, label] = found;
    for (let n = Number(from); n <= Number(to); n += 1) labels.set(n, labelOf(label ?? ""));
  }
  return labels;
}

function labelOf(letter: string): Label {
  if (letter === "t" || letter === "p" || letter === "q" || letter === "c") return letter;
  throw new Error(`no label "${letter}"`);
}

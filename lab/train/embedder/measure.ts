/**
 * Measures how well an embedder finds what was left out of its training: facts by questions in
 * other words, rules by orders, facts by questions in another language, and the memories of
 * invented developers (lab/train/voices). By cosine alone, and with BM25 beside it. Usage: bun
 * measure.ts MODEL.bin…
 */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { openStaticEmbedder } from "#embed";

export type Embed = (text: string) => Float32Array | null;

interface Question {
  readonly text: string;
  readonly gold: readonly number[];
  readonly kind: string;
}
export interface Finding {
  readonly name: string;
  readonly documents: readonly string[];
  readonly questions: readonly Question[];
}

const rows = (path: string): string[][] =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => line.split("\t"));

/** `fact \t q | q`: every question against all facts. */
export function asked(name: string, path: string): Finding {
  const lines = rows(path);
  return {
    name,
    documents: lines.map(([fact = ""]) => fact),
    questions: lines.flatMap(([, queries = ""], at) =>
      queries.split(" | ").map((text) => ({ text, gold: [at], kind: name })),
    ),
  };
}

/** Facts in one language by questions in another: the first half asks in the other one, the second in English. */
export function crossed(path: string): Finding[] {
  const lines = rows(path);
  const half = lines.length / 2;
  return ["de", "fr", "es", "pt", "ru", "zh", "ja"].map((language, column) => {
    const own = (at: number): string => lines[at]?.[column + 1] ?? "";
    const english = (at: number): string => lines[at]?.[0] ?? "";
    return {
      name: language,
      documents: lines.map((_, at) => (at < half ? english(at) : own(at))),
      // An empty one was written twice by chance, here and for training.
      questions: lines.flatMap((_, at) =>
        own(at) === "" || english(at) === ""
          ? []
          : [{ text: at < half ? own(at) : english(at), gold: [at], kind: language }],
      ),
    };
  });
}

/** `P question memory` and `D memory`. */
export function paraphrased(name: string, path: string): Finding {
  const lines = rows(path);
  return {
    name,
    documents: lines.map(([kind, first = "", second = ""]) => (kind === "P" ? second : first)),
    questions: lines.flatMap(([kind, text = ""], at) =>
      kind === "P" ? [{ text, gold: [at], kind: name }] : [],
    ),
  };
}

/** The current facts of an invented developer as perfect memories, and the prompts that need them. */
export function voiced(folder: string, name: string): Finding {
  const facts = new Map<string, string>();
  const replaced = new Set<string>();
  const probes: { kind: string; needs: string[]; text: string }[] = [];
  for (const line of readFileSync(join(folder, `${name}.voice`), "utf8").split("\n")) {
    const fact = /^F>\s*(\S+)\s+\S+\s+\S+\s+[UA]\s+(?:\[[^\]]+\]\s*)+(.*?)(?:\s<(\S+))?\s*$/.exec(
      line,
    );
    if (fact !== null) {
      facts.set(fact[1] ?? "", fact[2] ?? "");
      if (fact[3] !== undefined) replaced.add(fact[3]);
    }
    const probe = /^probe (\S+) \S+ \S+ (.*?)> (.*)$/.exec(line);
    if (probe === null) continue;
    const needs = (probe[2] ?? "").split(" ").filter((id) => id !== "" && !id.startsWith("!"));
    if (needs.length > 0) probes.push({ kind: probe[1] ?? "", needs, text: probe[3] ?? "" });
  }
  const current = [...facts.keys()].filter((id) => !replaced.has(id));
  return {
    name,
    documents: current.map((id) => facts.get(id) ?? ""),
    questions: probes.flatMap(({ kind, needs, text }) =>
      needs.map((id) => ({ kind, text, gold: [current.indexOf(id)] })),
    ),
  };
}

export interface Scores {
  /** Share of the needed documents among the first 1, 2 and 5, by kind of question; "all" for all of them. */
  readonly byKind: ReadonlyMap<
    string,
    { readonly n: number; readonly at: readonly [number, number, number] }
  >;
}

/** `lexical` 0 = cosine alone. */
export function found(finding: Finding, embed: Embed, lexical: number): Scores {
  const vectors = finding.documents.map(embed);
  const words = lexical > 0 ? bm25(finding.documents) : null;
  const byKind = new Map<string, { n: number; at: [number, number, number] }>();
  for (const { text, gold, kind } of finding.questions) {
    const query = embed(text);
    const shares = words?.(text) ?? [];
    const scores = vectors.map(
      (vector, at) =>
        (1 - lexical) * (query === null || vector === null ? 0 : Math.max(0, dot(query, vector))) +
        lexical * (shares[at] ?? 0),
    );
    const own = scores[gold[0] ?? -1] ?? -1;
    // Among equals it comes last: what is similar to nothing is not found.
    const rank = scores.filter((score, at) => score >= own && at !== gold[0]).length;
    for (const name of ["all", kind]) {
      const entry = byKind.get(name) ?? { n: 0, at: [0, 0, 0] };
      byKind.set(name, entry);
      entry.n += 1;
      for (const [index, k] of [1, 2, 5].entries())
        if (rank < k) entry.at[index] = (entry.at[index] ?? 0) + 1;
    }
  }
  return {
    byKind: new Map(
      [...byKind].map(([kind, { n, at }]) => [kind, { n, at: [at[0] / n, at[1] / n, at[2] / n] }]),
    ),
  };
}

const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
};

const stop = new Set(
  "a an the and or but if for of in on at to from by with is are was were be been do does did have has had i me my we us our you your it its they them their this that these those what which who when where why how all any no not can could should will would just now so".split(
    " ",
  ),
);
const stems = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => !stop.has(word))
    .map((word) => word.replace(/(?:ing|ed|es|s|ly)$/, (end, at: number) => (at >= 3 ? "" : end)));

/** BM25 of each document as a share of the most a query could have. */
function bm25(documents: readonly string[]): (query: string) => number[] {
  const bags = documents.map((text) => stems(text));
  const mean = bags.reduce((sum, bag) => sum + bag.length, 0) / Math.max(1, bags.length);
  const weightOf = (term: string): number => {
    const n = bags.filter((bag) => bag.includes(term)).length;
    return Math.max(0.1, Math.log((bags.length - n + 0.5) / (n + 0.5)));
  };
  return (query) => {
    const terms = [...new Set(stems(query))].map((term) => ({ term, weight: weightOf(term) }));
    const most = 1.3 * terms.reduce((sum, { weight }) => sum + weight, 0);
    return bags.map((bag) => {
      let sum = 0;
      for (const { term, weight } of terms) {
        const times = bag.filter((word) => word === term).length;
        sum += (weight * times * 2.2) / (times + 1.2 * (0.25 + (0.75 * bag.length) / mean));
      }
      return most > 0 ? Math.min(1, sum / most) : 0;
    });
  };
}

/** Mean share at 1, 2 and 5 over findings, by kind of question. */
function mean(scores: readonly Scores[], kind: string): string {
  const of = scores.flatMap(({ byKind }) => byKind.get(kind)?.at ?? []);
  return [0, 1, 2]
    .map((at) => {
      const own = of.filter((_, index) => index % 3 === at);
      return (own.reduce((sum, share) => sum + share, 0) / Math.max(1, own.length)).toFixed(2);
    })
    .join(" / ");
}

if (import.meta.main) {
  const leftOut = join(import.meta.dir, "left-out");
  const voices = join(import.meta.dir, "../voices");
  const findings: Record<string, readonly Finding[]> = {
    "facts by questions": [asked("entest", join(leftOut, "entest.tsv"))],
    "rules by orders": [asked("ruletest", join(leftOut, "ruletest.tsv"))],
    ...Object.fromEntries(crossed(join(leftOut, "xtest.tsv")).map((each) => [each.name, [each]])),
    voices: readdirSync(voices).map((file) => voiced(voices, basename(file, ".voice"))),
  };
  for (const path of process.argv.slice(2)) {
    const opened = openStaticEmbedder(readFileSync(path), {
      name: basename(path, ".bin"),
      sha256: null,
    });
    if (!opened.ok) throw new Error(`${path}: ${JSON.stringify(opened.error)}`);
    const { embed, identity } = opened.value;
    console.log(`\n${identity.id}: found at 1 / 2 / 5, by cosine alone; with BM25`);
    for (const [name, sets] of Object.entries(findings)) {
      const kinds =
        name === "voices" ? ["all", "lexical", "paraphrase", "task", "multi-hop"] : ["all"];
      const [alone, fused] = [0, 0.5].map((lexical) =>
        sets.map((set) => found(set, embed, lexical)),
      );
      for (const kind of kinds)
        console.log(`${name} ${kind}: ${mean(alone ?? [], kind)}; ${mean(fused ?? [], kind)}`);
    }
  }
}

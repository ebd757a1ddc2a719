/** For tests: turns of one project in order, run without an embedder; likeness is told by words alone. */
import { expect } from "bun:test";
import type { MemoryNode } from "#domain";
import { candidatesOfTurn } from "../extraction/candidates.ts";
import { turnOf } from "../extraction/candidates-fixtures.ts";
import { contentWords, jaccard } from "../language/index.ts";
import { nodeOf } from "./plan-fixtures.ts";
import { planCandidate } from "./plan.ts";

export interface Sequence {
  readonly name: string;
  /** Prompt and answer of each turn. */
  readonly turns: readonly (readonly [string, string])[];
  /** Words of memories that are active in the end. */
  readonly keep: readonly (readonly string[])[];
  /** Words that no active memory has, unless it is one to keep. */
  readonly gone: readonly (readonly string[])[];
}

const thresholds = { duplicateSimilarity: 0.85, duplicateWords: 0.75 };

function activeAfter(turns: Sequence["turns"]): readonly string[] {
  let nodes: readonly MemoryNode[] = [];
  turns.forEach(([prompt, answer], n) => {
    const turn = { ...turnOf({ prompt, answer }), sessionId: `s${n}`, atMs: (n + 1) * 1_000 };
    for (const candidate of candidatesOfTurn(turn)) {
      const near = nodes.map((node) => {
        const lexical = jaccard(
          new Set(contentWords(candidate.l0)),
          new Set(contentWords(node.l0)),
        );
        return { node, lexical, similarity: null, fused: lexical };
      });
      const plan = planCandidate(candidate, near, thresholds);
      if (plan.type === "merge")
        nodes = nodes.map((node) => (node.id === plan.node.id ? { ...node, ...plan.patch } : node));
      if (plan.type === "supersede") nodes = nodes.filter(({ id }) => id !== plan.node.id);
      if (plan.type === "create" || plan.type === "supersede")
        nodes = [...nodes, nodeOf(candidate, nodes.length + n * 100)];
    }
  });
  return nodes.map(({ l0 }) => l0.toLowerCase().replace(/[-_/]/g, " "));
}

const has = (line: string, words: readonly string[]): boolean =>
  words.every((word) => line.includes(word.replace(/[-_/]/g, " ")));

/** Fails unless in the end every text to keep is active, and no text that is gone. */
export function expectActive({ turns, keep, gone }: Sequence): void {
  const active = activeAfter(turns);
  const kept = (line: string): boolean => keep.some((words) => has(line, words));
  for (const words of keep) expect(active.filter((line) => has(line, words))).not.toEqual([]);
  for (const words of gone)
    expect(active.filter((line) => has(line, words) && !kept(line))).toEqual([]);
}

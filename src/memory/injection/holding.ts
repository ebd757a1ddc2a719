/** Puts what holds now in the place of an exchange whose memories were replaced since. Pure but for one port. */
import type { MemoryNode } from "#domain";
import { type Replaced, tellsSame } from "../retrieval/replaced.ts";
import type { GatherDeps, Later, PromptCandidate, Sentence } from "./prompt-types.ts";

interface Instead {
  /** Memories that replaced all that the exchange tells; null = it may be told. */
  readonly candidates: readonly PromptCandidate[] | null;
  /** Memories that replaced a part of what it tells. */
  readonly laters: readonly Later[];
}

/** Tells a replaced exchange only where it says more, and then with what holds now. */
export function heldInstead(
  { replacedIn }: GatherDeps,
  candidate: PromptCandidate,
  isOffered: (node: MemoryNode) => boolean,
): Instead {
  const { document, sentences } = candidate;
  const replaced = replacedIn?.(document.node, wordsIn(sentences)) ?? [];
  if (replaced.length === 0) return { candidates: null, laters: [] };
  const heirs = heirsOf(replaced).filter(({ node }) => isOffered(node));
  const saysMore = sentences.some(
    ({ by, text }) => by === "user" && replaced.every(({ old }) => !tellsSame(old.l0, text)),
  );
  if (saysMore && heirs.length > 0) return { candidates: null, laters: heirs };
  const candidates = heirs.map(({ node, sentences: line }) =>
    Object.assign({}, candidate, {
      kind: "memory" as const,
      document: Object.assign({}, document, { node, uri: node.uri, l0: node.l0 }),
      sentences: line,
    }),
  );
  return { candidates, laters: [] };
}

/** In place of a later exchange that was replaced itself: what holds now. */
export function currentLaters({ replacedIn }: GatherDeps, later: Later): readonly Later[] {
  const replaced = replacedIn?.(later.node, wordsIn(later.sentences)) ?? [];
  return replaced.length === 0 ? [later] : heirsOf(replaced);
}

function heirsOf(replaced: readonly Replaced[]): readonly Later[] {
  const nodes = new Map(replaced.flatMap(({ by }) => (by === null ? [] : [[by.id, by] as const])));
  return [...nodes.values()].map((node) => ({
    node,
    sentences: [{ by: "user", text: node.l0 }],
    share: 1,
    isChange: true,
  }));
}

const wordsIn = (sentences: readonly Sentence[]): readonly string[] =>
  sentences.filter(({ by }) => by !== "asked").map(({ text }) => text);

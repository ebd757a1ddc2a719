/** For tests: candidates and nodes with everything defaulted, so that each test says only what it is about. */
import type { Candidate, MemoryNode } from "#domain";
import { applyableDraft } from "../../../src/memory/merge/plan.ts";

export const candidateOf = (over: Partial<Candidate> & { readonly l0: string }): Candidate => ({
  category: "preferences",
  uriHint: "x",
  l1: null,
  l2: null,
  importance: 3,
  tags: [],
  files: [],
  aliases: [],
  project: "p",
  origin: "user",
  maker: "stop",
  evidence: { sessionId: "s2", turn: 1, line: null, quote: over.l0 },
  branch: null,
  atMs: 2_000,
  ...over,
});

export const nodeOf = (
  candidate: Candidate,
  id: number,
  over: Partial<MemoryNode> = {},
): MemoryNode => ({
  ...emptyNode,
  ...applyableDraft(candidate, `mem://test/${id}`),
  id,
  uri: `mem://test/${id}`,
  createdAt: candidate.atMs,
  updatedAt: candidate.atMs,
  ...over,
});

/** A known memory, said earlier in another session. */
export const knownNode = (
  l0: string,
  over: Partial<Candidate> = {},
  node: Partial<MemoryNode> = {},
): MemoryNode =>
  nodeOf(
    candidateOf({
      l0,
      atMs: 1_000,
      evidence: { sessionId: "s1", turn: 1, line: null, quote: l0 },
      ...over,
    }),
    1,
    node,
  );

const emptyNode = {
  nodeType: "leaf",
  parentUri: null,
  branch: null,
  scope: "user",
  l1: null,
  l2: null,
  aliases: [],
  mergedFrom: [],
  slot: null,
  relevance: 1,
  lastAccess: null,
  accessCount: 0,
  importance: 3,
  evidenceCount: 1,
  tags: [],
  files: [],
  anchors: [],
  pinned: false,
  status: "active",
  validFrom: null,
  validTo: null,
  expiresAt: null,
  sourceSession: null,
  evidence: [],
} as const satisfies Partial<MemoryNode>;

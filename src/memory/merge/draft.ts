/** A candidate as the draft of a node. Pure. */
import type { Candidate, NodeDraft } from "#domain";

/** The node a candidate becomes at `uri`; valid from the moment it was said. */
export const applyableDraft = (candidate: Candidate, uri: string): NodeDraft => ({
  uri,
  category: candidate.category,
  project: candidate.project,
  branch: candidate.branch,
  l0: candidate.l0,
  l1: candidate.l1,
  l2: candidate.l2,
  aliases: candidate.aliases,
  importance: candidate.importance,
  tags: candidate.tags,
  files: candidate.files,
  origin: candidate.origin,
  maker: candidate.maker,
  validFrom: candidate.atMs,
  expiresAt: candidate.expiresAt ?? null,
  slot: candidate.slot ?? null,
  sourceSession: candidate.evidence.sessionId,
  evidence: [candidate.evidence],
});

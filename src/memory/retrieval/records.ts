/**
 * Prompts and checkpoints as found documents. They are found by words (they have no stored vectors); the
 * cosine of the few that matched is computed on the spot, so that their scores compare with those of memories.
 */
import {
  categoryRules,
  attributed,
  isPlan,
  type DocumentKind,
  type FindQuery,
  type FoundDocument,
  type LeafKind,
  type SessionStore,
} from "#domain";
import { cutAtWord, oneLine, unreachable } from "#kit";
import { cosine } from "../exchange/traits.ts";
import { type Asked, type FinderContext, fuse, isPlain } from "./candidates.ts";
import { type CommonTerms, retrievalLimits } from "./limits.ts";
import { lexicalCandidates, type LexicalCandidate } from "./lexical-candidates.ts";
import { type NudgeContext, productOf, timeNudge } from "./nudges.ts";
import { sessionSlug } from "./things.ts";

export type RecordKind = Exclude<DocumentKind, LeafKind>;

/** A record before it has a score. */
interface RecordText {
  readonly id: number;
  readonly uri: string;
  readonly l0: string;
  readonly project: string | null;
  readonly atMs: number;
}

/** A prompt or title longer than this is cut in a list; the whole is one fetch away. */
const l0CharsMax = 240;

export const isRecordKind = (kind: DocumentKind): kind is RecordKind =>
  kind === "prompt" || kind === "checkpoint";

/** Records of one kind that match the words of the query, in no particular order. */
export function findRecords(
  deps: FinderContext,
  query: FindQuery & { readonly kind: RecordKind },
  asked: Asked,
  context: NudgeContext,
): readonly FoundDocument[] {
  const depth = Math.max(retrievalLimits.recordsMax, query.limit);
  const { candidates, common } = lexicalCandidates(deps.lexical, query.kind, {
    terms: asked.terms,
    filters: isPlain(query) ? null : query,
    depth,
  });
  const hits = candidates.slice(0, depth);
  const texts = new Map(
    readRecords(
      deps.sessions,
      query,
      hits.map(({ id }) => id),
    ).map((text) => [text.id, text]),
  );
  return hits.flatMap((hit) => {
    const text = texts.get(hit.id);
    if (text === undefined) return [];
    return [score(deps, query.kind, { text, hit, common, vector: asked.vector }, context)];
  });
}

function score(
  deps: FinderContext,
  kind: RecordKind,
  match: {
    readonly text: RecordText;
    readonly hit: LexicalCandidate;
    readonly common: CommonTerms;
    readonly vector: Float32Array | null;
  },
  context: NudgeContext,
): FoundDocument {
  const { text, hit, common, vector } = match;
  const lexical = Math.min(1, hit.score + common.gainOf(text.l0));
  const own = vector === null ? null : deps.embedder.embed(text.l0);
  const similarity = own === null ? null : cosine(vector, own);
  const fused = fuse(lexical, similarity, deps.weights.lexicalWeight);
  const nudges = timeNudge(text.atMs, context.window);
  return {
    kind,
    node: null,
    uri: text.uri,
    l0: text.l0,
    project: text.project,
    atMs: text.atMs,
    score: fused * productOf(nudges),
    explanation: { lexicalRank: hit.rank, lexical, similarity, fused, nudges },
    supersededBy: null,
  };
}

function readRecords(
  sessions: SessionStore,
  { kind, origin }: FindQuery & { readonly kind: RecordKind },
  ids: readonly number[],
): readonly RecordText[] {
  switch (kind) {
    case "checkpoint":
      return sessions.checkpointsByIds(ids).map((found) => ({
        id: found.id,
        uri: `${sessionUri(found.sessionId)}/checkpoints/${found.n}`,
        l0: toL0(found.l0),
        project: found.project,
        atMs: found.atMs,
      }));
    case "prompt":
      return (
        sessions
          .promptsByIds(ids)
          // A plan is not the user's word.
          .filter(({ prompt }) => origin !== "user" || !isPlan(prompt ?? ""))
          .map(({ id, sessionId, n, prompt, project, startedAt }) => ({
            id,
            uri: `${sessionUri(sessionId)}/turns/${n}`,
            l0: toL0(attributed(prompt ?? "")),
            project,
            atMs: startedAt,
          }))
      );
    default:
      return unreachable(kind);
  }
}

const sessionUri = (sessionId: string): string =>
  `${categoryRules.sessions.root}/${sessionSlug(sessionId)}`;

const toL0 = (text: string): string => cutAtWord(oneLine(text), l0CharsMax);

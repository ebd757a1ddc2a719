/** Narratives of a stretch of a session by a model, in the place of the local ones. */
import { narratePrompt, type NarratedEpisode } from "#prompts";
import type { LlmError, MemoryNode, NodeDraft, RevisionCause, Session, Turn } from "#domain";
import { cutAtWord, cutToTokens, isoDate, ok, oneLine, type Result } from "#kit";
import { archiveUri, limits } from "#memory";
import { archiveFolder } from "../archive.ts";
import { index } from "../remember.ts";
import { isTouched } from "../touched.ts";
import type { ModelDeps } from "./deps.ts";
import {
  atMsOf,
  hasWords,
  stretchOf,
  type Refinement,
  type Refining,
  type Stretch,
} from "./refining.ts";
import { turnsOf, windowTurnOf } from "./window.ts";

/** Read back per session; the local form has the same bound. */
const narrativesMax = 1_000;

export async function narrate(
  deps: ModelDeps,
  { job, replies, session }: Refining,
): Promise<Result<Refinement, LlmError>> {
  const { store } = deps;
  const stretch = stretchOf(job);
  const turns = turnsOf(store, session.sessionId, stretch).filter(hasWords);
  if (turns.length === 0) return ok(() => undefined);
  const atMs = atMsOf(job, session);
  const replied = await replies.ask("narrate", narratePrompt, {
    project: session.projectName,
    date: isoDate(atMs),
    turns: turns.map((turn) => windowTurnOf(store, turn)),
  });
  if (!replied.ok) return replied;
  // A reply without episodes tells nothing: what was told locally stands.
  if (replied.value.length === 0) return ok(() => undefined);
  const cause = (action: RevisionCause["action"], reason: string): RevisionCause => ({
    atMs,
    action,
    by: job.key,
    reason,
  });
  return ok(() => {
    const told = new Set(
      replied.value.map((episode) => tell(deps, draftOf(session, turns, episode), cause)),
    );
    for (const node of ownNarratives(deps, session, stretch))
      if (!told.has(node.uri)) {
        store.nodes.retract(node.id, cause("retract", "told in other stretches"));
        deps.vectors.remove(node.id);
      }
  });
}

/** Writes one narrative; returns its address. */
function tell(
  deps: ModelDeps,
  draft: NodeDraft,
  cause: (action: RevisionCause["action"], reason: string) => RevisionCause,
): string {
  const { store } = deps;
  const known = store.nodes.byUri(draft.uri);
  const isKept = known !== null && (known.status !== "active" || isTouched(store, known));
  if (isKept || store.nodes.isForgotten(draft.l0)) return draft.uri;
  const node =
    known === null
      ? store.nodes.insert(draft, cause("create", "before compaction"))
      : store.nodes.update(
          known.id,
          {
            l0: draft.l0,
            l1: draft.l1 ?? null,
            files: draft.files ?? [],
            evidence: draft.evidence ?? [],
          },
          cause("merge", "told by the model"),
        );
  index(deps, node);
  return draft.uri;
}

/** Narratives that begin in the stretch and have not been used or changed. */
const ownNarratives = (
  { store }: ModelDeps,
  { sessionId }: Session,
  { from, to }: Stretch,
): readonly MemoryNode[] =>
  store.nodes
    .children(archiveFolder(sessionId, "narrative"), { limit: narrativesMax, offset: 0 })
    .filter((node) => {
      const first = Number(node.uri.slice(node.uri.lastIndexOf("/") + 1));
      return first >= from && first <= to && !isTouched(store, node);
    });

/** Of an episode that a model told; how much it mattered is not asked. */
const importance = 3;

function draftOf(session: Session, turns: readonly Turn[], episode: NarratedEpisode): NodeDraft {
  const own = turns.filter(({ n }) => n >= episode.from && n <= episode.to);
  const ends = [...new Set([own[0], own.at(-1)].filter((turn) => turn !== undefined))];
  const atMs = own[0]?.startedAt ?? session.startedAt;
  return {
    uri: archiveUri({ sessionId: session.sessionId, part: "narrative", n: episode.from }),
    category: "sessions",
    project: session.project,
    branch: session.branch,
    l0: cutToTokens(
      oneLine(`${session.projectName ?? "session"}, ${isoDate(atMs)}: ${episode.l0}`),
      limits.l0TokensMax,
    ),
    l1: cutToTokens(episode.l1, limits.narrativeL1TokensMax) || null,
    l2: null,
    importance,
    tags: [],
    files: [...new Set(own.flatMap(({ filesEdited }) => filesEdited))].slice(
      0,
      limits.checkpointFilesMax,
    ),
    origin: "agent",
    maker: "precompact",
    validFrom: atMs,
    expiresAt: null,
    sourceSession: session.sessionId,
    evidence: ends.map(({ n, line, prompt }) => ({
      sessionId: session.sessionId,
      turn: n,
      line,
      quote: cutAtWord(prompt ?? "", limits.quoteCharsMax),
    })),
  };
}

/** Moments: turns judged significant, kept in the archive for as long as their score earns. */
import {
  attributed,
  momentReason,
  type Evaluation,
  type NodeDraft,
  type RevisionCause,
  type Session,
  type Settings,
  type Turn,
} from "#domain";
import { cutAtWord, type LogDep } from "#kit";
import { archiveUri, limits, momentLifetimeMs, momentThreshold } from "#memory";
import { archiveFolder } from "./archive.ts";
import { index, type RememberDeps } from "./remember.ts";
import { endOfTurn } from "./turn-context.ts";

export interface MomentDeps extends RememberDeps, LogDep {
  readonly settings: () => Settings;
}

export interface Judged {
  readonly session: Session;
  readonly turn: Turn;
  readonly evaluation: Evaluation;
  /** Key of the job that judged. */
  readonly by: string;
}

const overviewCharsMax = 6_000;

/** Keeps a turn that was judged significant, unless it is kept already. */
export function keepMoment(deps: MomentDeps, judged: Judged): void {
  const { store } = deps;
  const uri = uriOf(judged);
  const lifetimeMs = lifetimeOf(deps, judged);
  log(deps, judged, lifetimeMs !== null);
  if (lifetimeMs !== null && store.nodes.byUri(uri) === null) insert(deps, judged, lifetimeMs);
}

const uriOf = ({ session, turn }: Judged): string =>
  archiveUri({ sessionId: session.sessionId, part: "moments", n: turn.n });

/** How long the moment is kept; null = not at all. */
function lifetimeOf(deps: MomentDeps, judged: Judged): number | null {
  const { session, evaluation } = judged;
  const settings = deps.settings().moments;
  const kept = deps.store.nodes.countBelow(archiveFolder(session.sessionId, "moments"));
  const threshold = Math.max(settings.threshold, momentThreshold(kept));
  const isKept = settings.enabled && evaluation.significance >= threshold;
  return isKept && !isForgotten(deps, judged) ? momentLifetimeMs(evaluation.significance) : null;
}

const isForgotten = ({ store }: MomentDeps, { turn, evaluation }: Judged): boolean =>
  evaluation.summary === "" ||
  store.nodes.isForgotten(evaluation.summary) ||
  (turn.prompt !== null && store.nodes.isForgotten(turn.prompt));

const log = (deps: MomentDeps, judged: Judged, stored: boolean): void =>
  deps.log.write("info", "evaluation", {
    session: judged.session.sessionId,
    turn: judged.turn.n,
    type: judged.evaluation.type,
    score: judged.evaluation.significance,
    stored,
  });

function insert(deps: MomentDeps, judged: Judged, lifetimeMs: number): void {
  const node = deps.store.nodes.insert(
    draftOf(judged, lifetimeMs),
    causeOf(judged, "create", scored(judged)),
  );
  index(deps, node);
}

const scored = ({ evaluation }: Judged): string => momentReason(evaluation.significance);

const causeOf = (
  { by, turn }: Judged,
  action: RevisionCause["action"],
  reason: string,
): RevisionCause => ({ atMs: endOfTurn(turn), action, by, reason });

const draftOf = (judged: Judged, lifetimeMs: number): NodeDraft => ({
  uri: uriOf(judged),
  category: "sessions",
  project: judged.session.project,
  branch: judged.session.branch,
  l0: judged.evaluation.summary,
  l1: cutAtWord(attributed(judged.turn.prompt ?? ""), overviewCharsMax) || null,
  l2: judged.turn.answer === null ? null : cutAtWord(judged.turn.answer, limits.l2CharsMax),
  // The scale of a memory's importance, 1 to 5, from the score.
  importance: Math.min(5, Math.max(1, Math.round(judged.evaluation.significance * 5))),
  tags: [judged.evaluation.type, ...judged.evaluation.tags],
  files: judged.turn.filesEdited,
  origin: "agent",
  maker: "stop",
  expiresAt: judged.turn.startedAt + lifetimeMs,
  sourceSession: judged.session.sessionId,
  validFrom: judged.turn.startedAt,
  evidence: [
    {
      sessionId: judged.session.sessionId,
      turn: judged.turn.n,
      line: null,
      quote: cutAtWord(judged.turn.prompt ?? "", 300),
    },
  ],
});

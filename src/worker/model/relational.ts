/**
 * How the user likes to work: asked of a session that fell silent and in which something was corrected, wished or
 * praised. Grows over sessions in one memory; what its user changed there stays.
 */
import { relationalPrompt, type RelationalStatement } from "#prompts";
import { communicationUri, type LlmError, type MemoryNode, type Session, type Turn } from "#domain";
import { isoDate, ok, type Result } from "#kit";
import { scoreTurn } from "#memory";
import { archiveFolder } from "../archive.ts";
import { index } from "../remember.ts";
import { turnContextOf } from "../turn-context.ts";
import type { ModelDeps } from "./deps.ts";
import { profileIn, tiersOf, withoutStruck } from "./profile.ts";
import { atMsOf, hasWords, stretchOf, type Refinement, type Refining } from "./refining.ts";
import { turnsOf, windowTurnOf } from "./window.ts";

export async function relate(
  deps: ModelDeps,
  { job, replies, session }: Refining,
): Promise<Result<Refinement, LlmError>> {
  const { store } = deps;
  const turns = turnsOf(store, session.sessionId, stretchOf(job))
    .filter(hasWords)
    .filter((turn) => tellsOfUs(deps, session, turn));
  if (turns.length === 0) return ok(() => undefined);
  const date = isoDate(atMsOf(job, session));
  const inputNow = () => ({
    previous: profileIn(store.nodes.byUri(communicationUri), date).statements,
    turns: turns.map((turn) => windowTurnOf(store, turn)),
    sessionId: session.sessionId,
    date,
  });
  const replied = await replies.ask("relational", relationalPrompt, inputNow());
  if (!replied.ok) return replied;
  // Another session may have added to the profile while this one's question was under way: the reply names differences
  // only, and is read again against what is there now.
  return ok(() => {
    const now = replies.readAgain("relational", relationalPrompt, inputNow());
    if (now !== null)
      save(deps, { session, statements: now, by: job.key, atMs: atMsOf(job, session) });
  });
}

/** Objections, praise, thanks and wishes about the manner of working, as people type them. */
const feedback = new RegExp(
  String.raw`\b(?:no[,.!]|nope|wrong|not what|stop (?:doing|asking|adding)|why did you|you (?:always|never|keep` +
    String.raw`|forgot|should|missed)|instead of asking|just do|ask (?:me )?(?:first|before)|too (?:long|short` +
    String.raw`|verbose|much)|shorter|brief|concise|in detail|explain|perfect|great|exactly|nice|good (?:job|work` +
    String.raw`|catch)|well done|love (?:it|this|that)|thanks|thank you|i (?:prefer|like|want|hate|don'?t like` +
    String.raw`|trust)|don'?t (?:ask|explain|apologi[sz]e|add|touch))\b`,
  "i",
);

/** A correction, by either judgement, or words about the manner of working. */
function tellsOfUs({ store }: ModelDeps, session: Session, turn: Turn): boolean {
  if (turn.prompt === null || turn.prompt === "") return false;
  if (feedback.test(turn.prompt)) return true;
  const moment = store.nodes.byUri(`${archiveFolder(session.sessionId, "moments")}/${turn.n}`);
  if (moment?.tags.includes("correction") === true) return true;
  return scoreTurn(turnContextOf(store, turn), []).type === "correction";
}

/** Latest evidence kept with the profile. */
const evidenceMax = 10;
const importance = 4;

function save(
  deps: ModelDeps,
  change: {
    readonly session: Session;
    readonly statements: readonly RelationalStatement[];
    readonly by: string;
    readonly atMs: number;
  },
): void {
  const { store } = deps;
  const { atMs, by } = change;
  const known = store.nodes.byUri(communicationUri);
  // A profile that its user took away does not come back.
  if (known !== null && known.status !== "active") return;
  const before = profileIn(known, isoDate(atMs));
  const { struck } = before;
  const statements = withoutStruck({ ...change, struck }, before.statements).filter(
    ({ text }) => !store.nodes.isForgotten(text),
  );
  if (statements.length === 0 && known === null) return;
  const tiers = { ...tiersOf({ statements, struck }), evidence: evidenceOf(statements) };
  if (known !== null && known.l1 === tiers.l1 && known.l2 === tiers.l2) return;
  const reason = "how you work together, from a session";
  const node =
    known === null
      ? insert(deps, change, { tiers, reason })
      : store.nodes.update(known.id, tiers, { atMs, action: "merge", by, reason });
  index(deps, node);
}

const insert = (
  { store }: ModelDeps,
  { session, by, atMs }: { readonly session: Session; readonly by: string; readonly atMs: number },
  said: {
    readonly tiers: ReturnType<typeof tiersOf> & Pick<MemoryNode, "evidence">;
    readonly reason: string;
  },
): MemoryNode =>
  store.nodes.insert(
    {
      ...said.tiers,
      uri: communicationUri,
      category: "profile",
      project: null,
      importance,
      tags: ["relational"],
      // Drawn from the user's words, worded by a model.
      origin: "agent",
      maker: "extract",
      validFrom: atMs,
      sourceSession: session.sessionId,
    },
    { atMs, action: "create", by, reason: said.reason },
  );

const evidenceOf = (statements: readonly RelationalStatement[]): MemoryNode["evidence"] =>
  statements
    .filter(({ quote, sessionId }) => quote !== "" && sessionId !== "")
    .slice(-evidenceMax)
    .map(({ quote, sessionId }) => ({ sessionId, turn: null, line: null, quote }));

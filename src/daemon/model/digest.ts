/**
 * Asks the one question about a session, real or invented: its turns condensed, what was known before, and what comes
 * of the answer.
 */
import {
  condense,
  type Condensed,
  promptLimits,
  requestOf,
  roomOf,
  type SessionInput,
  sessionPrompt,
  type SessionReply,
} from "#models";
import {
  type Checkpoint,
  type CheckpointFields,
  type CheckpointTrigger,
  emptyCheckpoint,
  type Llm,
  type LlmError,
  type LlmReply,
  type Session,
  type Turn,
} from "#domain";
import { cutToTokens, localDate, ok, oneLine, type Result } from "#kit";
import { limits } from "#memory";
import { atMsOf, hasWords, type Refinement, type Refining, stretchOf } from "./replies.ts";
import { keepMemories } from "./keep.ts";
import { doesAgentSave, knownBefore } from "./known.ts";
import { condenseTurnOf, type Progress, progressOf, saveProgress, turnsOf } from "./plan.ts";
import { followRenames } from "./proposal.ts";
import { refusedBefore } from "./refused-before.ts";
import { typedBefore } from "./typed-before.ts";
import type { WorkerContext } from "../context.ts";

export async function digest(
  deps: WorkerContext,
  refining: Refining,
): Promise<Result<Refinement, LlmError>> {
  const { job, replies, session } = refining;
  const { store } = deps;
  const stretch = stretchOf(job);
  const turns = turnsOf(store, session.sessionId, stretch).filter(hasWords);
  const before = store.sessions.turnsBefore(session.sessionId, stretch.from, 1)[0];
  const shown = turns.map((turn) => condenseTurnOf(store, turn, session.cwd));
  const whole = condense(shown, before?.answer ?? null);
  if (!whole.tellsAnything) return ok(() => undefined);
  const texts = textsOf(whole);
  const known = replies.known(() => knownBefore(deps, { session, turns, texts }));
  const places = placesOf(whole, progressOf(store, session.sessionId));
  const asked = {
    ...inputOf(deps, refining, turns),
    known,
    typedBefore: [...typedBefore(deps, session, whole), ...refusedBefore(deps, session, shown)],
    memoriesMax: places.least,
  };
  const room = roomOf(asked);
  const isWhole = whole.tokens <= room.record;
  const record = isWhole ? whole : condense(shown, before?.answer ?? null, room.record);
  const beside = Math.floor((room.all - record.tokens) / promptLimits.memoryTokens);
  const memoriesMax = Math.min(places.most, places.least + Math.max(0, beside));
  const input = { ...asked, record, memoriesMax };
  const replied = await replies.ask(input);
  if (!replied.ok) return replied;
  return ok(() => {
    const reading = { job, session, turns, known, reply: replied.value };
    const { dropped, ...account } = keepMemories(deps, reading);
    deps.log.write("info", "session.kept", { key: job.key, ...account, dropped: dropped.join() });
    followRenames(deps, reading);
    const n = saveDigest(deps, refining, replied.value);
    const now = progressOf(store, session.sessionId);
    if (now === null) return;
    saveProgress(store, session.sessionId, {
      ...now,
      told: Math.max(now.told, stretch.to),
      digest: n,
      typed: now.typed + record.typedPrompts,
      made: now.made + account.kept,
    });
  });
}

function inputOf(deps: WorkerContext, { session }: Refining, turns: readonly Turn[]) {
  const progress = progressOf(deps.store, session.sessionId);
  return {
    project: session.projectName,
    branch: session.branch,
    from: localDate(turns[0]?.startedAt ?? session.startedAt),
    to: localDate(turns.at(-1)?.startedAt ?? session.startedAt),
    previous: previousOf(deps, session, progress),
    agentSaves: doesAgentSave(deps.store, session),
    hasSecret: (text: string): boolean => deps.gate.clean(text).redactions > 0,
  };
}

/**
 * Counts the places left in the question for the session or this part of it, and more for choices. `most`: where the
 * record stands whole beside them.
 */
function placesOf({ choices, tokens, typedPrompts }: Condensed, progress: Progress | null) {
  const { memoriesOfSession, memoriesOfLongMax, memoriesOfPartMin, ...limits } = promptLimits;
  const typed = (progress?.typed ?? 0) + typedPrompts;
  const ofAll = Math.min(memoriesOfLongMax, Math.ceil(typed / limits.promptsPerMemory));
  const left = Math.max(memoriesOfSession, ofAll) - (progress?.made ?? 0);
  const ofPart = (tokensPerMemory: number): number =>
    Math.min(
      memoriesOfSession,
      Math.max(memoriesOfPartMin, left, Math.ceil(tokens / tokensPerMemory)),
    );
  const chosen = Math.floor(choices / limits.choicesPerMemory);
  return {
    least: ofPart(limits.tokensPerMemory.cut),
    most: Math.min(limits.memoriesMax, ofPart(limits.tokensPerMemory.whole) + chosen),
  };
}

/** `textsOf` lists the texts that tell what the session is about: each turn's typed words, and the answers. */
const textsOf = ({ said }: Condensed): readonly string[] =>
  said.flatMap(({ typed, answer }) => [typed, answer]).filter((text) => text.trim() !== "");

/** The digest of the turns before; what the local form made of the session since is in the record itself. */
function previousOf(
  { store }: WorkerContext,
  { sessionId }: Session,
  progress: Progress | null,
): SessionInput["previous"] {
  if (progress === null || progress.digest === 0) return null;
  const told = store.sessions.checkpoints(sessionId).find(({ n }) => n === progress.digest);
  return told === undefined
    ? null
    : { title: told.l0, outcome: told.completed, open: told.nextSteps };
}

/** The digest as the session's current checkpoint, with the files of the tool record. Returns its number. */
function saveDigest(deps: WorkerContext, { job, session }: Refining, reply: SessionReply): number {
  const { store } = deps;
  const current = store.sessions.currentCheckpoint(session.sessionId);
  const fields = fieldsOf(deps, reply, current);
  return store.sessions.addCheckpoint({
    sessionId: session.sessionId,
    project: session.project,
    atMs: Math.max(atMsOf(job, session), current?.atMs ?? 0),
    trigger: triggerOf(job.payload["occasion"]),
    l0: fields.request === "" ? (current?.l0 ?? "A session") : fields.request,
    fields,
  }).n;
}

/** Fields by the reply, without what was forgotten and secrets, and the lists that only the tool record knows. */
function fieldsOf(
  deps: WorkerContext,
  reply: SessionReply,
  current: Checkpoint | null,
): CheckpointFields {
  const say = (text: string): string =>
    deps.store.nodes.isForgotten(text) ? "" : deps.gate.clean(text).text.trim();
  const { open, outcome, title } = reply;
  const { filesRead, filesEdited, filesInHand, uncommitted, thrash } = current ?? emptyCheckpoint;
  return {
    ...emptyCheckpoint,
    filesRead,
    filesEdited,
    filesInHand,
    uncommitted,
    thrash,
    request: cutToTokens(oneLine(say(title)), limits.l0TokensMax),
    completed: say(outcome),
    nextSteps: open.map(say).filter(Boolean).join("; "),
  };
}

const triggerOf = (occasion: unknown): Exclude<CheckpointTrigger, "stop"> =>
  occasion === "precompact" || occasion === "end" ? occasion : "quiet";

// The one question about an invented session: for `continuity status --test-model`.

const date = "2026-03-02";

const turn = {
  n: 1,
  prompt:
    "The booking export is an hour off for tenants in Lisbon. From now on keep all times in " +
    "UTC and convert in the view. Shorter answers please.",
  answer:
    "Root cause: the exporter formatted local times. It now writes UTC, the view converts, and all 41 tests pass.",
  interrupted: false,
  files: ["src/export.ts"],
  tools: [],
};

/** Asks it at once; nothing of the answer is kept but its figures. */
export const tryModel = async (llm: Llm): Promise<Result<LlmReply<unknown>, LlmError>> =>
  llm.structured({
    ...requestOf(
      sessionPrompt,
      {
        project: "deskly",
        branch: "main",
        from: date,
        to: date,
        record: condense([turn], null),
        previous: null,
        known: [],
        agentSaves: false,
        typedBefore: [],
        memoriesMax: 5,
        hasSecret: () => false,
      },
      null,
    ),
    isByHand: true,
  });

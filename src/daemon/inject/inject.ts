/**
 * Session start and prompt injection: gathers, composes, and writes the exposure journal with the reasons.
 *
 * The text itself is made in memory/injection. What was shown is recorded in the same transaction as the event, so
 * `why` never misses an injection that happened.
 */
import {
  anchorsIn,
  type Embedder,
  type InjectionChannel,
  type MemoryNode,
  type NotesHere,
  type Session,
  type Settings,
  type Store,
  type Turn,
} from "#domain";
import { tokensOf } from "#kit";
import {
  ancestorsOf,
  collectStartSnapshot,
  composePrompt,
  composeStart,
  continuationBrief,
  doubtsOf,
  gatherPrompt,
  pairMarks,
  replacedIn,
  startSourceOf,
  summariseSession,
  type AnchorsHere,
  type Finder,
  type PromptInput,
} from "#memory";
import type { PreparedEvent } from "../intake/prepare.ts";
import { noteTold, uncommittedFiles } from "./open-ends.ts";
import { notesFor } from "./notes.ts";
import { reachOf } from "../intake/moved.ts";
import type { WorkerContext } from "../context.ts";

/** `seenBy` gives the memories that a session has seen: also what it inherited, until its own context was compacted. */
export function seenBy(
  { exposure, sessions }: WorkerContext["store"],
  sessionId: string,
  ancestors: PromptInput["ancestors"],
): ReadonlySet<number> {
  const inherited = sessions.compactSummary(sessionId) === null ? ancestors : [];
  return new Set(
    [{ sessionId, untilMs: Number.MAX_SAFE_INTEGER }, ...inherited].flatMap((one) =>
      Array.from(exposure.seen(one.sessionId, one.untilMs)),
    ),
  );
}

/** Anchors as they stand in the working tree that the event comes from. */
export function anchorsFrom(
  { code }: WorkerContext,
  { project }: PreparedEvent,
): { readonly anchorsHere?: AnchorsHere } {
  if (project === null) return {};
  return { anchorsHere: ({ anchors }) => code.check(project.root, anchorsIn(anchors)) };
}

/** `said`: memories that the prompt itself ordered; what they may have replaced is not told beside them. */
export function injectForPrompt(
  deps: WorkerContext,
  event: PreparedEvent & { type: "submit" },
  turn: Turn,
  said: readonly number[],
): { readonly text: string; readonly isPointer: boolean } {
  const { store } = deps;
  const session = store.sessions.byId(event.sessionId);
  const ancestors = ancestorsOf(store.sessions, session);
  const home = session === null ? null : reachOf(deps, event, session);
  const older = new Set(doubtsOf(store.nodes, said).map(({ toId }) => toId));
  const evidence = gatherPrompt(
    {
      ...sourcesOf(deps),
      ...anchorsFrom(deps, event),
      ...notesFor(deps, session),
    },
    {
      prompt: turn.prompt ?? "",
      previousAnswer: store.sessions.turnsBefore(event.sessionId, turn.n, 1)[0]?.answer ?? null,
      sessionId: event.sessionId,
      ancestors,
      homeProject: home,
      branch: session?.branch ?? null,
      // In a doubtful project no other project is named either.
      projects: home === (session?.project ?? null) ? store.admin.projectNames() : [],
      seen: seenBy(store, event.sessionId, ancestors).union(older),
      nowMs: event.atMs,
      inject: deps.settings().inject,
    },
  );
  const { text, nodeIds, decision, reasons } = composePrompt(evidence);
  record(deps, {
    event,
    channel: "prompt",
    cause: decision.cause,
    text,
    nodeIds,
    reasons,
  });
  return { text, isPointer: decision.cause === "pointer" };
}

interface Sources {
  readonly store: Store;
  readonly finder: Finder;
  readonly embedder: Embedder;
}

const sourcesOf = ({ store: { lexical, nodes }, finder, embedder }: Sources) => ({
  finder,
  lexical,
  embedder,
  pairsOf: (ids: readonly number[]) => pairMarks(nodes, ids),
  replacedIn: (exchange: MemoryNode, sentences: readonly string[]) =>
    replacedIn(nodes, exchange, sentences),
});

/** `previewPrompt` gives the context of a prompt that opens a new session of a project. Nothing is kept of it. */
export function previewPrompt(
  sources: Sources,
  inject: Settings["inject"],
  asked: {
    readonly prompt: string;
    readonly project: string | null;
    readonly branch: string | null;
    readonly nowMs: number;
    readonly notesHere?: NotesHere;
  },
): ReturnType<typeof composePrompt> {
  return composePrompt(
    gatherPrompt(
      {
        ...sourcesOf(sources),
        ...(asked.notesHere === undefined ? {} : { notesHere: asked.notesHere }),
      },
      {
        prompt: asked.prompt,
        previousAnswer: null,
        sessionId: "",
        ancestors: [],
        homeProject: asked.project,
        branch: asked.branch,
        projects: sources.store.admin.projectNames(),
        seen: new Set(),
        nowMs: asked.nowMs,
        inject,
      },
    ),
  );
}

export function injectForStart(
  deps: WorkerContext,
  event: PreparedEvent & { type: "start" },
  { session, reach: home }: { readonly session: Session; readonly reach: string | null },
): string {
  const { store } = deps;
  const { text, nodeIds, reasons } = composeStart(
    collectStartSnapshot(store, {
      sessionId: event.sessionId,
      project: home,
      projectName: home === null ? null : session.projectName,
      branch: session.branch,
      source: startSourceOf(event.source),
      sinceAnswerMs: event.sinceAnswerMs,
      nowMs: event.atMs,
      tokensMax: deps.settings().inject.startTokens,
      command: deps.lookUp(event.project?.root ?? null),
      ...anchorsFrom(deps, event),
      ...notesFor(deps, session),
      brief: (sessionId) => briefOf(deps, store.sessions.byId(sessionId)),
    }),
  );
  record(deps, { event, channel: "start", cause: event.source, text, nodeIds, reasons });
  const told = { project: home, sessionId: event.sessionId };
  noteTold(
    store.openEnds,
    told,
    reasons.flatMap(({ open = [] }) => open),
  );
  return text;
}

/** The tokens of the default budget that the rules leave. */
const briefTokensMax = 430;
/** The latest that are looked through for decisions. */
const exchangesMax = 30;

/**
 * `briefOf` restates what a session had in hand before a compaction or /clear, beyond what the
 * client's own summary kept. Made here and now: the checkpoint job may still be waiting.
 */
function briefOf(deps: WorkerContext, session: Session | null): string | null {
  const { store } = deps;
  if (session === null) return null;
  const compactSummary = store.sessions.compactSummary(session.sessionId);
  const turns = store.sessions.turns(session.sessionId).filter(({ prompt }) => prompt !== null);
  if (turns.length === 0) return null;
  const toolUses = store.sessions.toolUses(session.sessionId, null);
  const { fields } = summariseSession({
    session,
    turns,
    toolUses,
    previous: store.sessions.currentCheckpoint(session.sessionId),
    trigger: "precompact",
    compactSummary,
    uncommitted: uncommittedFiles(toolUses),
  });
  const exchanges = store.nodes.list(
    { archive: true, session: session.sessionId, statuses: ["active"] },
    "recent",
    { limit: exchangesMax },
  );
  return continuationBrief(
    { fields, exchanges: exchanges.toReversed(), compactSummary },
    briefTokensMax,
  );
}

export function record(
  deps: WorkerContext,
  injection: {
    readonly event: PreparedEvent;
    readonly channel: InjectionChannel;
    readonly cause: string;
    readonly text: string;
    readonly nodeIds: readonly number[];
    readonly reasons: unknown;
  },
): void {
  const { store } = deps;
  const { event, channel, cause, text, nodeIds, reasons } = injection;
  const uris = new Map(store.nodes.headsByIds(nodeIds).map(({ id, uri }) => [id, uri]));
  store.exposure.add(
    nodeIds.map((nodeId) => ({
      sessionId: event.sessionId,
      nodeId,
      uri: uris.get(nodeId) ?? "",
      channel,
      atMs: event.atMs,
    })),
  );
  store.exposure.addInjection({
    sessionId: event.sessionId,
    atMs: event.atMs,
    channel,
    cause,
    text,
    tokens: text === "" ? 0 : tokensOf(text),
    reasons: JSON.stringify(reasons),
  });
}

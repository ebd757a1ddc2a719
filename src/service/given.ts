/** Every injection there was, one explained, a person's word on it, and what would be given now. */
import {
  attributed,
  type InjectionFeedback,
  type InjectionFilter,
  type InjectionHead,
  type InjectionRecord,
  isDelivered,
  type MemoryNode,
  type StoreDep,
} from "#domain";
import { err, ok, type Result } from "#kit";
import { isUsed } from "#memory";
import type {
  ContextJson,
  InjectionDetailJson,
  InjectionHeadJson,
  InjectionListJson,
  PreviewJson,
  WhyJson,
} from "#api";
import type { ContextDep } from "./deps.ts";
import type { ServiceError } from "./errors.ts";
import { explain } from "./explain.ts";
import { nodeAt } from "./memories.ts";
import { cursorAfter, type PageAsk, pageOf, projectKeyOf, scopeOf, sessionAt } from "./scope.ts";
import { injectionToJson } from "./views.ts";
import { helpTurns } from "./worth.ts";

interface InjectionsAsk extends PageAsk {
  readonly projects: readonly string[] | null;
  readonly session?: string;
  /** Where this memory was given. */
  readonly uri?: string;
  readonly kind?: InjectionFilter["kind"];
  readonly sinceMs?: number;
  /** Not part of it. */
  readonly untilMs?: number;
}

interface PreviewAsk {
  /** Key or name; null = outside any project. */
  readonly project: string | null;
  readonly branch: string | null;
  readonly prompt: string;
  readonly nowMs: number;
}

export interface GivenApi {
  /** Injections and silences, the latest first. */
  readonly injections: (ask: InjectionsAsk) => Result<InjectionListJson, ServiceError>;
  readonly injection: (id: number) => Result<InjectionDetailJson, ServiceError>;
  /** Keeps what a person says of an injection; null takes it back. */
  readonly judgeInjection: (
    id: number,
    feedback: InjectionFeedback | null,
  ) => Result<InjectionDetailJson, ServiceError>;
  /** What a session would be given that started now, and a prompt in it. Nothing is recorded. */
  readonly preview: (ask: PreviewAsk) => Result<PreviewJson, ServiceError>;
}

type Deps = ContextDep & StoreDep & { readonly writable: boolean };

export const createGivenApi = (deps: Deps): GivenApi => ({
  injections: (ask) => injections(deps, ask),
  injection: (id) => injection(deps, id),
  judgeInjection: (id, feedback) => {
    if (!deps.writable) return err({ type: "service.read-only" });
    if (!deps.store.exposure.judge(id, feedback)) return err({ type: "injection.not-found", id });
    return injection(deps, id);
  },
  preview: (ask) => preview(deps, ask),
});

function injections(deps: StoreDep, ask: InjectionsAsk): Result<InjectionListJson, ServiceError> {
  const page = pageOf(ask);
  if (!page.ok) return page;
  const projects = scopeOf(deps, { projects: ask.projects, home: null });
  if (!projects.ok) return projects;
  const session = ask.session === undefined ? null : sessionAt(deps, ask.session);
  if (session?.ok === false) return session;
  const node = ask.uri === undefined ? null : nodeAt(deps, ask.uri);
  if (node?.ok === false) return node;
  const filter: InjectionFilter = {
    projects: projects.value,
    ...(session === null ? {} : { sessionId: session.value.sessionId }),
    ...(node === null ? {} : { nodeId: node.value.id }),
    ...narrowing(ask),
  };
  const total = deps.store.exposure.countInjections(filter);
  const heads = deps.store.exposure.injectionHeads(filter, page.value);
  return ok({
    items: heads.map((head) => headToJson(node === null ? head : usedOf(deps, head, node.value))),
    total,
    next_cursor: cursorAfter(page.value, total),
  });
}

const narrowing = ({ kind, sinceMs, untilMs }: InjectionsAsk): Partial<InjectionFilter> => ({
  ...(kind === undefined ? {} : { kind }),
  ...(sinceMs === undefined ? {} : { sinceMs }),
  ...(untilMs === undefined ? {} : { untilMs }),
});

/** Fetched later, or shown by what the agent did or said next (see `stats --memory`). */
const usedOf = ({ store }: StoreDep, head: InjectionHead, node: MemoryNode): InjectionHead => ({
  ...head,
  used:
    head.used === true ||
    (head.channel !== "hint" &&
      isUsed(node, { ...head, channel: head.channel }, turnsOf(store, head))),
});

const turnsOf = (store: StoreDep["store"], head: InjectionHead): ReturnType<typeof helpTurns> =>
  helpTurns(store, head.sessionId, head.channel === "tool" ? head.atMs : null);

export const headToJson = (head: InjectionHead): InjectionHeadJson => ({
  id: head.id,
  session_id: head.sessionId,
  session_title: head.sessionTitle,
  project: head.project,
  at: head.atMs,
  channel: head.channel,
  cause: head.cause,
  tokens: head.tokens,
  turn: head.turn,
  prompt: head.prompt === null ? null : attributed(head.prompt),
  probability: head.probability,
  threshold: head.threshold,
  feedback: head.feedback,
  used: head.used,
});

function injection({ store }: StoreDep, id: number): Result<InjectionDetailJson, ServiceError> {
  const found = store.exposure.injection(id);
  const [head] = store.exposure.injectionHeads({ id, projects: null }, { limit: 1, offset: 0 });
  if (found === null || head === undefined) return err({ type: "injection.not-found", id });
  const { text, tokens, reasons } = injectionToJson(found);
  const turn = head.turn === null ? null : store.sessions.turn(head.sessionId, head.turn);
  const prompt = turn?.prompt ?? null;
  return ok({
    ...explain({ store }, { text, tokens, reasons, nodeIds: store.exposure.shownBy(found) }),
    injection: headToJson(head),
    prompt: prompt === null ? null : attributed(prompt),
  });
}

function preview(deps: Deps, ask: PreviewAsk): Result<PreviewJson, ServiceError> {
  const key = ask.project === null ? ok(null) : projectKeyOf(deps, ask.project);
  if (!key.ok) return key;
  const { branch, nowMs } = ask;
  const place = { sessionId: "preview", project: key.value, branch, nowMs };
  const prompt = ask.prompt.trim();
  return ok({
    project: key.value,
    start: explain(deps, deps.previewStart(place)),
    prompt: prompt === "" ? null : explain(deps, deps.previewPrompt({ ...place, prompt })),
  });
}

// What a session was given, or would be given, and why.

interface ContextAsked {
  readonly project: string | null;
  readonly nowMs: number;
}

export interface ContextApi {
  /**
   * The session-start text: as it was injected when that is on record, else what a session starting now would get.
   * `preview` = a new session, of the project with this key or name.
   */
  readonly context: (sessionId: string, ask: ContextAsked) => Result<ContextJson, ServiceError>;
  /** Every injection of a session with its reasons. `latest` = the session that was given something last. */
  readonly why: (sessionId: string) => Result<WhyJson, ServiceError>;
}

/** A long session has some hundred prompts, and most are given nothing. */
const injectionsMax = 500;

export const createContextApi = (deps: ContextDep & StoreDep): ContextApi => ({
  context: (sessionId, ask) => context(deps, sessionId, ask),
  why: (sessionId) => why(deps, sessionId),
});

/** What one asks for that has no session yet. */
const newSession = "preview";

function context(
  deps: ContextDep & StoreDep,
  given: string,
  ask: ContextAsked,
): Result<ContextJson, ServiceError> {
  const asked = given === newSession ? ok(null) : sessionAt(deps, given);
  if (!asked.ok) return asked;
  const session = asked.value;
  const sessionId = session?.sessionId ?? newSession;
  const started = byTime(deps.store.exposure.injections(sessionId, injectionsMax)).findLast(
    (one) => one.channel === "start" && isDelivered(one),
  );
  if (started !== undefined) {
    const { text, tokens, reasons } = injectionToJson(started);
    return ok({ session_id: sessionId, state: "injected", tokens, text, reasons });
  }
  const project = session === null ? keyOf(deps, ask.project) : session.project;
  const { nowMs } = ask;
  const { text, tokens, reasons } = deps.previewStart({ sessionId, project, nowMs });
  return ok({ session_id: sessionId, state: "preview", tokens, text, reasons });
}

/** A name that fits no project, or several, is taken as a key: a preview then shows what is global. */
function keyOf(deps: StoreDep, project: string | null): string | null {
  const key = project === null ? null : projectKeyOf(deps, project);
  return key?.ok === true ? key.value : project;
}

function why({ store }: StoreDep, asked: string): Result<WhyJson, ServiceError> {
  const isLatest = asked === "latest";
  const session = isLatest ? null : sessionAt({ store }, asked);
  if (session?.ok === false) return session;
  const sessionId =
    session === null
      ? (byTime(store.exposure.injections(null, 1)).at(-1)?.sessionId ?? null)
      : session.value.sessionId;
  if (sessionId === null) return ok({ session_id: null, injections: [] });
  const injections = byTime(store.exposure.injections(sessionId, injectionsMax));
  return ok({ session_id: sessionId, injections: injections.map(injectionToJson) });
}

const byTime = (injections: readonly InjectionRecord[]): readonly InjectionRecord[] =>
  injections.toSorted((a, b) => a.atMs - b.atMs || a.id - b.id);

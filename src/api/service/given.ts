/** Every injection there was, one explained, a person's word on it, and what would be given now. */
import {
  attributed,
  type InjectionFeedback,
  type InjectionFilter,
  type InjectionHead,
  type InjectionRecord,
  isDelivered,
  type MemoryNode,
} from "#domain";
import { err, ok, type Result } from "#kit";
import { isUsed } from "#memory";
import type { ContextJson, WhyJson } from "../forms-session.ts";
import type {
  InjectionDetailJson,
  InjectionHeadJson,
  InjectionListJson,
  PreviewJson,
} from "../forms-given.ts";
import type { ServiceError } from "./errors.ts";
import { explain } from "./explain.ts";
import { nodeAt } from "./memories.ts";
import { cursorAfter, defined, pageOf, projectKeyOf, scopeOf, sessionAt } from "./scope.ts";
import { injectionToJson } from "./views.ts";
import { helpTurns } from "./worth.ts";
import type { Body, Context, Query, Timed, TimedQuery } from "./context.ts";

/** Injections and silences, the latest first. */
export function injections(
  context: Context,
  ask: Query<"GET /api/injections">,
): Result<InjectionListJson, ServiceError> {
  const page = pageOf(ask);
  if (!page.ok) return page;
  const projects = scopeOf(context, { project: ask.project });
  if (!projects.ok) return projects;
  const session = ask.session === undefined ? null : sessionAt(context, ask.session);
  if (session?.ok === false) return session;
  const node = ask.uri === undefined ? null : nodeAt(context, ask.uri);
  if (node?.ok === false) return node;
  const filter: InjectionFilter = {
    projects: projects.value,
    ...(session === null ? {} : { sessionId: session.value.sessionId }),
    ...(node === null ? {} : { nodeId: node.value.id }),
    ...defined({ kind: ask.kind, sinceMs: ask.since, untilMs: ask.until }),
  };
  const total = context.store.exposure.countInjections(filter);
  const heads = context.store.exposure.injectionHeads(filter, page.value);
  return ok({
    items: heads.map((head) =>
      headToJson(node === null ? head : usedOf(context, head, node.value)),
    ),
    total,
    next_cursor: cursorAfter(page.value, total),
  });
}

/** Fetched later, or shown by what the agent did or said next (see `stats --memory`). */
const usedOf = ({ store }: Context, head: InjectionHead, node: MemoryNode): InjectionHead => ({
  ...head,
  used:
    head.used === true ||
    (head.channel !== "hint" &&
      isUsed(
        node,
        { ...head, channel: head.channel },
        helpTurns(store, head.sessionId, head.channel === "tool" ? head.atMs : null),
      )),
});

const headToJson = (head: InjectionHead): InjectionHeadJson => ({
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

/** Keeps what a person says of an injection; null takes it back. */
export const judgeInjection = (
  context: Context,
  id: number,
  said: InjectionFeedback | null,
): Result<InjectionDetailJson, ServiceError> =>
  context.store.exposure.judge(id, said)
    ? injection(context, id)
    : err({ type: "injection.not-found", id });

export function injection(context: Context, id: number): Result<InjectionDetailJson, ServiceError> {
  const { store } = context;
  const found = store.exposure.injection(id);
  const [head] = store.exposure.injectionHeads({ id, projects: null }, { limit: 1 });
  if (found === null || head === undefined) return err({ type: "injection.not-found", id });
  const { text, tokens, reasons } = injectionToJson(found);
  const turn = head.turn === null ? null : store.sessions.turn(head.sessionId, head.turn);
  const prompt = turn?.prompt ?? null;
  return ok({
    ...explain(
      context,
      { text, tokens, reasons, nodeIds: store.exposure.shownBy(found) },
      prompt ?? "",
    ),
    injection: headToJson(head),
    prompt: prompt === null ? null : attributed(prompt),
  });
}

/** Composes what a session that started now would be given, and a prompt in it. Records nothing. */
export function preview(
  context: Context,
  ask: Body<"POST /api/preview"> & Timed,
): Result<PreviewJson, ServiceError> {
  const key = projectKeyOf(context, ask.project);
  if (!key.ok) return key;
  const place = { sessionId: newSession, project: key.value, nowMs: ask.nowMs };
  const prompt = ask.prompt.trim();
  return ok({
    project: key.value,
    start: explain(context, context.previewStart(place), ""),
    prompt:
      prompt === "" ? null : explain(context, context.previewPrompt({ ...place, prompt }), prompt),
  });
}

// Tells what a session was given, or would be given, and why.

/** A long session has some hundred prompts, and most are given nothing. */
const injectionsMax = 500;

/** The id that stands for a session that does not exist yet. */
const newSession = "preview";

/**
 * The session-start text: as it was injected when that is on record, else what a session starting now would get.
 * `preview` = a new session, of the project with this key or name.
 */
export function contextAt(
  context: Context,
  given: string,
  { project: named, nowMs }: TimedQuery<"GET /api/context/:sessionId">,
): Result<ContextJson, ServiceError> {
  const asked = given === newSession ? ok(null) : sessionAt(context, given);
  if (!asked.ok) return asked;
  const session = asked.value;
  const sessionId = session?.sessionId ?? newSession;
  const started = byTime(context.store.exposure.injections(sessionId, injectionsMax)).findLast(
    (one) => one.channel === "start" && isDelivered(one),
  );
  if (started !== undefined) {
    const { text, tokens, reasons } = injectionToJson(started);
    return ok({ session_id: sessionId, state: "injected", tokens, text, reasons });
  }
  const project = session === null ? keyOf(context, named ?? null) : session.project;
  const { text, tokens, reasons } = context.previewStart({ sessionId, project, nowMs });
  return ok({ session_id: sessionId, state: "preview", tokens, text, reasons });
}

/** A name that fits no project, or several, is taken as a key: a preview then shows what is global. */
function keyOf(context: Context, project: string | null): string | null {
  const key = projectKeyOf(context, project);
  return key.ok ? key.value : project;
}

/** Every injection of a session with its reasons. `latest` = the session that was given something last. */
export function why(context: Context, asked: string): Result<WhyJson, ServiceError> {
  const { store } = context;
  const isLatest = asked === "latest";
  const session = isLatest ? null : sessionAt(context, asked);
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

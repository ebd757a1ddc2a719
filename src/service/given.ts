/** Every injection there was, one explained, a person's word on it, and what would be given now. */
import type {
  InjectionFeedback,
  InjectionFilter,
  InjectionHead,
  MemoryNode,
  StoreDep,
} from "#domain";
import { attributed } from "#domain";
import { err, ok, type Result } from "#kit";
import { isUsed } from "#memory";
import type { ContextDep } from "./deps.ts";
import type { ServiceError } from "./errors.ts";
import { explain } from "./explain.ts";
import type { InjectionDetailJson, InjectionHeadJson, InjectionListJson, PreviewJson } from "#api";
import { nodeAt } from "./memories.ts";
import { cursorAfter, pageOf, type PageAsk } from "./paging.ts";
import { projectKeyOf, scopeOf } from "./scope.ts";
import { sessionAt } from "./session-at.ts";
import { injectionToJson } from "./views.ts";
import { helpTurns } from "./worth.ts";

interface InjectionsAsk extends PageAsk {
  readonly projects: readonly string[] | null;
  readonly session?: string;
  /** Where this memory was given. */
  readonly uri?: string;
  readonly kind?: InjectionFilter["kind"];
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
    ...(ask.kind === undefined ? {} : { kind: ask.kind }),
  };
  const total = deps.store.exposure.countInjections(filter);
  const heads = deps.store.exposure.injectionHeads(filter, page.value);
  return ok({
    items: heads.map((head) => headToJson(node === null ? head : usedOf(deps, head, node.value))),
    total,
    next_cursor: cursorAfter(page.value, total),
  });
}

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

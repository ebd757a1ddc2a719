/** What a session was given, or would be given, and why. */
import type { InjectionRecord, StoreDep } from "#domain";
import { err, ok, type Result } from "#kit";
import type { ContextDep } from "./deps.ts";
import type { ServiceError } from "./errors.ts";
import type { ContextJson, WhyJson } from "./json-reports.ts";
import { projectKeyOf } from "./scope.ts";
import { injectionToJson } from "./views.ts";

export interface ContextApi {
  /**
   * The session-start text: as it was injected when that is on record, else what a session starting now would get.
   * `project` is a project key or name, used for sessions that are not known yet.
   */
  readonly context: (
    sessionId: string,
    ask: { readonly project: string | null; readonly nowMs: number },
  ) => ContextJson;
  /** Every injection of a session with its reasons. `latest` = the session that was given something last. */
  readonly why: (sessionId: string) => Result<WhyJson, ServiceError>;
}

/** A long session has some hundred prompts, and most are given nothing. */
const injectionsMax = 500;

export const createContextApi = (deps: ContextDep & StoreDep): ContextApi => ({
  context: (sessionId, ask) => context(deps, sessionId, ask),
  why: (sessionId) => why(deps, sessionId),
});

function context(
  deps: ContextDep & StoreDep,
  sessionId: string,
  ask: { readonly project: string | null; readonly nowMs: number },
): ContextJson {
  const session = deps.store.sessions.byId(sessionId);
  const given = byTime(deps.store.exposure.injections(sessionId, injectionsMax)).findLast(
    ({ channel }) => channel === "start",
  );
  if (given !== undefined) {
    const { text, tokens, reasons } = injectionToJson(given);
    return { session_id: sessionId, state: "injected", tokens, text, reasons };
  }
  const project = session === null ? keyOf(deps, ask.project) : session.project;
  const preview = deps.previewStart({ sessionId, project, nowMs: ask.nowMs });
  return { session_id: sessionId, state: "preview", ...preview };
}

/** A name that fits no project, or several, is taken as a key: a preview then shows what is global. */
function keyOf(deps: StoreDep, project: string | null): string | null {
  const key = project === null ? null : projectKeyOf(deps, project);
  return key?.ok === true ? key.value : project;
}

function why({ store }: StoreDep, asked: string): Result<WhyJson, ServiceError> {
  const isLatest = asked === "latest";
  const sessionId = isLatest
    ? (byTime(store.exposure.injections(null, 1)).at(-1)?.sessionId ?? null)
    : asked;
  if (sessionId === null) return ok({ session_id: null, injections: [] });
  const injections = byTime(store.exposure.injections(sessionId, injectionsMax));
  if (injections.length === 0 && !isLatest && store.sessions.byId(sessionId) === null)
    return err({ type: "session.not-found", sessionId });
  return ok({ session_id: sessionId, injections: injections.map(injectionToJson) });
}

const byTime = (injections: readonly InjectionRecord[]): readonly InjectionRecord[] =>
  injections.toSorted((a, b) => a.atMs - b.atMs || a.id - b.id);

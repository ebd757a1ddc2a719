/** What a session was given, or would be given, and why. */
import { isDelivered, type InjectionRecord, type StoreDep } from "#domain";
import { ok, type Result } from "#kit";
import type { ContextDep } from "./deps.ts";
import type { ServiceError } from "./errors.ts";
import type { ContextJson, WhyJson } from "#api";
import { projectKeyOf } from "./scope.ts";
import { sessionAt } from "./session-at.ts";
import { injectionToJson } from "./views.ts";

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

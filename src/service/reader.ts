/**
 * Which session asks. An MCP server lives as long as its client, and names the session that it began in; after `/clear`
 * the client speaks for a new one.
 */
import { agentOf, heirOf, type KeptAgent, type Session, type StoreDep } from "#domain";
import { msPerSecond } from "#kit";

/** The client ends one session and starts the next within milliseconds; a busy machine may take longer. */
const clearMsMax = 5 * msPerSecond;
/** Clears of one client that are followed; more in a day is not expected. */
const clearsMax = 100;
/** Sessions looked at that had an event since: more than a person has in the life of one client. */
const sessionsMax = 500;

/** The session that speaks now for the one that began: itself, or what followed it in the same folder. */
export function speaksFor({ store }: StoreDep, sessionId: string): string {
  let current = store.sessions.byId(sessionId);
  for (let clears = 0; current !== null && clears < clearsMax; clears += 1) {
    const next = followerOf({ store }, current);
    if (next === null) return current.sessionId;
    current = next;
  }
  return current?.sessionId ?? sessionId;
}

interface Asking {
  readonly sessionId: string | null;
  /** Agent that asks; absent = only the session tells. */
  readonly agent?: KeptAgent | null;
  /** Key of the project that the agent works in. */
  readonly home?: string | null;
}

/** Sessions of one project that are looked at: more than are open at once. */
const openMax = 50;

/** The session that asks: the one that is named, or the only one of its agent with an open turn in the project. */
export function askingSession(
  { store }: StoreDep,
  { sessionId, agent = null, home = null }: Asking,
): string | null {
  if (sessionId !== null) return speaksFor({ store }, sessionId);
  if (agent === null || home === null) return null;
  const projects = [heirOf(store.projects.rules(), home)];
  const page = { limit: openMax, offset: 0 };
  const [one, ...others] = store.sessions
    .list({ projects, status: "active" }, page)
    .map((session) => session.sessionId)
    .filter((id) => agentOf(id) === agent && store.sessions.currentTurn(id)?.status === "open");
  return one === undefined || others.length > 0 ? null : one;
}

/** What the client began when it ended this session; null while it has not. */
function followerOf({ store }: StoreDep, ended: Session): Session | null {
  const { endedAt, cwd, project, sessionId } = ended;
  if (endedAt === null || ended.status !== "completed") return null;
  const filter = { projects: project === null ? null : [project], sinceMs: endedAt };
  const started = store.sessions
    .list(filter, { limit: sessionsMax, offset: 0 })
    .filter((one) => one.sessionId !== sessionId && one.cwd === cwd)
    .filter((one) => one.startedAt >= endedAt && one.startedAt <= endedAt + clearMsMax);
  return started.toSorted((a, b) => a.startedAt - b.startedAt)[0] ?? null;
}

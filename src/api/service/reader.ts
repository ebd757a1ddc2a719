/**
 * Identifies the session that asks. An MCP server lives as long as its client, and names the
 * session that it began in; after `/clear` the client speaks for a new one.
 */
import {
  agentOf,
  communicationUri,
  heirOf,
  type KeptAgent,
  type MemoryNode,
  type Session,
} from "#domain";
import { cutToTokens, isoDate, msPerSecond, oneLine } from "#kit";
import { limits } from "#memory";
import type { Context } from "./context.ts";

/** The client ends one session and starts the next within milliseconds; a busy machine may take longer. */
const clearMsMax = 5 * msPerSecond;
/** Clears of one client that are followed; more in a day is not expected. */
const clearsMax = 100;
/** Sessions looked at that had an event since: more than a person has in the life of one client. */
const sessionsMax = 500;

/** The session that speaks now for the one that began: itself, or what followed it in the same folder. */
export function speaksFor(context: Context, sessionId: string): string {
  const { store } = context;
  let current = store.sessions.byId(sessionId);
  for (let clears = 0; current !== null && clears < clearsMax; clears += 1) {
    const next = followerOf(context, current);
    if (next === null) return current.sessionId;
    current = next;
  }
  return current?.sessionId ?? sessionId;
}

export interface Asking {
  readonly sessionId: string | null;
  /** Agent that asks; absent = only the session tells. */
  readonly agent?: KeptAgent | null;
  readonly home?: string | null;
  /** Texts typed while the agent worked, gated: they count as typed in this turn. */
  readonly meanwhile?: readonly string[];
}

/** Sessions of one project that are looked at: more than are open at once. */
const openMax = 50;

/** The session that asks: the one that is named, or the only one of its agent with an open turn in the project. */
export function askingSession(
  context: Context,
  { sessionId, agent = null, home = null }: Asking,
): string | null {
  const { store } = context;
  if (sessionId !== null) return speaksFor(context, sessionId);
  if (agent === null || home === null) return null;
  const projects = [heirOf(store.projects.rules().merged, home)];
  const page = { limit: openMax };
  const [one, ...others] = store.sessions
    .list({ projects, status: "active" }, page)
    .map((session) => session.sessionId)
    .filter((id) => agentOf(id) === agent && store.sessions.currentTurn(id)?.status === "open");
  return one === undefined || others.length > 0 ? null : one;
}

/** `followerOf` gives the session that the client began when it ended this one; null while it has not. */
function followerOf({ store }: Context, ended: Session): Session | null {
  const { endedAt, cwd, project, sessionId } = ended;
  if (endedAt === null || ended.status !== "completed") return null;
  const filter = { projects: project === null ? null : [project], sinceMs: endedAt };
  const started = store.sessions
    .list(filter, { limit: sessionsMax })
    .filter((one) => one.sessionId !== sessionId && one.cwd === cwd)
    .filter((one) => one.startedAt >= endedAt && one.startedAt <= endedAt + clearMsMax);
  return started.toSorted((a, b) => a.startedAt - b.startedAt)[0] ?? null;
}

// The relational profile as it is shown: a view of what the user said about how to work, and of what was corrected,
// each with its day and with what it took the place of. It is written nowhere, so nothing says the same twice.

/** Lines of a section; a profile is read whole. */
const linesMax = 12;
const evidenceMax = 10;
/** Room for a heading and the notes of each line. */
const overviewTokensMax = limits.l1TokensMax * 0.9;

/** Returns the node at the profile's address, or else the view; null when nothing was said. */
export function relationOf({ store }: Context): MemoryNode | null {
  const stored = store.nodes.byUri(communicationUri);
  if (stored !== null) return stored.status === "active" ? stored : null;
  const page = { limit: linesMax };
  const rules = store.nodes
    .list({ categories: ["preferences"], projects: [], statuses: ["active"] }, "recent", page)
    .filter(({ origin }) => origin === "user");
  const corrected = store.nodes
    .list({ statuses: ["superseded"], projects: null }, "recent", page)
    .flatMap((old) => {
      const now = store.nodes.successors([old.id]).get(old.id);
      return now?.status === "active" && now.origin === "user" ? [{ now, old }] : [];
    });
  const [latest] = [...rules, ...corrected.map(({ now }) => now)].toSorted(
    (a, b) => b.updatedAt - a.updatedAt,
  );
  if (latest === undefined) return null;
  const isRule = new Set(rules.map(({ id }) => id));
  const before = new Map(corrected.map(({ now, old }) => [now.id, old]));
  const lines = (title: string, nodes: readonly MemoryNode[]): readonly string[] =>
    nodes.length === 0 ? [] : [`${title}:`, ...nodes.map((node) => lineOf(node, before))];
  const others = [...new Map(corrected.map(({ now }) => [now.id, now])).values()];
  const said = rules.length === 0 ? others : rules;
  return {
    ...latest,
    uri: communicationUri,
    category: "profile",
    project: null,
    l0: cutToTokens(
      oneLine(`How the user likes to work: ${said.map(({ l0 }) => l0).join("; ")}`),
      limits.l0TokensMax,
    ),
    l1: cutToTokens(
      [
        ...lines("Feedback calibration", rules),
        ...lines(
          "Corrections received",
          others.filter(({ id }) => !isRule.has(id)),
        ),
      ].join("\n"),
      overviewTokensMax,
    ),
    l2: null,
    tags: ["relational"],
    slot: null,
    evidence: [...rules, ...others].flatMap(({ evidence }) => evidence).slice(0, evidenceMax),
  };
}

function lineOf(
  { id, l0, updatedAt }: MemoryNode,
  before: ReadonlyMap<number, MemoryNode>,
): string {
  const old = before.get(id);
  const notes = [
    `since ${isoDate(updatedAt)}`,
    ...(old === undefined ? [] : [`before: ${oneLine(old.l0)} (${isoDate(old.createdAt)})`]),
  ];
  return `- ${oneLine(l0)} (${notes.join("; ")})`;
}

// Addresses that answered once: of records that are kept otherwise now, and of memories that were edited since.

/** One record is kept of a turn: its exchange answers for the moment, narrative and observation of earlier versions. */
const formerPart = /\/(?:moments|narrative|observations)\/(\d+)$/u;

/** The node that answers for a URI of earlier times; null when none does. */
export function formerlyAt({ store }: Context, uri: string): MemoryNode | null {
  const kept = store.nodes.byUri(uri.replace(formerPart, "/exchanges/$1"));
  if (kept !== null) return kept;
  const id = store.history.formerly(uri);
  return id === null ? null : store.nodes.byId(id);
}

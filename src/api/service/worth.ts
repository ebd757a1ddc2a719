/**
 * Reports whether memory helped: the journal read against what sessions did next. No model is asked
 * and nothing is written.
 */
import {
  type Breakdown,
  type Exposure,
  type InjectionChannel,
  injectionChannels,
  isDelivered,
  makers,
  type MemoryNode,
  nodeStatuses,
  origins,
  type Session,
  shownStatuses,
  type Store,
  type ToolUse,
  type Turn,
} from "#domain";
import { dayStart, msPerDay, tokensOf, letOthersIn } from "#kit";
import { type HelpTurn, isUsed } from "#memory";
import type { WorthItemJson, WorthJson } from "../forms-given.ts";
import { consideredIn } from "./explain.ts";
import { parseReasons } from "./views.ts";
import type { Context } from "./context.ts";
import type { BudgetJson } from "../forms-work.ts";
import type { CountsJson, StatsJson } from "../forms-reports.ts";

/** Sessions that are looked at, the latest first, and what is read of the journal of each. */
const sessionsMax = 300;
const exposuresMax = 2_000;
const injectionsMax = 200;
const listedMax = 20;
const costlyFrom = 3;
const staleMs = 180 * msPerDay;

/** A memory that a session was given unasked, and what came of it. */
interface Giving {
  readonly node: MemoryNode;
  readonly channel: Exclude<InjectionChannel, "hint" | "subagent">;
  readonly outcome: "used" | "contradicted" | "none";
  readonly tokens: number;
}

/** `days`: how far back sessions are looked at, today included. Hooks are let in between sessions. */
export async function worth(context: Context, days = 30): Promise<WorthJson> {
  const { store } = context;
  const nowMs = context.clock.nowMs();
  const sinceMs = (Math.floor(nowMs / msPerDay) - days + 1) * msPerDay;
  const page = { limit: sessionsMax };
  const givings: Giving[] = [];
  const missed: MemoryNode[] = [];
  let sessions = 0;
  for (const session of store.sessions.list({ projects: null, sinceMs }, page)) {
    const found = ofSession(context, session, sinceMs);
    givings.push(...found.givings);
    missed.push(...found.missed);
    if (found.givings.length > 0) sessions += 1;
    await letOthersIn();
  }
  const countOf = (kind: "wrong" | "missing" | "late" | "failed"): number =>
    store.exposure.countInjections({ projects: null, kind, sinceMs });
  const memories = givings.filter(({ node }) => !isQuoted(node));
  const itemOf = itemsOf(givings);
  const given = [...new Map(memories.map(({ node }) => [node.id, node])).values()].map(itemOf);
  return {
    since: sinceMs,
    sessions,
    start: sumOf(givings.filter(({ channel }) => channel === "start")),
    prompt: sumOf(givings.filter(({ channel }) => channel === "prompt")),
    tool: sumOf(givings.filter(({ channel }) => channel === "tool")),
    missed: missed.length,
    judged: { wrong: countOf("wrong"), missing: countOf("missing") },
    undelivered: { late: countOf("late"), failed: countOf("failed") },
    costly: given
      .filter((item) => item.given >= costlyFrom && item.used === 0)
      .sort((a, b) => b.tokens - a.tokens || a.uri.localeCompare(b.uri))
      .slice(0, listedMax),
    stale: unusedSince(store, nowMs - staleMs)
      .slice(0, listedMax)
      .map(itemOf),
  };
}

interface Known extends Pick<Exposure, "nodeId" | "channel" | "atMs"> {
  readonly tokens: number | null;
}

/**
 * All that a session came to know, oldest first. A start tells more than it notes as seen, so that a prompt may still
 * be given it; what it told is in its reasons.
 */
function knownIn({ store }: Context, sessionId: string, sinceMs: number): readonly Known[] {
  const told = store.exposure
    .injections(sessionId, injectionsMax)
    .filter((one) => one.channel === "start" && one.atMs >= sinceMs && isDelivered(one))
    .flatMap(({ atMs, reasons }) =>
      consideredIn(parseReasons(reasons)).flatMap(({ uri, tokens }): readonly Known[] => {
        const node = store.nodes.byUri(uri);
        return node === null ? [] : [{ nodeId: node.id, channel: "start", atMs, tokens }];
      }),
    );
  const shown = store.exposure
    .of(sessionId, sinceMs, exposuresMax)
    .map(({ nodeId, channel, atMs }): Known => ({ nodeId, channel, atMs, tokens: null }));
  return [...told, ...shown].sort((a, b) => a.atMs - b.atMs);
}

/** `ofSession` counts what one session was given, and what it had to fetch although it was there. */
function ofSession(
  context: Context,
  session: Session,
  sinceMs: number,
): { readonly givings: readonly Giving[]; readonly missed: readonly MemoryNode[] } {
  const { store } = context;
  const { sessionId } = session;
  const known = knownIn(context, sessionId, sinceMs);
  const nodes = new Map(
    store.nodes
      .byIds([...new Set(known.map(({ nodeId }) => nodeId))])
      .filter(({ nodeType }) => nodeType === "leaf")
      .map((node) => [node.id, node]),
  );
  if (nodes.size === 0) return { givings: [], missed: [] };
  return {
    givings: givingsOf(context, sessionId, known, nodes),
    missed: known.flatMap(({ nodeId, channel }, at) => {
      const node = nodes.get(nodeId);
      if (node === undefined || isQuoted(node)) return [];
      const isFirst = known.findIndex((one) => one.nodeId === nodeId) === at;
      return channel === "fetch" && isFirst && wasThere(node, session) ? [node] : [];
    }),
  };
}

/** Each memory that was given unasked, once a channel. */
function givingsOf(
  { store }: Context,
  sessionId: string,
  known: readonly Known[],
  nodes: ReadonlyMap<number, MemoryNode>,
): readonly Giving[] {
  const turns = helpTurns(store, sessionId);
  const turnsAt = (channel: Giving["channel"], atMs: number): readonly HelpTurn[] =>
    channel === "tool" ? helpTurns(store, sessionId, atMs) : turns;
  const newer = store.nodes.successors([...nodes.keys()]);
  const givings = new Map<string, Giving>();
  for (const { nodeId, channel, atMs, tokens } of known) {
    const node = nodes.get(nodeId);
    const key = `${channel} ${nodeId}`;
    if (node === undefined || !isUnasked(channel) || givings.has(key)) continue;
    // A start tells how the last session went, which is no quotation.
    if (channel === "start" && isQuoted(node)) continue;
    const isFetched = known.some(
      (one) => one.nodeId === nodeId && one.channel === "fetch" && one.atMs >= atMs,
    );
    const outcome = isReplacedIn(newer.get(nodeId), sessionId, atMs)
      ? "contradicted"
      : isFetched || isUsed(node, { atMs, channel }, turnsAt(channel, atMs))
        ? "used"
        : "none";
    givings.set(key, { node, channel, outcome, tokens: tokens ?? tokensOf(node.l0) });
  }
  return [...givings.values()];
}

/** True for a quoted exchange: it is given like a memory, but there is nothing to clear out or to pin. */
const isQuoted = ({ category }: MemoryNode): boolean => category === "sessions";

const isUnasked = (channel: Exposure["channel"]): channel is Giving["channel"] =>
  channel !== "subagent" &&
  channel !== "hint" &&
  injectionChannels.some((unasked) => unasked === channel);

const wasThere = (node: MemoryNode, { sessionId, startedAt }: Session): boolean =>
  node.createdAt < startedAt && node.sourceSession !== sessionId;

/** The user said otherwise in this session, after it was given. */
const isReplacedIn = (newer: MemoryNode | undefined, sessionId: string, sinceMs: number): boolean =>
  newer !== undefined &&
  newer.origin === "user" &&
  newer.createdAt >= sinceMs &&
  newer.evidence.some((one) => one.sessionId === sessionId);

/**
 * `helpTurns` gives, turn by turn, the evidence of whether a memory helped. What was given beside a
 * tool, at `givenMs`, divides its turn: what the agent had done before is no sign of it.
 */
export const helpTurns = (
  { sessions }: Store,
  sessionId: string,
  givenMs: number | null = null,
): readonly HelpTurn[] => {
  const tools = Map.groupBy(sessions.toolUses(sessionId, null), ({ turn }) => turn);
  const deeds = (some: readonly ToolUse[]): readonly string[] =>
    some.flatMap(({ target, files }) => [target ?? "", files.join("\n")]);
  return sessions.turns(sessionId).flatMap((turn): readonly HelpTurn[] => {
    const { startedAt: atMs, filesRead, filesEdited } = turn;
    const [prompt, answer] = [turn.prompt ?? "", turn.answer ?? ""];
    const all = tools.get(turn.n) ?? [];
    const later = givenMs === null ? [] : all.filter((use) => use.atMs > givenMs);
    if (givenMs === null || givenMs <= atMs || (later.length === 0 && isOver(turn, givenMs)))
      return [
        { atMs, prompt, done: [...deeds(all), ...filesRead, ...filesEdited, answer].join("\n") },
      ];
    const before = all.filter((use) => use.atMs <= givenMs);
    return [
      { atMs, prompt, done: deeds(before).join("\n") },
      { atMs: givenMs, prompt: "", done: [...deeds(later), answer].join("\n") },
    ];
  });
};

const isOver = ({ endedAt }: Turn, atMs: number): boolean => endedAt !== null && endedAt < atMs;

const unusedSince = ({ nodes }: Store, untilMs: number): readonly MemoryNode[] =>
  nodes
    .list({ projects: null, statuses: ["active"], used: false, pinned: false, untilMs }, "recent", {
      limit: listedMax * 10,
    })
    .filter(({ nodeType, category }) => nodeType === "leaf" && category !== "sessions");

function sumOf(givings: readonly Giving[]): WorthJson["start"] {
  const count = (outcome: Giving["outcome"]): number =>
    givings.filter((one) => one.outcome === outcome).length;
  const tokens = (some: readonly Giving[]): number =>
    some.reduce((sum, one) => sum + one.tokens, 0);
  return {
    given: givings.length,
    used: count("used"),
    contradicted: count("contradicted"),
    tokens: tokens(givings),
    tokens_unused: tokens(givings.filter(({ outcome }) => outcome !== "used")),
  };
}

function itemsOf(givings: readonly Giving[]): (node: MemoryNode) => WorthItemJson {
  const byNode = Map.groupBy(givings, ({ node }) => node.id);
  return (node) => {
    const { given, used, contradicted, tokens } = sumOf(byNode.get(node.id) ?? []);
    const { uri, l0, project } = node;
    return { uri, l0, project, given, used, contradicted, tokens };
  };
}

// Figures: what there is, how it came, what was shown and used.

/** `days`: how far back is looked for what was shown, today included. */
export function stats(context: Context, days = 30): StatsJson {
  const { store } = context;
  const parts = store.figures.breakdown();
  const memories = parts.filter((part) => !isArchive(part));
  const shown = memories.filter(isShown);
  const used = sum(shown, (part) => part.used);
  return {
    counts: countsWith(store, parts),
    by_category: tally(
      parts.filter(isShown).map(({ category, count }) => [category, count]),
      [],
    ),
    by_status: tally(
      memories.map(({ status, count }) => [status, count]),
      nodeStatuses,
    ),
    by_origin: tally(
      shown.flatMap(({ byOrigin }) => Object.entries(byOrigin)),
      origins,
    ),
    by_maker: tally(
      shown.flatMap(({ byMaker }) => Object.entries(byMaker)),
      makers,
    ),
    pinned: sum(shown, ({ pinned }) => pinned),
    projects: store.admin.projects(),
    surfaced: store.figures.shown(dayStart(context.clock.nowMs(), null, 1 - days)),
    used: {
      memories: used,
      uses: sum(shown, ({ uses }) => uses),
      never: sum(shown, ({ count }) => count) - used,
    },
    tokens: budgetOf(context),
  };
}

export const budgetOf = ({ clock, models, store }: Context): BudgetJson => ({
  tokens_today: store.ledger.tokensSince(dayStart(clock.nowMs()), null),
  tokens_per_day: models.language().tokensPerDay,
});

export const countsOf = (store: Store): CountsJson => countsWith(store, store.figures.breakdown());

function countsWith(store: Store, parts: readonly Breakdown[]): CountsJson {
  const { turns, checkpoints } = store.sessions.recordCounts();
  const shown = parts.filter(isShown);
  const archive = shown.filter(isArchive);
  return {
    memories: sum(shown, ({ count }) => count) - sum(archive, ({ count }) => count),
    // A memory that has ended is none.
    exchanges: sum(archive, ({ byMaker }) => byMaker.stop),
    checkpoints,
    sessions: store.sessions.count(),
    turns,
    events: store.events.count(),
  };
}

const isArchive = ({ category }: Breakdown): boolean => category === "sessions";

/** Shown are the memories that hold and those that held; what waits or was put away is counted by status alone. */
const isShown = ({ status }: Breakdown): boolean => shownStatuses.some((one) => one === status);

const sum = (parts: readonly Breakdown[], of: (part: Breakdown) => number): number =>
  parts.reduce((total, part) => total + of(part), 0);

/** Counts by name; `names` are there also when nothing has them. */
function tally(
  counts: readonly (readonly [name: string, count: number])[],
  names: readonly string[],
): Readonly<Record<string, number>> {
  const totals = new Map(names.map((name) => [name, 0]));
  for (const [name, count] of counts) totals.set(name, (totals.get(name) ?? 0) + count);
  return Object.fromEntries(totals);
}

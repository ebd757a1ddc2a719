/**
 * What the client's status line shows of a session. Asked several times a second while the agent works, so it is
 * cheap.
 */
import type { StatusLineJson } from "#api";
import { archiveUri, significanceOf } from "#memory";
import { dayStart, msPerMinute, msPerSecond } from "#kit";
import type { Context } from "./context.ts";

export interface StatusLineAsk {
  readonly sessionId: string;
  readonly cwd: string | null;
  /** How long the session has run; null = not known. */
  readonly ageMs: number | null;
}

export interface StatusLineApi {
  readonly statusLine: (ask: StatusLineAsk) => StatusLineJson;
}

/** What waits longer than this does not wait for a busy moment. */
const spoolMsMax = msPerMinute;
/** A session that has run for this long has had its start and, in use, a prompt. */
const unseenMs = 30 * msPerSecond;
/** Turns that are looked through for the last one that was kept. */
const turnsMax = 100;

export const createStatusLineApi = (context: Context): StatusLineApi => ({
  statusLine: (ask) => ({
    surfaced: context.store.exposure.shownCount(ask.sessionId),
    moment: context.announce() === "statusline" ? lastMoment(context, ask.sessionId) : null,
    tokens: tokens(context),
    trouble: trouble(context, ask),
  }),
});

function lastMoment({ store }: Context, sessionId: string): StatusLineJson["moment"] {
  const last = store.sessions.currentTurn(sessionId)?.n ?? 0;
  for (let n = last; n > Math.max(0, last - turnsMax); n -= 1) {
    const node = store.nodes.byUri(archiveUri({ sessionId, part: "exchanges", n }));
    const score = node?.status === "active" ? significanceOf(node) : null;
    if (node !== null && score !== null) return { type: node.tags[0] ?? "", score };
  }
  return null;
}

function tokens({ clock, models, store }: Context): StatusLineJson["tokens"] {
  const { provider, tokensPerDay } = models.language();
  if (provider === "none") return null;
  const today = store.ledger.tokensSince(dayStart(clock.nowMs()), null);
  return { today, per_day: tokensPerDay };
}

function trouble(context: Context, ask: StatusLineAsk): string | null {
  const { clock, pause, store } = context;
  const nowMs = clock.nowMs();
  if (pause.state(nowMs).paused) return "paused";
  if (ask.cwd !== null && !context.isCaptured(ask.cwd)) return "switched off here";
  const { files, oldestMs } = context.spoolSize();
  if (oldestMs !== null && nowMs - oldestMs > spoolMsMax)
    return `${files} ${files === 1 ? "event waits" : "events wait"}`;
  const isLong = ask.ageMs !== null && ask.ageMs > unseenMs;
  return isLong && store.sessions.byId(ask.sessionId) === null
    ? "no hook seen in this session"
    : null;
}

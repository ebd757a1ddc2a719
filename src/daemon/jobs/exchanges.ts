/** Gathers what was said and done in a turn, and keeps it as a leaf of the archive. */
import type { MemoryNode, NodeDraft, Store, Turn } from "#domain";
import { archiveUri, type Exchange, exchangeOf, significanceOf, type TurnContext } from "#memory";
import { index } from "./remember.ts";
import type { WorkerContext } from "../context.ts";

export function turnContextOf(store: Store, turn: Turn): TurnContext {
  const session = store.sessions.byId(turn.sessionId);
  const { project, branch } = session ?? { project: null, branch: null };
  const [previous] = store.sessions.turnsBefore(turn.sessionId, turn.n, 1);
  return {
    sessionId: turn.sessionId,
    turn: turn.n,
    project,
    branch,
    atMs: turn.startedAt,
    prompt: turn.prompt === "" ? null : turn.prompt,
    answer: turn.answer,
    interrupted: turn.status === "interrupted",
    previousPrompt: previous?.isPrivate === true ? null : (previous?.prompt ?? null),
    previousAnswer: previous?.answer ?? null,
    isHeadless: turn.isHeadless === true,
    isPrivate: turn.isPrivate === true,
    tools: store.sessions.toolUses(turn.sessionId, turn.n),
  };
}

/** `endOfTurn` gives the end of a turn: what was made of it as a whole, or said in its answer, is of that time. */
export const endOfTurn = ({ startedAt, endedAt }: Turn): number =>
  Math.max(startedAt, endedAt ?? startedAt);

/** Files that a turn touched, kept with what was said in it. */
const filesMax = 8;

/** Inside the job's transaction. A turn that is judged again replaces what was kept of it. */
export function keepExchange(
  deps: WorkerContext,
  turn: TurnContext,
  by: string,
  atMs: number,
): void {
  const { nodes } = deps.store;
  const uri = archiveUri({ sessionId: turn.sessionId, part: "exchanges", n: turn.turn });
  const exchange = exchangeOf(turn);
  if (exchange === null || nodes.isForgotten(exchange.l0)) return;
  const known = nodes.byUri(uri);
  if (known !== null && isSame(known, exchange)) return;
  const cause = { atMs, by, reason: "said in this turn" };
  const { l0, l1, l2, importance, tags } = exchange;
  const node =
    known === null
      ? nodes.insert(draftOf(turn, uri, exchange), { ...cause, action: "create" })
      : nodes.update(known.id, { l0, l1, l2, importance, tags }, { ...cause, action: "edit" });
  index(deps, node);
  deps.log.write("info", "evaluation", {
    session: turn.sessionId,
    turn: turn.turn,
    type: tags[0] ?? "",
    score: significanceOf(tags),
  });
}

const isSame = (known: MemoryNode, { l0, l1, l2, tags }: Exchange): boolean =>
  known.l0 === l0 && known.l1 === l1 && known.l2 === l2 && known.tags.join() === tags.join();

const draftOf = (
  turn: TurnContext,
  uri: string,
  { l0, l1, l2, importance, tags }: Exchange,
): NodeDraft => ({
  uri,
  category: "sessions",
  project: turn.project,
  branch: turn.branch,
  l0,
  l1,
  l2,
  importance,
  tags,
  files: [...new Set(turn.tools.flatMap(({ files }) => files))].slice(0, filesMax),
  origin: turn.prompt === null ? "agent" : "user",
  maker: "stop",
  sourceSession: turn.sessionId,
  validFrom: turn.atMs,
});

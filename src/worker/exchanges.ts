/** Keeps what was said in a turn as a leaf of the archive. */
import type { NodeDraft, RevisionCause } from "#domain";
import { archiveUri, exchangeOf, type Exchange, type TurnContext } from "#memory";
import { index, type RememberDeps } from "./remember.ts";

/** Files that a turn touched, kept with what was said in it. */
const filesMax = 8;

/** Inside the job's transaction. A turn that is judged again replaces what was kept of it. */
export function keepExchange(
  deps: RememberDeps,
  turn: TurnContext,
  { by, atMs }: Pick<RevisionCause, "atMs" | "by">,
): void {
  const { nodes } = deps.store;
  const uri = archiveUri({ sessionId: turn.sessionId, part: "exchanges", n: turn.turn });
  const exchange = exchangeOf(turn);
  if (exchange === null || nodes.isForgotten(exchange.l0)) return;
  const known = nodes.byUri(uri);
  if (known?.l0 === exchange.l0 && known.l1 === exchange.l1) return;
  const cause = (action: RevisionCause["action"]): RevisionCause => ({
    atMs,
    action,
    by,
    reason: "said in this turn",
  });
  const { l0, l1, importance } = exchange;
  const node =
    known === null
      ? nodes.insert(draftOf(turn, uri, exchange), cause("create"))
      : nodes.update(known.id, { l0, l1, importance }, cause("edit"));
  index(deps, node);
}

const draftOf = (turn: TurnContext, uri: string, { l0, l1, importance }: Exchange): NodeDraft => ({
  uri,
  category: "sessions",
  project: turn.project,
  branch: turn.branch,
  l0,
  l1,
  importance,
  files: [...new Set(turn.tools.flatMap(({ files }) => files))].slice(0, filesMax),
  origin: turn.prompt === null ? "agent" : "user",
  maker: "stop",
  sourceSession: turn.sessionId,
  validFrom: turn.atMs,
});

/**
 * What is given beside the prompts: the standing rules to a subagent, what is known of a failure to the tool that met
 * it, and of a file to the one that opens it. Nothing, most of the time; never twice in a session.
 */
import { agentOf, anchorsIn, isDelivered, isExchange, shortIdOf, type MemoryNode } from "#domain";
import { tokensOf } from "#kit";
import {
  anchorMark,
  collectStartSnapshot,
  composeBeside,
  composeRules,
  isHere,
  type BesideCause,
  isGiven,
} from "#memory";
import type { Applied } from "./apply.ts";
import type { AcceptDeps } from "./deps.ts";
import { anchorsFrom, record, seenBy } from "./inject.ts";
import { metBefore } from "./met-before.ts";
import { ofFile } from "./of-file.ts";
import { reachOf } from "./places.ts";
import type { PreparedEvent } from "./prepare.ts";

/** Injections of a session looked through for what they told already. */
const injectionsMax = 200;

/** Empty for events of another kind. Only Claude Code was seen to read such answers. */
export function injectBeside(deps: AcceptDeps, event: PreparedEvent, applied: Applied): string {
  if (agentOf(event.sessionId) !== "claude") return "";
  if (event.type === "subagent-start") return injectForSubagent(deps, event, applied);
  return event.type === "tool" && deps.settings().inject.tools
    ? injectForTool(deps, event, applied)
    : "";
}

/** The standing rules; empty when there are none. A subagent starts without what its session was told. */
function injectForSubagent(
  deps: AcceptDeps,
  event: PreparedEvent & { type: "subagent-start" },
  { session }: Applied,
): string {
  const { store } = deps;
  const tokensMax = deps.settings().inject.subagentTokens;
  if (tokensMax === 0) return "";
  const home = reachOf(deps, event, session);
  const { text, reasons } = composeRules(
    collectStartSnapshot(
      { nodes: store.nodes, sessions: store.sessions, exposure: store.exposure },
      {
        sessionId: event.sessionId,
        project: home,
        projectName: home === null ? null : session.projectName,
        branch: session.branch,
        source: "startup",
        nowMs: event.atMs,
        tokensMax,
        command: null,
        ...anchorsFrom(deps, event),
      },
    ),
    tokensMax,
  );
  if (text !== "")
    // The session itself has not seen them by this.
    record(deps, {
      event,
      channel: "subagent",
      cause: event.agentType,
      text,
      nodeIds: [],
      reasons,
    });
  return text;
}

/** At most one line about what a tool has just done; empty nearly always. */
function injectForTool(
  deps: AcceptDeps,
  event: PreparedEvent & { type: "tool" },
  { session, turn }: Applied,
): string {
  const isFailed = event.tool.outcome === "error";
  const node = isLookedUp(event, turn) ? nodeFor(deps, event, session) : null;
  if (node === null) return "";
  const cause: BesideCause = isFailed ? "failure" : "file";
  const text = composeBeside(node, {
    cause,
    nowMs: event.atMs,
    anchored: anchorMark(anchorsOf(deps, node, event)),
  });
  const reasons = [{ uri: node.uri, tokens: tokensOf(text) }];
  record(deps, { event, channel: "tool", cause, text, nodeIds: [node.id], reasons });
  return text;
}

/** What a subagent does is its own; of a private turn nothing is looked up. */
const isLookedUp = ({ tool }: PreparedEvent & { type: "tool" }, turn: Applied["turn"]): boolean =>
  tool.agentId === null && turn !== null && turn.prompt !== null;

function nodeFor(
  deps: AcceptDeps,
  event: PreparedEvent & { type: "tool" },
  session: Applied["session"],
): MemoryNode | null {
  const { tool, project, sessionId } = event;
  const isFailed = tool.outcome === "error";
  if (project === null || (isFailed ? tool.text === null : tool.files.length === 0)) return null;
  const home = reachOf(deps, event, session);
  if (home !== project.key) return null;
  const offer = { event, branch: session.branch, home };
  const isOffered = (node: MemoryNode): boolean => isNew(deps, node, offer);
  if (!isFailed) return ofFile(deps, { tool, sessionId, project, isOffered });
  const text = tool.text ?? "";
  return metBefore(deps, { text, sessionId, project: home, nowMs: event.atMs, isOffered });
}

/** As they stand in the working tree, or where that is not looked at, as they were seen last. */
const anchorsOf = (
  deps: AcceptDeps,
  node: MemoryNode,
  event: PreparedEvent,
): ReturnType<typeof anchorsIn> =>
  anchorsFrom(deps, event).anchorsHere?.(node) ?? anchorsIn(node.anchors);

/** It holds here and now, and this session was not told it: not as seen, and in no text that it was given. */
function isNew(
  deps: AcceptDeps,
  node: MemoryNode,
  {
    event,
    branch,
    home,
  }: { readonly event: PreparedEvent; readonly branch: string | null; readonly home: string },
): boolean {
  const { store } = deps;
  if (node.status !== "active" || node.project !== home || node.origin === "team") return false;
  if (node.expiresAt !== null && node.expiresAt <= event.atMs) return false;
  if (!isGiven(node, event.atMs)) return false;
  if (node.category === "sessions" && !isExchange(node.uri)) return false;
  if (seenBy(store, event.sessionId, []).has(node.id)) return false;
  const anchors = anchorsOf(deps, node, event);
  if (!isHere(anchors, { branch, isSeen: deps.code !== undefined })) return false;
  const id = new RegExp(`${shortIdOf(node.id)}\\b`);
  return !store.exposure
    .injections(event.sessionId, injectionsMax)
    .some((one) => one.channel !== "subagent" && isDelivered(one) && id.test(one.text));
}

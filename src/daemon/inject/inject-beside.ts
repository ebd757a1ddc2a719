/**
 * Gives context beside the prompts: the standing rules to a subagent, what is known of a failure to
 * the tool that met it, and of a file to the one that opens it. Nothing, most of the time; never
 * twice in a session.
 */
import {
  agentOf,
  anchorsIn,
  type DocumentKind,
  editingTools,
  failureLineOf,
  isDelivered,
  isExchange,
  type MemoryNode,
  type ProjectIdentity,
  type Session,
  shortIdOf,
} from "#domain";
import { tokensOf } from "#kit";
import {
  anchorMark,
  type BesideCause,
  collectStartSnapshot,
  composeBeside,
  composeRules,
  isGiven,
  isHere,
  isSymptomOf,
} from "#memory";
import type { Applied } from "../intake/apply.ts";
import { anchorsFrom, record, seenBy } from "./inject.ts";
import { reachOf } from "../intake/moved.ts";
import type { PreparedEvent } from "../intake/prepare.ts";
import type { WorkerContext } from "../context.ts";

/** Injections of a session looked through for what they told already. */
const injectionsMax = 200;

/** Empty for events of another kind. Only Claude Code was seen to read such answers. */
export function injectBeside(deps: WorkerContext, event: PreparedEvent, applied: Applied): string {
  if (agentOf(event.sessionId) !== "claude") return "";
  if (event.type === "subagent-start") return injectForSubagent(deps, event, applied);
  return event.type === "tool" && deps.settings().inject.tools
    ? injectForTool(deps, event, applied)
    : "";
}

/** The standing rules; empty when there are none. A subagent starts without what its session was told. */
function injectForSubagent(
  deps: WorkerContext,
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
  deps: WorkerContext,
  event: PreparedEvent & { type: "tool" },
  { session, turn }: Applied,
): string {
  const isFailed = event.tool.outcome === "error";
  // A subagent's acts are its own; of a private turn nothing is looked up.
  const isLookedUp = event.tool.agentId === null && turn !== null && turn.prompt !== null;
  const node = isLookedUp ? nodeFor(deps, event, session) : null;
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

function nodeFor(
  deps: WorkerContext,
  event: PreparedEvent & { type: "tool" },
  session: Session,
): MemoryNode | null {
  const { tool, project } = event;
  const isFailed = tool.outcome === "error";
  if (project === null || (isFailed ? tool.text === null : tool.files.length === 0)) return null;
  if (reachOf(deps, event, session) !== project.key) return null;
  const ask: Ask = { event, project, isOffered: (node) => isNew(deps, node, event, session) };
  return isFailed ? metBefore(deps, ask) : ofFile(deps, ask);
}

interface Ask {
  readonly event: PreparedEvent & { type: "tool" };
  readonly project: ProjectIdentity;
  /** False for what must not be given here. */
  readonly isOffered: (node: MemoryNode) => boolean;
}

/** As they stand in the working tree, or where that is not looked at, as they were seen last. */
const anchorsOf = (
  deps: WorkerContext,
  node: MemoryNode,
  event: PreparedEvent,
): ReturnType<typeof anchorsIn> =>
  anchorsFrom(deps, event).anchorsHere?.(node) ?? anchorsIn(node.anchors);

/** It holds here and now, and this session was not told it: not as seen, and in no text that it was given. */
function isNew(
  deps: WorkerContext,
  node: MemoryNode,
  event: PreparedEvent,
  { branch }: Session,
): boolean {
  const { store } = deps;
  if (node.status !== "active" || node.project !== event.project?.key) return false;
  if (node.origin === "team") return false;
  if (node.expiresAt !== null && node.expiresAt <= event.atMs) return false;
  if (!isGiven(node, event.atMs)) return false;
  if (node.category === "sessions" && !isExchange(node.uri)) return false;
  if (seenBy(store, event.sessionId, []).has(node.id)) return false;
  const anchors = anchorsOf(deps, node, event);
  if (!isHere(anchors, { branch, isSeen: true })) return false;
  const id = new RegExp(`${shortIdOf(node.id)}\\b`);
  return !store.exposure
    .injections(event.sessionId, injectionsMax)
    .some((one) => one.channel !== "subagent" && isDelivered(one) && id.test(one.text));
}

// Failure recall: the one memory or exchange that tells of the failure that a tool has just met. Read-only.

/** Looked at closely, of each kind. */
const foundMax = 8;
/** A memory says in words what went wrong; an exchange may only quote it. */
const kinds: readonly DocumentKind[] = ["memory", "exchange"];

/** The best match; null when nothing that is known tells of this failure. */
function metBefore({ finder }: WorkerContext, ask: Ask): MemoryNode | null {
  const { event, project } = ask;
  const line = failureLineOf(event.tool.text ?? "");
  if (line === null) return null;
  for (const kind of kinds) {
    const found = finder.find({
      text: line.text,
      kinds: [kind],
      projects: [project.key],
      homeProject: project.key,
      statuses: ["active"],
      limit: foundMax,
      sort: "relevance",
      nowMs: event.atMs,
    });
    for (const { node } of found)
      if (node !== null && isOfBefore(node, ask) && isSymptomOf(line, allOf(node))) return node;
  }
  return null;
}

/** Words of this session stand in its context already. Memories of everywhere are no failures of this project. */
const isOfBefore = (node: MemoryNode, { event, project, isOffered }: Ask): boolean =>
  node.project === project.key && node.sourceSession !== event.sessionId && isOffered(node);

const allOf = ({ uri, l0, l1, l2 }: MemoryNode): string =>
  // An exchange's whole text also holds what was tried and said beside it.
  isExchange(uri) ? `${l0}\n${l1 ?? ""}` : `${l0}\n${l1 ?? ""}\n${l2 ?? ""}`;

// File recall: what is known of a file, when a session opens it for the first time. Read-only.

const opens = (tool: string): boolean => tool === "Read" || editingTools.has(tool);
/** Memories that name one file, looked at. */
const anchoredMax = 50;

/** The memory of the file that counts most; null when there is none, or the session has opened the file before. */
function ofFile({ store }: WorkerContext, { event, project, isOffered }: Ask): MemoryNode | null {
  const { tool, sessionId } = event;
  const [file] = tool.files;
  if (file === undefined || !opens(tool.tool)) return null;
  const path = within(project.root, file);
  if (path === null) return null;
  const [best] = store.nodes
    .anchored(project.key, path, anchoredMax)
    .filter(
      (node) =>
        anchorsIn(node.anchors).some(
          (one) => (one.movedTo ?? one.path) === path && one.state !== "gone",
        ) && isOffered(node),
    )
    .toSorted((a, b) => b.importance - a.importance || b.updatedAt - a.updatedAt || b.id - a.id);
  if (best === undefined) return null;
  // Asked last, since few files have a memory: the session's tools so far, this one among them.
  const times = store.sessions
    .toolUses(sessionId, null)
    .filter((use) => opens(use.tool) && use.files.includes(file)).length;
  return times > 1 ? null : best;
}

/** Relative to the top of the working tree, with slashes; null for a file elsewhere. */
function within(root: string, file: string): string | null {
  const [top, path] = [root, file].map((one) => one.replaceAll("\\", "/"));
  return top !== undefined && path?.startsWith(`${top}/`) ? path.slice(top.length + 1) : null;
}

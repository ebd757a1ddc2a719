/** Hook events between the hook process and the daemon. */
import { isWithin } from "./home.ts";
import type { hookNames } from "./vocabulary.ts";

export type HookName = (typeof hookNames)[number];

/**
 * The client's event names and ours. PostToolBatch is not registered, but if it arrives its calls count as `tool`.
 * Anything else is accepted and ignored.
 */
export const hookNameByClientEvent: Readonly<Record<string, HookName>> = {
  SessionStart: "start",
  UserPromptSubmit: "submit",
  PostToolUse: "tool",
  PostToolUseFailure: "tool",
  PostToolBatch: "tool",
  Stop: "stop",
  SubagentStart: "subagent",
  SubagentStop: "subagent",
  PreCompact: "compact",
  PostCompact: "compact",
  SessionEnd: "end",
};

/** Events after which a context reaches the model. On Stop it would make it go on, on SessionEnd it is rejected. */
export const answeredEvents: readonly string[] = [
  "SessionStart",
  "UserPromptSubmit",
  "SubagentStart",
  "PostToolUse",
  "PostToolUseFailure",
];

export interface NamedProject {
  /** Stable key: normalised remote (`github.com/acme/api`) or `dir:<hash>` of the repository root's real path. */
  readonly key: string;
  /** Folder name or repository name, for people. */
  readonly name: string;
}

/** The project that a folder belongs to (docs/design/capture.md, "Project identity"). */
export interface ProjectIdentity extends NamedProject {
  readonly root: string;
  readonly branch: string | null;
}

/** The path on which hooks confirm answers: the last part of the path. */
export const confirmPath = "delivered";

/** The message of a hook process: over the socket as JSON, or as one spool file (then already gated). */
export interface HookEnvelope {
  readonly v: 1;
  readonly hook: HookName;
  /** The client's own event name, such as `PostToolUse`. */
  readonly clientEvent: string;
  /** Idempotency key: session, event, tool_use_id or prompt_id, content hash; else with the invocation id. */
  readonly key: string;
  /** Hash of the content without ids, for "two equal prompts within a second". */
  readonly contentHash: string;
  /** True when the key holds an invocation id because the payload had no id of its own. */
  readonly anonymous: boolean;
  /** Event time: CONTINUITY_NOW when given, else the system clock. */
  readonly atMs: number;
  /** True when CONTINUITY_NOW set the clock. */
  readonly replayed: boolean;
  /** True when private blocks and secrets are already out (spool files always are). */
  readonly gated: boolean;
  /** The slimmed payload as the client sent it (see src/hooks/slim.ts for what is never kept). */
  readonly payload: Readonly<Record<string, unknown>>;
  /**
   * The time at which the hook's process began, by the system's clock; absent from senders that are
   * no hook process.
   */
  readonly startedAtMs?: number;
  /** Present from a hook that confirms its answer once the client has it (`confirmPath`). */
  readonly confirms?: true;
  /** The time that the hook had taken when it left the event in the spool, in ms. */
  readonly tookMs?: number;
  /** Zone of whoever typed, when the hook's environment names one; else it is that of the daemon. */
  readonly zone?: string;
  /** Present in spool files, where the folder may be gone when they are drained. */
  readonly project?: ProjectIdentity | null;
}

/** The daemon's answer to a hook. */
export interface HookReply {
  /** Text for `additionalContext`; empty = print nothing. */
  readonly context: string;
  /** False when this key was accepted before. */
  readonly fresh: boolean;
  /** A line for the user, which the model does not get. */
  readonly message?: string;
}

// A folder on this machine in which a project was seen, and whether it is believed to be that project
// (docs/adr/0039). A remote is a claim that any archive can make; a shared history is not. Pure.

export interface Place {
  /** Top folder of a working tree, without symlinks. */
  readonly root: string;
  readonly isTrusted: boolean;
}

export interface PlaceStore {
  /**
   * Places of a project, the latest first. Where none is trusted, folders of its sessions (an import's) count as such,
   * but those of `root` itself.
   */
  readonly of: (project: string, root: string) => readonly Place[];
  /** Project that was last seen in this folder; null when none was. */
  readonly in: (root: string) => string | null;
  /** True when the project was seen in this folder. */
  readonly at: (project: string, root: string) => boolean;
  /** Other projects without a remote that have one of these commits or folder marks, at most eight. */
  readonly sharing: (project: string, ids: readonly string[]) => readonly string[];
  readonly put: (project: string, place: Place, atMs: number) => void;
  /** Commits that trusted places had, the oldest and the latest ones. Marks of folders are not among them. */
  readonly commits: (project: string) => readonly string[];
  /** Adds commits, and marks of folders (`folder:…`). */
  readonly addCommits: (project: string, ids: readonly string[], atMs: number) => void;
}

/** The git metadata of a working tree, read without git. */
export interface History {
  /** Top folder of the main working tree, when this is one of its worktrees and it says so itself; else its own. */
  readonly mainRoot: string;
  /** Commits that it names as its own: tips, and where its log began. */
  readonly commits: readonly string[];
  /** Tells whether one of these commits is there. */
  readonly hasAny: (ids: readonly string[]) => boolean;
}

/** Known places whose objects are looked into. */
const lookedIntoMax = 4;

/** True when this folder may be given what is known of its project; one without a repository has no history. */
export function isTrustedPlace(
  places: PlaceStore,
  { key, root }: ProjectIdentity,
  historyAt: (folder: string) => History | null,
): boolean {
  // The folder itself is the key.
  if (key.startsWith("dir:")) return true;
  const known = places.of(key, root);
  const trusted = known.filter(({ isTrusted }) => isTrusted);
  if (trusted.length === 0 || trusted.some((place) => isWithin(root, place.root))) return true;
  const history = historyAt(root);
  if (history === null) return false;
  return (
    trusted.some((place) => isWithin(history.mainRoot, place.root)) ||
    history.hasAny(places.commits(key)) ||
    trusted.slice(0, lookedIntoMax).some((place) => {
      const theirs = historyAt(place.root);
      return theirs !== null && (theirs.hasAny(history.commits) || history.hasAny(theirs.commits));
    })
  );
}

/** File recall: what is known of a file, when a session opens it for the first time. Read-only. */
import { anchorsIn, type MemoryNode, type ProjectIdentity } from "#domain";
import type { AcceptDeps } from "./deps.ts";
import type { ToolRecord } from "./payload.ts";

export interface FileAsk {
  readonly tool: ToolRecord;
  readonly sessionId: string;
  readonly project: ProjectIdentity;
  /** False for what must not be given here. */
  readonly isOffered: (node: MemoryNode) => boolean;
}

const opening: ReadonlySet<string> = new Set([
  "Read",
  "Edit",
  "Write",
  "MultiEdit",
  "NotebookEdit",
]);
/** Memories that name one file, looked at. */
const anchoredMax = 50;

/** The memory of the file that counts most; null when there is none, or the session has opened the file before. */
export function ofFile({ store }: AcceptDeps, ask: FileAsk): MemoryNode | null {
  const { tool, project, sessionId } = ask;
  const [file] = tool.files;
  if (file === undefined || !opening.has(tool.tool)) return null;
  const path = within(project.root, file);
  if (path === null) return null;
  const [best] = store.nodes
    .anchored(project.key, path, anchoredMax)
    .filter((node) => isAbout(node, path) && ask.isOffered(node))
    .toSorted((a, b) => b.importance - a.importance || b.updatedAt - a.updatedAt || b.id - a.id);
  if (best === undefined) return null;
  // Asked last, since few files have a memory: the session's tools so far, this one among them.
  const times = store.sessions
    .toolUses(sessionId, null)
    .filter((use) => opening.has(use.tool) && use.files.includes(file)).length;
  return times > 1 ? null : best;
}

/** Relative to the top of the working tree, with slashes; null for a file elsewhere. */
function within(root: string, file: string): string | null {
  const [top, path] = [root, file].map((one) => one.replaceAll("\\", "/"));
  return top !== undefined && path?.startsWith(`${top}/`) ? path.slice(top.length + 1) : null;
}

const isAbout = ({ anchors }: MemoryNode, path: string): boolean =>
  anchorsIn(anchors).some(
    (anchor) => (anchor.movedTo ?? anchor.path) === path && anchor.state !== "gone",
  );

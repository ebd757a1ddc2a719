/**
 * Finds the work that the last sessions left open, and memories about it: the same files, or the same subject. Pure.
 */
import { type NodeOutline, openEndKey, type OpenEndsState, type SessionStore } from "#domain";
import { readWords } from "#language";
import { slotNameOf } from "./slot-name.ts";
import type { StartSnapshot } from "./start-types.ts";

/** Sessions that count as the last ones. */
const sessionsMax = 2;

type Work = Pick<StartSnapshot, "digests">;

/** True for a memory of a file that was edited there, or whose subject stands in what is open. */
export function isOfOpenWork(node: NodeOutline, { digests }: Work): boolean {
  const open = digests.slice(0, sessionsMax).filter((digest) => digest.open.length > 0);
  return isNearTo(
    node,
    open.flatMap(({ filesEdited }) => filesEdited),
    open.flatMap((digest) => [digest.request].concat(digest.open)),
  );
}

/** True for a memory of what the last sessions did, open or not. */
export function isOfLastWork(node: NodeOutline, { digests }: Work): boolean {
  const last = digests.slice(0, sessionsMax);
  return isNearTo(
    node,
    last.flatMap(({ filesEdited }) => filesEdited),
    last.flatMap(({ request, completed }) => [request, completed]),
  );
}

function isNearTo(node: NodeOutline, files: readonly string[], texts: readonly string[]): boolean {
  if (node.files.some((file) => files.includes(file))) return true;
  if (node.slot === null) return false;
  const subject = readWords(slotNameOf(node).subject).content;
  const said = new Set(texts.flatMap((text) => readWords(text).content));
  return subject.length > 0 && subject.every((word) => said.has(word));
}

// Which open ends a session's start still tells. Reads through ports only.

type IsOpenEnd = (sessionId: string, item: string) => boolean;

/**
 * Not what is finished, nor what another session was told that worked then. One that nobody typed in, or that only
 * talked, has taken nothing up.
 */
export function openFor(
  { closed, told }: OpenEndsState,
  sessions: SessionStore,
  asking: string,
): IsOpenEnd {
  const hasWorked = (sessionId: string): boolean => {
    const { filesEdited = [], filesRead = [] } = sessions.currentCheckpoint(sessionId) ?? {};
    return filesEdited.length + filesRead.length > 0;
  };
  return (sessionId, item) => {
    const key = openEndKey(sessionId, item);
    return (
      !closed.includes(key) &&
      !told.some(([one, by]) => one === key && by !== asking && hasWorked(by))
    );
  };
}

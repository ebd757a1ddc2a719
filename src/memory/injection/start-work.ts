/** Finds memories about the work that the last sessions left open: the same files, or the same subject. Pure. */
import type { NodeOutline } from "#domain";
import { readWords } from "#language/light";
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

/** How a memory stands here by its anchors: whether it is told at all, and what its line says of it. Pure. */
import { worstState, type Anchor } from "#domain";

/**
 * What only one branch had when it was learnt is told on that branch, and wherever the same content lies in the working
 * tree: in its worktrees, on branches from it, and once it is merged, however that was done. `isSeen`: the anchors were
 * looked at in this working tree.
 */
export const isHere = (
  anchors: readonly Anchor[],
  { branch, isSeen }: { readonly branch: string | null; readonly isSeen: boolean },
): boolean =>
  anchors.every(
    (anchor) =>
      anchor.branch === null || anchor.branch === branch || (isSeen && isAsLearnt(anchor)),
  );

const isAsLearnt = ({ state, hash }: Anchor): boolean =>
  hash === "" ? state !== "gone" : state === "fresh" || state === "moved";

/** Behind the date of a line; empty when all is as it was. What changed is never told as current. */
export function anchorMark(anchors: readonly Anchor[]): string {
  const state = worstState(anchors);
  const worst = anchors.find((anchor) => anchor.state === state);
  if (state === null || state === "fresh" || worst === undefined) return "";
  const at = worst.commit === null ? "first" : `at ${worst.commit.slice(0, 7)}`;
  switch (state) {
    case "moved":
      return `, ${worst.path} is now ${worst.movedTo ?? "elsewhere"}`;
    case "changed":
      return `, was so ${at}`;
    case "gone":
      return `, was so ${at}, ${worst.symbol ?? worst.path} is gone`;
    default:
      return state satisfies never;
  }
}

/** Ties a memory to the code: a file, a symbol in it, and how they stood when it was learnt. */
import { parseJson, recordOf, textField } from "#kit";

/** `moved`: by a rename; `changed`: the content is another; `gone`: the file or the symbol is not there any more. */
export type AnchorState = "fresh" | "moved" | "changed" | "gone";

export interface Anchor {
  /** As it was named; relative to the top of the working tree, with slashes. */
  readonly path: string;
  readonly symbol: string | null;
  /** The hash of the symbol's definition, else of the file; empty for a rule, which no change of the file ends. */
  readonly hash: string;
  /** That was checked out when it was learnt or verified; null before the first. */
  readonly commit: string | null;
  /** The place of the file since a rename. */
  readonly movedTo: string | null;
  /** As it was seen last. */
  readonly state: AnchorState;
  /** The one branch that had this content when it was learnt; null when the default branch had it too. */
  readonly branch: string | null;
}

/** Anchors of one memory. */
export const anchorsMax = 8;

/** As a memory keeps it. */
export const anchorText = (anchor: Anchor): string => JSON.stringify(anchor);

/** The anchors that a memory keeps; what is none is left out. */
export const anchorsIn = (texts: readonly string[]): readonly Anchor[] =>
  texts.length === 0 ? [] : texts.slice(0, anchorsMax).flatMap((text) => anchorOf(text) ?? []);

function anchorOf(text: string): Anchor | null {
  const said = recordOf(parseJson(text));
  const { path, hash, state } = said;
  if (typeof path !== "string" || typeof hash !== "string" || !isState(state)) return null;
  return {
    path,
    symbol: textField(said, "symbol"),
    hash,
    commit: textField(said, "commit"),
    movedTo: textField(said, "movedTo"),
    state,
    branch: textField(said, "branch"),
  };
}

const states: readonly AnchorState[] = ["fresh", "moved", "changed", "gone"];
const isState = (value: unknown): value is AnchorState => states.includes(value as AnchorState);

/** The worst that became of any of them; null without anchors. */
export const worstState = (anchors: readonly Anchor[]): AnchorState | null =>
  states.findLast((state) => anchors.some((anchor) => anchor.state === state)) ?? null;

/** Says to an agent why a save is kept otherwise than it asked, and what would change that. */
import type { MemoryNode } from "#domain";
import { isUser, type Judged, pastedReason } from "#memory";
import type { AgentAsk } from "./save-record.ts";

/** Says why a line holds in its project alone. */
export const narrowedOf = ({ subject }: AgentAsk): string =>
  "for this project: that it holds everywhere is not said in the quote" +
  (isUser(subject ?? "") ? ", nor who the user is" : "; who the user is goes with subject user");

export const endless = "without its end, which is over or is not said in the quote";

export const isItForGood = "as a decision";

/** Only a rule is better for being worded again: a line that is clear would become worse. */
export function doubtOf(judged: Judged, { kind, quote }: AgentAsk): string | null {
  if (judged.by === "user") return null;
  if (kind === "rule")
    return judged.reason === pastedReason
      ? "kept as your note: pasted text makes no rule"
      : `${judged.reason}; a rule's \`quote\` is whole typed sentences that say all of it`;
  return quote == null || kind === "cause" || kind === "place" ? null : `${judged.reason}; fine so`;
}

export const otherProject = "the other project is not named in the quote";

/** Says what would let a save that waits hold. */
export function cureOf(judged: Judged, waits: string | null): string | null {
  if (waits === otherProject) return "holds once the quote names it, or saved in a session there";
  if (judged.by === "user") return null;
  return judged.isMore === true
    ? "holds once `line` and `value` say nothing beyond the quote"
    : "holds with a `quote` of whole sentences that the user typed this turn";
}

export function bothStand(nodes: readonly MemoryNode[]): string | null {
  if (nodes.length === 0) return null;
  const uris = [...new Set(nodes.map(({ uri }) => uri))].join(", ");
  return `not in place of ${uris}, which the quote does not end: both stand, the later is current`;
}

export function usersStand(nodes: readonly MemoryNode[]): string | null {
  if (nodes.length === 0) return null;
  const uris = nodes.map(({ uri }) => uri).join(", ");
  return `not in place of ${uris}, the user's own: quote the words that end it, or ask them`;
}

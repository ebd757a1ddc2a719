/**
 * What the agent said in a turn before its last tool call: findings on the way, which its answer need not repeat. Kept
 * as tool uses of the turn, so that they are hidden, forgotten, exported and dropped as those are.
 */
import { bothEnds, sha256 } from "#kit";
import type { ToolUse } from "./session.ts";

/** The name that such a use has in the place of a tool's. */
export const remarkTool = "Remark";
const remarkCharsMax = 2_000;
/** Of one turn, or of what was read of it at once: the longest. */
const remarksMax = 100;

export const isRemark = ({ tool }: Pick<ToolUse, "tool">): boolean => tool === remarkTool;

/** Remarks as tool uses, in order; the texts are gated. The same words are one use of a session. */
export function remarkUses(
  texts: readonly string[],
  { atMs, sessionId, turn }: Pick<ToolUse, "sessionId" | "turn" | "atMs">,
): readonly Omit<ToolUse, "id">[] {
  const said = texts.filter((text) => text.trim() !== "");
  const longest = new Set(said.toSorted((a, b) => b.length - a.length).slice(0, remarksMax));
  return said
    .filter((text) => longest.has(text))
    .slice(0, remarksMax)
    .map((text) => ({
      sessionId,
      turn,
      atMs,
      toolUseId: `remark:${sha256(text, 16)}`,
      tool: remarkTool,
      target: null,
      files: [],
      outcome: "ok",
      text: bothEnds(text, remarkCharsMax),
      agentId: null,
    }));
}

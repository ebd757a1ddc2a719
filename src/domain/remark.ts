/**
 * Tool uses that hold what was said. Remarks are what the agent said in a turn before its last tool call: findings on
 * the way, which its answer need not repeat; as tool uses they are hidden, forgotten, exported and dropped.
 */
import { bothEnds, sha256 } from "#kit";
import type { ToolUse } from "./session.ts";

/** The name that such a use has in the place of a tool's. */
export const remarkTool = "Remark";
const remarkCharsMax = 2_000;
/** Remarks kept of one turn, or of one reading of it: the longest. */
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

// A call that the user refused, as a tool use holds it: what it printed is what the user said instead.

const refused = "The user refused this call";

export const isRefusedCall = (text: string | null): boolean => text?.startsWith(refused) === true;

export const refusedCall = (said: string | null): string =>
  said === null ? `${refused}.` : `${refused}, the user said: ${said}`;

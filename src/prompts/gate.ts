/** Is there anything worth remembering in this stretch? A short form of the window, one word back. */
import { err, ok } from "#kit";
import { fenced } from "./fence.ts";
import { promptLimits as limits } from "./limits.ts";
import { templateOf, type PromptOf } from "./prompt.ts";
import { fieldOf, recordOf } from "./reply.ts";
import { boolean, object } from "./schema.ts";
import file from "./templates/gate.md" with { type: "text" };
import { turnLines } from "./turn-lines.ts";
import { labelLegend, type WindowTurn } from "./window.ts";

export interface GateInput {
  /** The window that extraction would get. */
  readonly turns: readonly WindowTurn[];
}

export interface GateVerdict {
  readonly worth: boolean;
}

const template = templateOf(file, { legend: labelLegend });

export const gatePrompt: PromptOf<GateInput, GateVerdict> = {
  purpose: "gate",
  replyTokensMax: 60,
  timeoutMs: 30_000,
  schema: object({ worth: boolean }),
  render: (input) => ({
    system: template.system,
    prompt: template.prompt({ data: fenced(heads(input.turns)) }),
  }),
  parse: (reply) => {
    const worth = fieldOf(recordOf(reply) ?? {}, "worth");
    return typeof worth === "boolean" ? ok({ worth }) : err('"worth" must be true or false');
  },
};

/** Below this a turn shows nothing; of more turns than fit, the first and last are shown. */
const turnTokensMin = 24;

/** Heads of what the user wrote and ends of what came of it, an equal share for each turn. */
function heads(turns: readonly WindowTurn[]): string {
  const countMax = Math.floor(limits.gateTokensMax / turnTokensMin);
  const shown =
    turns.length <= countMax
      ? turns
      : [...turns.slice(0, countMax / 2), ...turns.slice(-Math.floor(countMax / 2))];
  const tokensMax = Math.floor(limits.gateTokensMax / Math.max(1, shown.length));
  return shown
    .map(({ n, prompt, answers }) =>
      turnLines(
        { n, prompt, answer: answers.at(-1) ?? null, tools: [] },
        {
          tokensMax: Math.min(tokensMax, limits.windowLastTokensMax),
          prompt: 0.65,
          tools: 0,
        },
      ),
    )
    .filter((lines) => lines !== "")
    .join("\n");
}

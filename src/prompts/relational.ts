/**
 * The relational profile after a session: known statements stay, each change and addition is dated and stands on words
 * that the user typed. The reply names differences only, so nothing can be dropped by leaving it out.
 */
import { ok, oneLine } from "#kit";
import { cleanLine, cleanText, headAndTail } from "./clean.ts";
import { fenced } from "./fence.ts";
import { promptLimits as limits } from "./limits.ts";
import { profileSections, type RelationalStatement } from "./profile.ts";
import { templateOf, type PromptOf } from "./prompt.ts";
import { mergedStatements } from "./relational-merge.ts";
import { fieldOf, recordOf } from "./reply.ts";
import { choice, list, object, text, texts } from "./schema.ts";
import file from "./templates/relational.md" with { type: "text" };
import {
  fittingParts,
  labelLegend,
  renderParts,
  type WindowPart,
  type WindowTurn,
} from "./window.ts";

export interface RelationalInput {
  readonly previous: readonly RelationalStatement[];
  /** Turns of this session that tell of the relationship: moments, corrections, praise, objections. */
  readonly turns: readonly WindowTurn[];
  readonly sessionId: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
}

const template = templateOf(file, { legend: labelLegend });

/** The whole profile after this session: previous statements in order, then the new ones. */
export const relationalPrompt: PromptOf<RelationalInput, readonly RelationalStatement[]> = {
  purpose: "relational",
  replyTokensMax: 900,
  timeoutMs: 60_000,
  schema: object({
    keeps: texts,
    changed: list(object({ id: text, text, quote: text })),
    added: list(object({ section: choice(profileSections), text, quote: text })),
  }),
  render: (input) => ({
    system: template.system,
    prompt: template.prompt({ data: fenced(dataOf(input)) }),
  }),
  parse: (reply, input) => {
    const record = recordOf(reply);
    const lists = ["keeps", "changed", "added"];
    if (record === null || !lists.some((name) => Array.isArray(fieldOf(record, name))))
      return { ok: false, error: "the reply must be an object with keeps, changed and added" };
    return ok(mergedStatements(record, { ...input, parts: shownParts(input) }));
  },
};

/** What the user said, and of the answer enough to tell what it was about. Tools have no relationship. */
const shownParts = ({ turns }: RelationalInput): readonly WindowPart[] =>
  fittingParts(
    turns.map(({ n, prompt, answers }) => ({
      n,
      prompt,
      answers: [headAndTail(cleanText(answers.at(-1) ?? ""), answerTokensMax)],
      tools: [],
    })),
    limits.relationalTokensMax,
  );

const answerTokensMax = 40;

function dataOf(input: RelationalInput): string {
  return [
    `Date: ${oneLine(input.date).slice(0, 20)}`,
    "Known:",
    ...input.previous.slice(0, limits.statementsMax).map(statementLine),
    "Session:",
    renderParts(shownParts(input)),
  ].join("\n");
}

const statementLine = ({ id, section, text: said, date, fixed }: RelationalStatement): string =>
  `- ${id} ${section} (${date}${fixed ? ", fixed" : ""}): ${cleanLine(said, limits.statementCharsMax)}`;

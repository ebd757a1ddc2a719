/** The checkpoint of a session: fields from the newest turns and the checkpoint before. */
import type { CheckpointFields } from "#domain";
import { cutToTokens, err, ok, oneLine } from "#kit";
import { cleanText } from "./clean.ts";
import { fenced } from "./fence.ts";
import { isSound, sourcesOf, type Sources } from "./grounding.ts";
import { promptLimits as limits } from "./limits.ts";
import { templateOf, type PromptOf } from "./prompt.ts";
import { recordOf, lineOf } from "./reply.ts";
import type { ReplyRecord } from "./reply.ts";
import { object, text } from "./schema.ts";
import file from "./templates/summary.md" with { type: "text" };
import { shortened, turnLines } from "./turn-lines.ts";
import { labelLegend, wholeParts, type WindowTurn } from "./window.ts";

export interface SummaryInput {
  readonly project: string | null;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** Turns since the previous checkpoint; of more than fit, the newest are shown. */
  readonly turns: readonly WindowTurn[];
  readonly previous: Pick<CheckpointFields, SaidField> | null;
  /** From the tool record; handed through, never the model's. */
  readonly filesRead: readonly string[];
  readonly filesEdited: readonly string[];
}

type SaidField =
  | "request"
  | "investigated"
  | "learned"
  | "completed"
  | "nextSteps"
  | "notes"
  | "currentTask";

/** The eight fields, the current task and a line for lists. */
export type SummaryFields = Pick<CheckpointFields, SaidField | "filesRead" | "filesEdited"> & {
  readonly l0: string;
};

const template = templateOf(file, { legend: labelLegend });

export const summaryPrompt: PromptOf<SummaryInput, SummaryFields> = {
  purpose: "summary",
  replyTokensMax: 900,
  timeoutMs: 60_000,
  schema: object({
    title: text,
    request: text,
    investigated: text,
    learned: text,
    completed: text,
    next_steps: text,
    notes: text,
    current_task: text,
  }),
  render: (input) => ({
    system: template.system,
    prompt: template.prompt({ data: fenced(dataOf(input)) }),
  }),
  parse: (reply, input) => {
    const record = recordOf(reply);
    if (record === null) return err("the reply must be an object of text fields");
    const sources = sourcesOf(wholeParts(input.turns.map(asWhole)), []);
    const fields = saidFields(record, sources);
    if (fields.request === "" && fields.completed === "" && fields.learned === "")
      return err("request, learned and completed cannot all be empty");
    const title =
      sound(lineOf(record, "title", limits.summaryLineCharsMax), sources) || fields.request;
    return ok({
      ...fields,
      filesRead: input.filesRead,
      filesEdited: input.filesEdited,
      l0: cutToTokens(title || fields.completed, limits.l0TokensMax),
    });
  },
};

/** A turn with its conclusion; what it planned first is not what came of it. */
const asWhole = ({ n, prompt, answers, tools }: WindowTurn) => ({
  n,
  prompt,
  answer: answers.at(-1) ?? null,
  tools,
});

/** The sentences of a field that give no orders of their own. */
const sound = (field: string, sources: Sources): string =>
  field
    .split(/(?<=[.!?])\s+/u)
    .filter((sentence) => isSound(sentence, sources))
    .join(" ");

function saidFields(record: ReplyRecord, sources: Sources): Pick<CheckpointFields, SaidField> {
  const field = (name: string): string =>
    sound(lineOf(record, name, limits.checkpointFieldCharsMax), sources);
  return {
    request: field("request"),
    investigated: field("investigated"),
    learned: field("learned"),
    completed: field("completed"),
    nextSteps: field("next_steps"),
    notes: field("notes"),
    currentTask: field("current_task"),
  };
}

/** Of the earlier checkpoint, at most so much a field. */
const previousTokensMax = 50;

function dataOf({ project, date, turns, previous }: SummaryInput): string {
  const before = previous === null ? [] : previousLines(previous);
  return [
    `Project: ${oneLine(cleanText(project ?? "none")).slice(0, 100)}. Date: ${oneLine(date).slice(0, 20)}.`,
    ...(before.length === 0 ? [] : ["Earlier checkpoint:", ...before]),
    "Session:",
    ...sessionLines(turns),
  ].join("\n");
}

const previousLines = (previous: Pick<CheckpointFields, SaidField>): readonly string[] =>
  [
    { name: "request", text: previous.request },
    { name: "investigated", text: previous.investigated },
    { name: "learned", text: previous.learned },
    { name: "completed", text: previous.completed },
    { name: "next_steps", text: previous.nextSteps },
    { name: "notes", text: previous.notes },
  ]
    .filter(({ text }) => text !== "")
    .map(({ name, text }) => `  ${name}: ${shortened(oneLine(text), previousTokensMax)}`);

/** Below this a turn says nothing. */
const turnTokensMin = 30;
const turnTokensMax = 160;

/** The newest turns, an equal share each. */
function sessionLines(turns: readonly WindowTurn[]): readonly string[] {
  const shown = turns.slice(-Math.floor(limits.summaryTokensMax / turnTokensMin));
  const tokensMax = Math.min(
    turnTokensMax,
    Math.floor(limits.summaryTokensMax / Math.max(1, shown.length)),
  );
  return shown
    .map((turn) => turnLines(asWhole(turn), { tokensMax, prompt: 0.4, tools: 0.15 }))
    .filter((lines) => lines !== "");
}

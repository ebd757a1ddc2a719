/** Significance of up to ten closed turns in one call. */
import { type Evaluation, evaluationTypes } from "#domain";
import { cutToTokens, ok, oneLine } from "#kit";
import { fenced } from "./fence.ts";
import { isSound, sourcesOf } from "./grounding.ts";
import { promptLimits as limits } from "./limits.ts";
import { templateOf, type PromptOf } from "./prompt.ts";
import {
  fieldOf,
  itemsOf,
  lineOf,
  linesOf,
  listOf,
  numberOf,
  oneOf,
  readItems,
  recordOf,
} from "./reply.ts";
import type { ReplyRecord } from "./reply.ts";
import { choice, integer, list, number, object, text, texts } from "./schema.ts";
import file from "./templates/evaluate.md" with { type: "text" };
import { shortened, turnLines } from "./turn-lines.ts";
import { labelLegend, wholeParts } from "./window.ts";

export interface EvaluateTurn {
  readonly n: number;
  readonly prompt: string | null;
  /** The assistant's last message. */
  readonly answer: string | null;
  /** One line a call. */
  readonly tools: readonly string[];
  /** One-line forms of the three turns before, oldest first. */
  readonly before: readonly string[];
}

export interface EvaluateInput {
  /** In order; those beyond ten are not asked about. */
  readonly turns: readonly EvaluateTurn[];
}

export interface EvaluatedTurn {
  readonly n: number;
  readonly evaluation: Evaluation;
}

const template = templateOf(file, { legend: labelLegend });

/** At most one evaluation for each turn asked about; a turn that the reply leaves out is left to the local scorer. */
export const evaluatePrompt: PromptOf<EvaluateInput, readonly EvaluatedTurn[]> = {
  purpose: "evaluate",
  replyTokensMax: 800,
  timeoutMs: 60_000,
  schema: object({
    turns: list(
      object({
        n: integer,
        significance: number,
        type: choice(evaluationTypes),
        tags: texts,
        summary: text,
      }),
    ),
    routine: list(integer),
  }),
  render: (input) => ({
    system: template.system,
    prompt: template.prompt({ data: fenced(asked(input).map(turnText(input)).join("\n")) }),
  }),
  parse: (reply, input) => {
    const items = itemsOf(reply, "turns");
    if (!items.ok) return items;
    const read = readItems(
      items.value,
      evaluatedTurn,
      "each turn needs n, significance (0 to 1), type and summary",
    );
    return read.ok ? ok(firstOfEach([...read.value, ...routineTurns(reply)], asked(input))) : read;
  },
};

const asked = ({ turns }: EvaluateInput): readonly EvaluateTurn[] =>
  turns.slice(0, limits.turnsPerCallMax);

/** A turn's own lines; what came before only if it is not in the batch itself. */
const turnText =
  (input: EvaluateInput) =>
  (turn: EvaluateTurn): string => {
    const shown = new Set(asked(input).map(({ n }) => n));
    const before = turn.before
      .slice(-beforeMax)
      .filter((_, at, lines) => !shown.has(turn.n - lines.length + at))
      .map((line) => `before ${turn.n}: ${shortened(oneLine(line), limits.beforeLineTokensMax)}`);
    return [...before, turnLines(turn, shares)].join("\n");
  };

const beforeMax = 3;

/** The answer says most about what came of a turn. */
const shares = { tokensMax: limits.evaluateTurnTokensMax, prompt: 0.4, tools: 0.2 };

function evaluatedTurn(item: ReplyRecord): EvaluatedTurn | null {
  const n = numberOf(item, "n", { min: 0, max: Number.MAX_SAFE_INTEGER });
  const significance = numberOf(item, "significance", { min: 0, max: 1 });
  const type = oneOf(fieldOf(item, "type"), evaluationTypes);
  if (n === null || significance === null || type === null) return null;
  const tags = linesOf(item, "tags", { itemsMax: limits.tagsMax, charsMax: limits.tagCharsMax });
  const summary = cutToTokens(
    lineOf(item, "summary", limits.summaryLineCharsMax),
    limits.l0TokensMax,
  );
  // A moment without a line to be found by would be an empty memory.
  if (summary === "" && significance >= 0.3) return null;
  return {
    n,
    evaluation: { significance, type, tags: tags.map((tag) => tag.toLowerCase()), summary },
  };
}

/** Turns that the reply only counts; below every threshold. */
const routineTurns = (reply: unknown): readonly EvaluatedTurn[] =>
  listOf(recordOf(reply) ?? {}, "routine").flatMap((n) =>
    typeof n === "number"
      ? { n, evaluation: { significance: 0.1, type: "routine", tags: [], summary: "" } }
      : [],
  );

/** The first word on each turn that was asked about, in their order. A summary that gives orders is not believed. */
function firstOfEach(
  evaluated: readonly EvaluatedTurn[],
  turns: readonly EvaluateTurn[],
): readonly EvaluatedTurn[] {
  const sources = sourcesOf(wholeParts(turns), []);
  return turns.flatMap(({ n }) => {
    const found = evaluated.find((turn) => turn.n === n);
    return found !== undefined && isSound(found.evaluation.summary, sources) ? found : [];
  });
}

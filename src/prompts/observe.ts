/** Tool use of up to ten turns as typed observations. */
import { type ObservationDraft, observationTypes } from "#domain";
import { fenced } from "./fence.ts";
import { isSound, sourcesOf } from "./grounding.ts";
import { promptLimits as limits } from "./limits.ts";
import { templateOf, type PromptOf } from "./prompt.ts";
import { fieldOf, itemsOf, lineOf, linesOf, numberOf, oneOf, readItems } from "./reply.ts";
import type { ReplyRecord } from "./reply.ts";
import { choice, integer, list, object, text, texts } from "./schema.ts";
import file from "./templates/observe.md" with { type: "text" };
import { turnLines } from "./turn-lines.ts";
import { labelLegend, wholeParts } from "./window.ts";

export interface ObserveTurn {
  readonly n: number;
  readonly prompt: string | null;
  readonly answer: string | null;
  /** One line a call. */
  readonly tools: readonly string[];
}

export interface ObserveInput {
  /** In order; those beyond ten are not asked about. */
  readonly turns: readonly ObserveTurn[];
}

/** What a model can say of an observation; session, project, time and files are the caller's. */
export type ObservedTurn = Pick<
  ObservationDraft,
  "turn" | "type" | "title" | "subtitle" | "narrative" | "facts" | "concepts"
>;

const template = templateOf(file, { legend: labelLegend });

/** Observations in the order of the reply, at most six for a turn, of turns that were asked about. */
export const observePrompt: PromptOf<ObserveInput, readonly ObservedTurn[]> = {
  purpose: "observe",
  replyTokensMax: 1_000,
  timeoutMs: 60_000,
  schema: object({
    observations: list(
      object({
        turn: integer,
        type: choice(observationTypes),
        title: text,
        subtitle: text,
        narrative: text,
        facts: texts,
        concepts: texts,
      }),
    ),
  }),
  render: (input) => ({
    system: template.system,
    prompt: template.prompt({
      data: fenced(
        asked(input)
          .map((turn) => turnLines(turn, shares))
          .join("\n"),
      ),
    }),
  }),
  parse: (reply, input) => {
    const items = itemsOf(reply, "observations");
    if (!items.ok) return items;
    const read = readItems(items.value, observed, "each observation needs turn, type and title");
    return read.ok ? { ok: true, value: bounded(read.value, input) } : read;
  },
};

/** Tool lines tell what was done, the answer what came of it. */
const shares = { tokensMax: limits.observeTurnTokensMax, prompt: 0.2, tools: 0.4 };

const asked = ({ turns }: ObserveInput): readonly ObserveTurn[] =>
  turns.slice(0, limits.turnsPerCallMax);

function observed(item: ReplyRecord): ObservedTurn | null {
  const turn = numberOf(item, "turn", { min: 0, max: Number.MAX_SAFE_INTEGER });
  const type = oneOf(fieldOf(item, "type"), observationTypes);
  const title = lineOf(item, "title", limits.observationTitleCharsMax);
  if (turn === null || type === null || title === "") return null;
  const itemsMax = limits.observationItemsMax;
  return {
    turn,
    type,
    title,
    subtitle: lineOf(item, "subtitle", limits.observationSubtitleCharsMax),
    narrative: lineOf(item, "narrative", limits.observationNarrativeCharsMax),
    facts: linesOf(item, "facts", { itemsMax, charsMax: limits.observationItemCharsMax }),
    concepts: linesOf(item, "concepts", { itemsMax, charsMax: limits.conceptCharsMax }),
  };
}

/** At most so many for a turn that was asked about; what gives orders is left out. */
function bounded(all: readonly ObservedTurn[], input: ObserveInput): readonly ObservedTurn[] {
  const sources = sourcesOf(wholeParts(asked(input)), []);
  const countByTurn = new Map(asked(input).map(({ n }) => [n, 0]));
  return all.flatMap((each) => {
    const count = countByTurn.get(each.turn);
    if (count === undefined || count >= limits.observationsPerTurnMax) return [];
    if (!isSound(each.title, sources)) return [];
    countByTurn.set(each.turn, count + 1);
    const sound = (line: string): string => (isSound(line, sources) ? line : "");
    return {
      ...each,
      subtitle: sound(each.subtitle),
      narrative: sound(each.narrative),
      facts: each.facts.filter((fact) => isSound(fact, sources)),
      concepts: each.concepts.filter((concept) => isSound(concept, sources)),
    };
  });
}

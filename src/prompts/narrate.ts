/** A session as the fifteen to twenty episodes it was made of, before the conversation is compacted. */
import { cutToTokens, oneLine, ok } from "#kit";
import { cleanText } from "./clean.ts";
import { fenced } from "./fence.ts";
import { isSound, sourcesOf, type Sources } from "./grounding.ts";
import { promptLimits as limits } from "./limits.ts";
import { templateOf, type PromptOf } from "./prompt.ts";
import { itemsOf, lineOf, linesOf, numberOf, readItems } from "./reply.ts";
import type { ReplyRecord } from "./reply.ts";
import { integer, list, object, text, texts } from "./schema.ts";
import file from "./templates/narrate.md" with { type: "text" };
import { turnLines } from "./turn-lines.ts";
import { labelLegend, wholeParts, type WindowTurn } from "./window.ts";

export interface NarrateInput {
  readonly project: string | null;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** All turns that were not narrated yet; of more than fit, first and last ones are shown. */
  readonly turns: readonly WindowTurn[];
}

export interface NarratedEpisode {
  /** First and last turn, both in the input. */
  readonly from: number;
  readonly to: number;
  readonly l0: string;
  /** What was tried, failed, held and is open, a line each. */
  readonly l1: string;
}

const template = templateOf(file, { legend: labelLegend });

/** Episodes by their first turn, at most twenty, no two with the same. */
export const narratePrompt: PromptOf<NarrateInput, readonly NarratedEpisode[]> = {
  purpose: "narrate",
  replyTokensMax: 2_500,
  timeoutMs: 120_000,
  schema: object({
    episodes: list(
      object({
        from: integer,
        to: integer,
        title: text,
        tried: texts,
        failed: texts,
        held: texts,
        open: texts,
      }),
    ),
  }),
  render: (input) => ({
    system: template.system,
    prompt: template.prompt({ data: fenced(dataOf(input)) }),
  }),
  parse: (reply, input) => {
    const items = itemsOf(reply, "episodes");
    if (!items.ok) return items;
    const sources = sourcesOf(wholeParts(input.turns.map(asWhole)), []);
    const read = readItems(
      items.value,
      episodeOf(input, sources),
      "each episode needs from, to and title",
    );
    return read.ok ? ok(inOrder(read.value)) : read;
  },
};

function inOrder(episodes: readonly NarratedEpisode[]): readonly NarratedEpisode[] {
  const byStart = new Map(episodes.toReversed().map((episode) => [episode.from, episode]));
  return [...byStart.values()].sort((a, b) => a.from - b.from).slice(0, limits.narrativesMax);
}

const episodeOf =
  ({ turns }: NarrateInput, sources: Sources) =>
  (item: ReplyRecord): NarratedEpisode | null => {
    const ns = turns.map(({ n }) => n);
    const bounds = { min: 0, max: Number.MAX_SAFE_INTEGER };
    const from = numberOf(item, "from", bounds);
    const to = numberOf(item, "to", bounds) ?? from;
    const title = lineOf(item, "title", limits.summaryLineCharsMax);
    if (from === null || to === null || title === "" || !ns.includes(from)) return null;
    if (!isSound(title, sources)) return null;
    const last = ns.findLast((n) => n <= to && n >= from) ?? from;
    return {
      from,
      to: last,
      l0: cutToTokens(title, limits.l0TokensMax),
      l1: storyOf(item, sources),
    };
  };

const asWhole = ({ n, prompt, answers }: WindowTurn) => ({
  n,
  prompt,
  answer: answers.at(-1) ?? null,
  tools: [],
});

function storyOf(item: ReplyRecord, sources: Sources): string {
  const itemsMax = limits.narrativeItemsMax;
  const charsMax = limits.narrativeItemCharsMax;
  return ["tried", "failed", "held", "open"]
    .flatMap((name) => {
      const lines = linesOf(item, name, { itemsMax, charsMax }).filter((each) =>
        isSound(each, sources),
      );
      return lines.length === 0
        ? []
        : [`${name.charAt(0).toUpperCase()}${name.slice(1)}: ${lines.join("; ")}`];
    })
    .join("\n");
}

/** Below this a turn says nothing. */
const turnTokensMin = 25;
const turnTokensMax = 120;

function dataOf({ project, date, turns }: NarrateInput): string {
  const countMax = Math.floor(limits.narrateTokensMax / turnTokensMin / 2);
  const shown =
    turns.length <= countMax * 2 ? turns : [...turns.slice(0, countMax), ...turns.slice(-countMax)];
  const share = Math.floor(limits.narrateTokensMax / Math.max(1, shown.length));
  const shares = { tokensMax: Math.min(turnTokensMax, share), prompt: 0.45, tools: 0 };
  return [
    `Project: ${oneLine(cleanText(project ?? "none")).slice(0, 100)}. Date: ${oneLine(date).slice(0, 20)}.`,
    ...shown.map((turn) => turnLines(asWhole(turn), shares)).filter((lines) => lines !== ""),
  ].join("\n");
}

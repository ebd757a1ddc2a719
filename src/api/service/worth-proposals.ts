/** Settings that would fit what the journal tells of this user. Proposed only; whoever asks decides. */
import type { WorthJson } from "../forms-given.ts";
import type { Context } from "./context.ts";

type Figures = Pick<
  WorthJson,
  "start" | "prompt" | "retaught" | "retaught_given" | "missed" | "judged"
>;
type Proposal = WorthJson["proposals"][number];

/** Fewer givings tell nothing of a habit. */
const givenMin = 40;
/** Below this share of use, less is given; from the other on more may be, where something was missing. */
const usedLow = 0.1;
const usedHigh = 0.5;
/** What was missing, as a share of what was given. */
const missingHigh = 0.1;
/** Steps of a budget, and what is never proposed below or above. */
const step = 0.25;
const budgets = { "inject.start_tokens": [300, 1_200], "inject.prompt_tokens": [60, 300] } as const;
const levels = ["low", "normal", "high"] as const;

/** One step at a time: the figures of the next weeks say whether it was right. */
export function proposalsOf(
  { config }: Context,
  figures: Figures,
): { readonly proposals: Proposal[]; readonly notes: string[] } {
  const items = config.read();
  if (!items.ok) return { proposals: [], notes: ["The settings cannot be read."] };
  const now = (key: string): string =>
    (items.value.find((item) => item.key === key)?.value ?? "").replaceAll('"', "");
  const { start, prompt } = figures;
  const notes = (["start", "prompt"] as const).flatMap((channel) =>
    figures[channel].given < givenMin
      ? [
          `Nothing is proposed for the ${channel} before ${givenMin} memories were given there; ` +
            `so far: ${figures[channel].given}.`,
        ]
      : [],
  );
  const lacking =
    figures.missed + figures.judged.missing + figures.retaught - figures.retaught_given;
  const ofStart = budget("inject.start_tokens", Number(now("inject.start_tokens")), start, 0);
  const ofPrompt = budget(
    "inject.prompt_tokens",
    Number(now("inject.prompt_tokens")),
    prompt,
    lacking,
  );
  const ofGate = eagerness(now("inject.eagerness"), prompt, lacking);
  // Of two settings that do alike, the one that chooses comes before the one that cuts.
  return { proposals: [ofStart, ofGate ?? ofPrompt].flatMap((one) => one ?? []), notes };
}

const shareOf = ({ given, used }: WorthJson["start"]): number => (given === 0 ? 0 : used / given);

function budget(
  key: keyof typeof budgets,
  now: number,
  given: WorthJson["start"],
  lacking: number,
): Proposal | null {
  const wanted = wantedOf(given, lacking);
  if (wanted === 0 || now === 0) return null; // 0 is off: that was decided.
  const [least, most] = budgets[key];
  const value = Math.round((now * (1 + wanted * step)) / 10) * 10;
  const isWithin = wanted < 0 ? now > least : now < most;
  if (!isWithin) return null;
  const bounded = Math.min(most, Math.max(least, value));
  return { key, now: `${now}`, value: `${bounded}`, why: whyOf(given, lacking) };
}

function eagerness(now: string, given: WorthJson["start"], lacking: number): Proposal | null {
  const at = levels.findIndex((level) => level === now);
  const value = levels[at + wantedOf(given, lacking)];
  if (at < 0 || value === undefined || value === now) return null;
  return { key: "inject.eagerness", now, value, why: whyOf(given, lacking) };
}

/** -1: less; 1: more; 0: leave it. */
function wantedOf(given: WorthJson["start"], lacking: number): -1 | 0 | 1 {
  if (given.given < givenMin) return 0;
  const share = shareOf(given);
  if (share < usedLow) return -1;
  return share >= usedHigh && lacking / given.given >= missingHigh ? 1 : 0;
}

const whyOf = (given: WorthJson["start"], lacking: number): string => {
  const used = `${given.used} of ${given.given} given were used`;
  return lacking === 0 || shareOf(given) < usedLow ? used : `${used}, and ${lacking} were missing`;
};

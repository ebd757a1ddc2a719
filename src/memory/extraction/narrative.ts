/**
 * Narratives: the stretches of a session as leaves of its archive, written before a compaction. Each tells what was
 * tried, what failed, what held and what is open.
 *
 * Pure. Local form: the words are the user's and the assistant's own, the outcomes the tool record's.
 */
import type { Evidence, MemoryNode, NodeDraft } from "#domain";
import { cutAtWord, cutToTokens, isoDate, oneLine } from "#kit";
import { type PlainSentence, contentWords, sharedCount } from "#language";
import { limits } from "../limits.ts";
import { archiveUri } from "../tree/uri.ts";
import { digestsOf } from "./checkpoint-digest.ts";
import type { SessionMaterial, TurnDigest } from "./checkpoint-digest.ts";
import { headline, isPlan } from "./observe-headline.ts";
import { has } from "./scorer-reading.ts";

export interface NarrativeMaterial extends SessionMaterial {
  /** Turns before this one were narrated at an earlier compaction (`lastNarratedTurn` + 1); default 1. */
  readonly fromTurn?: number;
}

/**
 * Leaf drafts at `mem://sessions/<id>/narrative/<n>`, at most twenty, oldest first, without expiry. `n` is the first
 * turn of the stretch, so that the same stretch keeps its place when a job runs twice. Stretches of talk give none.
 */
export function narrativesOf(material: NarrativeMaterial): readonly NodeDraft[] {
  const digests = digestsOf(material, material.fromTurn ?? 1);
  const telling = episodesOf(digests).filter((episode) => hasOutcome(storyOf(episode)));
  return fewest(telling).map((episode) => draftOf(material, episode));
}

type Episode = readonly TurnDigest[];

/** Turns about one thing, in order: a new aim without shared files or words opens the next. */
function episodesOf(digests: readonly TurnDigest[]): readonly Episode[] {
  const episodes: TurnDigest[][] = [];
  for (const digest of digests) {
    const current = episodes.at(-1);
    if (current !== undefined && continues(current, digest)) current.push(digest);
    else if (digest.isAim) episodes.push([digest]);
  }
  return episodes;
}

/** Share of a new aim's words that ties it to what went on before. */
const sameTopicMin = 0.3;

function continues(episode: Episode, next: TurnDigest): boolean {
  if (!next.isAim || next.claim.type === "correction") return true;
  if (/^(?:and|also|then|plus|oh and)\b/i.test(next.context.prompt ?? "")) return true;
  if (next.reading.prompt.some((said) => has(said, "unresolved"))) return true;
  const files = new Set(episode.flatMap(({ reading }) => reading.work.filesEdited));
  if (next.reading.work.filesEdited.some((path) => files.has(path))) return true;
  const words = new Set(episode.flatMap(({ context }) => contentWords(context.prompt ?? "")));
  const own = new Set(contentWords(next.context.prompt ?? ""));
  return own.size > 0 && sharedCount(own, words) / own.size >= sameTopicMin;
}

/** Joins the two neighbours that matter least until there are few enough. */
function fewest(episodes: readonly Episode[]): readonly Episode[] {
  const kept = [...episodes];
  while (kept.length > limits.narrativesMax) {
    const pairs = kept
      .slice(1)
      .map((after, index) => weightOf(kept[index] ?? []) + weightOf(after));
    const at = pairs.indexOf(Math.min(...pairs));
    kept.splice(at, 2, [...(kept[at] ?? []), ...(kept[at + 1] ?? [])]);
  }
  return kept;
}

const weightOf = (episode: Episode): number =>
  Math.max(0, ...episode.map(({ claim }) => claim.score));

function draftOf(material: NarrativeMaterial, episode: Episode): NodeDraft {
  const { session } = material;
  const first = episode[0]?.context;
  const story = storyOf(episode);
  const atMs = first?.atMs ?? session.startedAt;
  return {
    uri: archiveUri({ sessionId: session.sessionId, part: "narrative", n: first?.turn ?? 1 }),
    category: "sessions",
    project: session.project,
    branch: session.branch,
    l0: l0Of(session.projectName, atMs, story),
    l1: cutToTokens(l1Of(story), limits.narrativeL1TokensMax),
    l2: null,
    importance: Math.min(5, Math.max(1, Math.round(weightOf(episode) * 5))),
    tags: [...new Set(episode.map(({ claim }) => claim.type).filter((type) => type !== "routine"))],
    files: [...new Set(episode.flatMap(({ reading }) => reading.work.filesEdited))].slice(
      0,
      limits.checkpointFilesMax,
    ),
    origin: "agent",
    maker: "precompact",
    validFrom: atMs,
    expiresAt: null,
    sourceSession: session.sessionId,
    evidence: evidenceOf(material, episode),
  };
}

/** Where the stretch begins and where it ends. */
function evidenceOf({ turns }: NarrativeMaterial, episode: Episode): readonly Evidence[] {
  const ends = [...new Set([episode[0], episode.at(-1)].filter((digest) => digest !== undefined))];
  return ends.map(({ context }) => ({
    sessionId: context.sessionId,
    turn: context.turn,
    line: turns.find(({ n }) => n === context.turn)?.line ?? null,
    quote: cutAtWord(context.prompt ?? "", limits.quoteCharsMax),
  }));
}

/** The last turn that narratives tell of, 0 when there are none: the next ones begin after it. */
export const lastNarratedTurn = (narratives: readonly Pick<MemoryNode, "evidence">[]): number =>
  Math.max(0, ...narratives.flatMap(({ evidence }) => evidence.map(({ turn }) => turn ?? 0)));

interface Story {
  readonly tried: readonly string[];
  readonly failed: readonly string[];
  readonly held: readonly string[];
  readonly open: readonly string[];
}

/** A wish that nothing came of is in the prompts; it is no story. */
const hasOutcome = ({ failed, held, open }: Story): boolean =>
  failed.length + held.length + open.length > 0;

/** Claims from here on held, when no observation says so better. */
const heldScoreMin = 0.5;
const itemsMax = 6;
const itemCharsMax = 200;

function storyOf(episode: Episode): Story {
  const last = episode.at(-1);
  const held = episode.flatMap(({ observations, claim, reading }) => {
    const titles = observations().map(({ title }) => title);
    return titles.length === 0 &&
      claim.score >= heldScoreMin &&
      claim.sentence !== null &&
      !reading.work.endsFailing
      ? [told(claim.sentence)]
      : titles;
  });
  return {
    tried: bounded(
      episode
        .filter(({ isAim }) => isAim)
        .map(({ context }) => cutAtWord(oneLine(context.prompt ?? ""), itemCharsMax)),
    ),
    failed: bounded(episode.flatMap(failuresOf)),
    held: bounded(held),
    open: bounded(last === undefined ? [] : openOf(last)),
  };
}

/** Failed commands with their first error line, ways given up, and what the user objected to. */
function failuresOf({ context, reading, claim }: TurnDigest): readonly string[] {
  const commands = context.tools
    .filter(({ outcome }) => outcome === "error")
    .map(
      ({ tool, target, text }) =>
        `${target ?? tool}: ${text?.split("\n").find((line) => line.trim() !== "") ?? "failed"}`,
    );
  const said = reading.answer.filter(
    (sentence) => has(sentence, "deadEnd") || has(sentence, "unresolved"),
  );
  const objected = claim.type === "correction" && claim.sentence !== null ? [claim.sentence] : [];
  return [
    ...commands.map((line) => cutAtWord(oneLine(line), itemCharsMax)),
    ...[...said, ...objected].map(told),
  ];
}

function openOf({ context, reading }: TurnDigest): readonly string[] {
  const planned = reading.answer.filter(isPlan).map(told);
  if (context.interrupted || context.answer === null)
    return [...planned, "Interrupted before it was finished"];
  return reading.work.endsFailing ? [...planned, "The last command still fails"] : planned;
}

/** Each once, the latest when there are too many. */
const bounded = (items: readonly string[]): readonly string[] =>
  [...new Set(items)].slice(-itemsMax);

function l0Of(
  projectName: string | null,
  atMs: number,
  { tried, held, failed, open }: Story,
): string {
  const ask = cutAtWord(tried[0] ?? "", 160);
  const outcome = [
    held.at(-1),
    open[0] === undefined ? undefined : `open: ${open[0]}`,
    failed.at(-1) === undefined ? undefined : `failed: ${failed.at(-1)}`,
  ].find((text) => text !== undefined);
  const isSaid = outcome === undefined || ask.toLowerCase().includes(outcome.toLowerCase());
  const told = isSaid ? ask : `${ask} → ${outcome}`;
  return cutToTokens(
    oneLine(`${projectName ?? "session"}, ${isoDate(atMs)}: ${told}`),
    limits.l0TokensMax,
  );
}

const l1Of = (story: Story): string =>
  [
    { heading: "Tried", items: story.tried },
    { heading: "Failed", items: story.failed },
    { heading: "Held", items: story.held },
    { heading: "Open", items: story.open },
  ]
    .filter(({ items }) => items.length > 0)
    .map(({ heading, items }) => `${heading}:\n${items.map((item) => `- ${item}`).join("\n")}`)
    .join("\n");

const told = (sentence: PlainSentence): string => headline(sentence, itemCharsMax);

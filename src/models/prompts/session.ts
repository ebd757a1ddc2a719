/**
 * One question a session: what was it about, where does it stand, and what of it will be needed again? The record
 * comes condensed; what is known comes as it was before, numbered in a stable order, so that the model reuses its
 * names, says what it ends, and what of it is wrong.
 */
import { cutAtWord, err, ok, oneLine, isRecord, type Json } from "#kit";
import { cleanText, fieldOf, lineOf, linesOf, listOf, promptLimits as limits } from "./reply.ts";
import {
  choice,
  costOf,
  dayOf,
  fenced,
  integer,
  list,
  object,
  type PromptOf,
  text,
  texts,
} from "./prompt.ts";
import { memoryKinds } from "#domain";
import { checkMemories, isPlanned, numbersIn, type CheckedMemories } from "./session-check.ts";
import type { KnownSlot, SessionInput, TypedBefore } from "./session-input.ts";
import instructions from "./templates/session.md" with { type: "text" };
import alone from "./templates/session-alone.md" with { type: "text" };
import beside from "./templates/session-beside.md" with { type: "text" };

export interface SessionReply extends CheckedMemories {
  readonly title: string;
  readonly outcome: string;
  readonly open: readonly string[];
  /** Known memories that hold no more, with nothing in their place. */
  readonly ended: readonly KnownSlot[];
  /** Known plans that were carried out as they say. */
  readonly built: readonly KnownSlot[];
}

export const sessionPrompt: PromptOf<SessionInput, SessionReply> = {
  purpose: "session",
  replyTokensMax: 3_000,
  timeoutMs: 120_000,
  schema: object({
    title: text,
    outcome: text,
    open: texts,
    // Before the memories: what is known is gone through first.
    ended: list(integer),
    built: list(integer),
    memories: list(
      object({
        kind: choice(memoryKinds),
        // Grounds and predecessors come before the words: a line restates what still holds of them.
        valid: text,
        turn: integer,
        quote: text,
        replaces: list(object({ number: integer, still: text })),
        subject: text,
        attribute: text,
        value: text,
        line: text,
        aliases: texts,
        scope: text,
      }),
    ),
  }),
  render: (input) => ({ system: instructionsFor(input), prompt: fenced(dataOf(input)) }),
  parse: (reply, input) => {
    if (!isRecord(reply)) return err("the reply must be one JSON object");
    const record = reply;
    const title = lineOf(record, "title", limits.digestTitleCharsMax);
    if (title === "") return err('"title" must be a line of text');
    if (!Array.isArray(fieldOf(record, "memories"))) return err('"memories" must be a list');
    const checked = checkMemories(listOf(record, "memories"), input);
    return ok({
      title,
      outcome: lineOf(record, "outcome", limits.digestOutcomeCharsMax),
      open: linesOf(record, "open", {
        itemsMax: limits.digestOpenMax,
        charsMax: limits.digestOpenCharsMax,
      }),
      ...checked,
      ...settledOf(record, input, checked),
    });
  },
};

/** Fields of a reply, then what to keep: of an agent that saves by itself, only what it leaves. */
const instructionsFor = ({ agentSaves }: Pick<SessionInput, "agentSaves">): string =>
  `${instructions.trim()}\n\n${(agentSaves ? beside : alone).trim()}`;

/** Tokens beside the rest of a question and a reply with all its memories. */
interface Room {
  /** For the record: the less, the more is known, so that a question of a project with many memories stays small. */
  readonly record: number;
  /** For the record with further memories. */
  readonly all: number;
}

export function roomOf(input: Omit<SessionInput, "record">): Room {
  const { system, prompt } = sessionPrompt.render({
    ...input,
    record: { text: "", tokens: 0, said: [], typedPrompts: 0, choices: 0, tellsAnything: true },
  });
  const reply = limits.replyTokens + limits.memoryTokens * input.memoriesMax;
  const all = limits.callTokensMax - reply - costOf(system) - costOf(prompt);
  const known = costOf(knownLines(input).join("\n"));
  const record = Math.min(all, limits.recordTokensMax - limits.recordTokensPerKnown * known);
  return { record: Math.max(limits.recordTokensMin, record), all };
}

/** A memory that one of the reply replaces needs no second end, and no plan that ended was carried out. */
function settledOf(
  record: Json,
  { known }: SessionInput,
  { kept }: CheckedMemories,
): Pick<SessionReply, "ended" | "built"> {
  const replaced = new Set(kept.flatMap(({ replaces }) => replaces.map(({ number }) => number)));
  const left = known.filter(({ number }) => !replaced.has(number));
  const named = (field: string) => new Set(numbersIn(fieldOf(record, field)));
  const [ended, built] = [named("ended"), named("built")];
  return {
    ended: left.filter(({ number }) => ended.has(number)),
    built: left.filter(
      ({ l0, number }) => built.has(number) && !ended.has(number) && isPlanned(l0),
    ),
  };
}

function dataOf(input: SessionInput): string {
  const { project, branch, from, to, memoriesMax, previous, record, typedBefore } = input;
  const days = from === to ? dayOf(from) : `${dayOf(from)} to ${dayOf(to)}`;
  return [
    `Project: ${line(project ?? "none")}. Branch: ${line(branch ?? "unknown")}. Dates: ${days}. ` +
      `Memories at most: ${memoriesMax}.`,
    ...(previous === null
      ? []
      : [
          `Earlier digest: ${line(previous.title)}. ${line(previous.outcome)}` +
            (previous.open === "" ? "" : ` Open: ${line(previous.open)}`),
        ]),
    ...knownLines(input),
    ...(typedBefore.length === 0 ? [] : ["From earlier sessions:", ...typedBefore.map(beforeLine)]),
    "Record:",
    record.text,
  ].join("\n");
}

const line = (said: string): string =>
  cutAtWord(oneLine(cleanText(said)), limits.digestOutcomeCharsMax);

const beforeLine = ({ date, text, turn }: TypedBefore, at: number): string =>
  `E${at + 1}. like [${turn}], ${date}: ${line(text)}`;

function knownLines(input: Omit<SessionInput, "record">): readonly string[] {
  const { agentSaves, known } = input;
  const isSaved = ({ savedAt }: KnownSlot): boolean => savedAt != null;
  const saved = known.filter(isSaved);
  return [
    ...listed(
      "Known:",
      known.filter((one) => !isSaved(one) && one.isName !== true),
      input,
    ),
    ...listed(
      "Saved by the agent, at [turn]:",
      saved.filter(({ isName }) => !isName),
      input,
    ),
    ...named(
      "Known too, by name",
      known.filter((one) => !isSaved(one) && one.isName === true),
    ),
    ...named(
      "Saved by the agent, by name",
      saved.filter(({ isName }) => isName),
    ),
    ...(agentSaves && saved.length === 0 ? ["Saved by the agent: nothing."] : []),
  ];
}

const listed = (
  head: string,
  some: readonly KnownSlot[],
  input: Pick<SessionInput, "branch" | "project">,
): readonly string[] =>
  some.length === 0 ? [] : [head, ...some.map((one) => knownLine(one, input))];

const named = (head: string, some: readonly KnownSlot[]): readonly string[] =>
  some.length === 0 ? [] : [`${head}: ${some.map(nameLine).join("; ")}`];

/** Its name and its beginning: enough to see what it is about. */
const nameLine = ({ l0, number, savedAt, slot }: KnownSlot): string =>
  `${number}. ${savedAt == null ? "" : `[${savedAt}] `}${nameOf(slot ?? "")} ` +
  `(${cutAtWord(line(l0), limits.knownStartCharsMax)})`;

/** A longer attribute is no name: it was made of the words of its memory, which stand behind it. */
const attributeWordsMax = 4;

function nameOf(slot: string): string {
  const [subject = "", attribute = ""] = slot.split(" · ");
  const isName = attribute.split(" ").length <= attributeWordsMax;
  return line(isName ? slot : subject);
}

/** The project and the branch of the record are named once, in the first line. */
function knownLine(
  one: KnownSlot,
  { project, branch }: Pick<SessionInput, "branch" | "project">,
): string {
  const where = one.project === project ? "" : `${line(one.project ?? "everywhere")}, `;
  const slot = one.slot === null ? "" : `${nameOf(one.slot)}: `;
  return `${one.number}. [${where}${markOf(one, branch)}] ${slot}${line(one.l0)}`;
}

/** Its turn in this session; else its day, and the branch that it was learnt on where that is another. */
const markOf = ({ branch = null, date, savedAt }: KnownSlot, own: string | null): string =>
  savedAt != null
    ? `${savedAt}`
    : branch === null || branch === own
      ? date
      : `${date} ${line(branch)}`;

/**
 * LoCoMo (locomo10.json): ten long conversations with questions whose evidence is known by session and by turn.
 * CC BY-NC: read from where it lies, never copied.
 */
import { isRecord, isText, readList, textOf } from "./json.ts";
import { fractionalRecall, ndcgAny, recallAll, recallAny } from "./metrics.ts";
import type { BenchDocument, Collection, QuestionSet } from "./question-set.ts";

/** The numbers that the data gives its kinds of questions. */
const types: Readonly<Record<string, string>> = {
  1: "multi-hop",
  2: "temporal",
  3: "open-domain",
  4: "single-hop",
  5: "adversarial",
};

export const isLocomo = (data: unknown): boolean =>
  Array.isArray(data) && isRecord(data[0]) && "conversation" in data[0] && "qa" in data[0];

interface Session {
  readonly name: string;
  readonly date: string;
  readonly atMs: number;
  readonly turns: readonly { readonly id: string; readonly text: string }[];
}

/** Two sets: the same questions asked of whole sessions and of single turns. */
export function locomoSets(data: unknown): readonly QuestionSet[] {
  const conversations = readList(data).filter(isRecord);
  return [
    {
      name: "LoCoMo sessions",
      collections: conversations.map((one) => collection(one, "sessions")),
      metrics: {
        "fractional@10": (ranked, gold) => fractionalRecall(ranked, gold, 10),
        "any@10": (ranked, gold) => recallAny(ranked, gold, 10),
        "all@10": (ranked, gold) => recallAll(ranked, gold, 10),
        "nDCG@10": (ranked, gold) => ndcgAny(ranked, gold, 10),
      },
      headline: { metric: "fractional@10", target: 0.95 },
      halvesBy: "collection",
    },
    {
      name: "LoCoMo turns",
      collections: conversations.map((one) => collection(one, "turns")),
      metrics: {
        "any@10": (ranked, gold) => recallAny(ranked, gold, 10),
        "fractional@10": (ranked, gold) => fractionalRecall(ranked, gold, 10),
        "any@5": (ranked, gold) => recallAny(ranked, gold, 5),
        "nDCG@10": (ranked, gold) => ndcgAny(ranked, gold, 10),
      },
      headline: { metric: "any@10", target: 0.72 },
      halvesBy: "collection",
    },
  ];
}

function collection(
  conversation: Readonly<Record<string, unknown>>,
  of: "sessions" | "turns",
): Collection {
  const sessions = sessionsOf(conversation["conversation"]);
  const documents = sessions.flatMap((session) =>
    of === "sessions" ? [wholeSession(session)] : turnsOf(session),
  );
  const known = new Set(documents.map(({ id }) => id));
  const nowMs = Math.max(...sessions.map(({ atMs }) => atMs)) + 86_400_000;
  const questions = readList(conversation["qa"])
    .filter(isRecord)
    .flatMap((qa) => {
      const evidence = readList(qa["evidence"]).filter(isText);
      const ids = evidence.map((id) => (of === "sessions" ? sessionOf(id) : id));
      const gold = new Set(ids.filter((id) => known.has(id)));
      const type = types[String(qa["category"])] ?? "other";
      return gold.size === 0 ? [] : [{ text: String(qa["question"]), gold, type, nowMs }];
    });
  return { name: String(conversation["sample_id"]), documents, questions };
}

/** `D3:7` is turn 7 of session 3. */
const sessionOf = (id: string): string => `session_${id.split(":")[0]?.slice(1)}`;

function sessionsOf(conversation: unknown): readonly Session[] {
  if (!isRecord(conversation)) return [];
  return Object.keys(conversation)
    .filter((key) => /^session_\d+$/.test(key))
    .map((name) => {
      const date = textOf(conversation[`${name}_date_time`]);
      const turns = readList(conversation[name]).filter(isRecord);
      return {
        name,
        date,
        atMs: dateOf(date),
        turns: turns.map((turn) => ({
          id: String(turn["dia_id"]),
          text: `${String(turn["speaker"])}: ${String(turn["text"])} ${textOf(turn["blip_caption"])}`,
        })),
      };
    });
}

/** "1:56 pm on 8 May, 2023". */
function dateOf(text: string): number {
  const match = /(\d{1,2}) (\w+),? (\d{4})/.exec(text);
  return match === null ? 0 : Date.parse(`${match[1]} ${match[2]} ${match[3]} UTC`);
}

/** A session as one document, as a summary of it would hang in the archive; its date is part of what it says. */
const wholeSession = ({ name, date, atMs, turns }: Session): BenchDocument => ({
  id: name,
  uri: `mem://sessions/${name.replace("_", "-")}/summary`,
  category: "sessions",
  text: `${date}. ${turns.map(({ text }) => text).join("\n")}`,
  atMs,
});

/** Turns as moments of their session. */
const turnsOf = ({ name, atMs, turns }: Session): readonly BenchDocument[] =>
  turns.map(({ id, text }, i) => ({
    id,
    uri: `mem://sessions/${name.replace("_", "-")}/moments/${i + 1}`,
    category: "sessions",
    text,
    atMs,
  }));

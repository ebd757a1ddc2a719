/**
 * LongMemEval in its official file format: each question brings the sessions to look in. As its authors do
 * (src/retrieval/run_retrieval.py): a session is the text of its user turns, gold are the sessions named `answer…` in
 * which a user turn holds the answer, and questions that want an abstention (`…_abs`) are dropped.
 */
import { isRecord, isText, readList, textOf } from "./json.ts";
import { ndcgAny, recallAll, recallAny } from "./metrics.ts";
import type { BenchDocument, Collection, Metric, QuestionSet } from "./question-set.ts";

export const isLongMemEval = (data: unknown): boolean =>
  Array.isArray(data) && isRecord(data[0]) && "haystack_sessions" in data[0];

const cuts = [5, 10];

export function longMemEvalSet(data: unknown): QuestionSet {
  const metrics: Record<string, Metric> = {};
  for (const k of cuts) {
    metrics[`recall_any@${k}`] = (ranked, gold) => recallAny(ranked, gold, k);
    metrics[`recall_all@${k}`] = (ranked, gold) => recallAll(ranked, gold, k);
    metrics[`ndcg_any@${k}`] = (ranked, gold) => ndcgAny(ranked, gold, k);
  }
  const entries = readList(data)
    .filter(isRecord)
    .filter((entry) => !String(entry["question_id"]).includes("_abs"));
  return {
    name: "LongMemEval sessions",
    collections: entries.map(collection),
    metrics,
    headline: { metric: "recall_all@10", target: null },
    halvesBy: "collection",
  };
}

function collection(entry: Readonly<Record<string, unknown>>): Collection {
  const ids = readList(entry["haystack_session_ids"]).map(String);
  const dates = readList(entry["haystack_dates"]).map(String);
  const sessions = readList(entry["haystack_sessions"]).map(readList);
  const documents = ids.map((id, i) => wholeSession(id, dates[i] ?? "", sessions[i] ?? []));
  const nowMs = dateOf(textOf(entry["question_date"]));
  return {
    name: String(entry["question_id"]),
    documents,
    questions: [
      {
        text: String(entry["question"]),
        gold: new Set(documents.map(({ id }) => id).filter((id) => id.includes("answer"))),
        type: String(entry["question_type"]),
        nowMs,
      },
    ],
  };
}

function wholeSession(name: string, date: string, turns: readonly unknown[]): BenchDocument {
  const said = turns.filter(isRecord).filter(({ role }) => role === "user");
  const answers = said.some((turn) => turn["has_answer"] === true);
  const id = name.includes("answer") && !answers ? name.replace("answer", "noans") : name;
  const text = said.map(({ content }) => (isText(content) ? content : "")).join(" ");
  return {
    id,
    uri: `mem://sessions/${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}/summary`,
    category: "sessions",
    text: `${date}. ${text}`,
    atMs: dateOf(date),
  };
}

/** "2023/05/30 (Tue) 23:40". */
function dateOf(text: string): number {
  const match = /(\d{4})\/(\d{2})\/(\d{2})/.exec(text);
  return match === null ? 0 : Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3]));
}

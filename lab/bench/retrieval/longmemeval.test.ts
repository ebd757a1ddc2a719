/** An invented file in LongMemEval's format: what is gold, what is dropped, and what the metrics make of it. */
import { expect, test } from "bun:test";
import { loadEmbeddedModel } from "#embed";
import { isLongMemEval, longMemEvalSet } from "./longmemeval.ts";
import { isLocomo } from "./locomo.ts";
import { runSet } from "./run.ts";

const user = (content: string, has_answer?: boolean) => ({
  role: "user",
  content,
  ...(has_answer === undefined ? {} : { has_answer }),
});
const assistant = (content: string) => ({ role: "assistant", content });

const entry = (question_id: string, over: object = {}) => ({
  question_id,
  question_type: "single-session-user",
  question: "What is the name of my cat?",
  answer: "Pickle",
  question_date: "2023/06/10 (Sat) 10:00",
  haystack_session_ids: ["s_1", "answer_2", "answer_3"],
  haystack_dates: ["2023/05/01 (Mon) 09:00", "2023/05/20 (Sat) 23:40", "2023/05/21 (Sun) 08:00"],
  haystack_sessions: [
    [user("How do I bake sourdough bread?"), assistant("With patience, says my cat.")],
    [user("My cat Pickle sleeps all day.", true), assistant("Lovely.")],
    [user("Which chair is good for the back?", false), assistant("A firm one.")],
  ],
  answer_session_ids: ["answer_2"],
  ...over,
});

const data = [entry("q1"), entry("q2_abs"), entry("q3", { question_type: "multi-session" })];
const set = longMemEvalSet(data);

test("the format is told from others", () => {
  expect(isLongMemEval(data)).toBe(true);
  expect(isLocomo(data)).toBe(false);
  expect(isLongMemEval([])).toBe(false);
});

test("questions that want an abstention are dropped", () => {
  expect(set.collections.map(({ name }) => name)).toEqual(["q1", "q3"]);
});

test("gold is the answer's session in which a user turn holds the answer", () => {
  const [collection] = set.collections;
  expect(collection?.documents.map(({ id }) => id)).toEqual(["s_1", "answer_2", "noans_3"]);
  expect([...(collection?.questions[0]?.gold ?? [])]).toEqual(["answer_2"]);
});

test("a session is its date and what the user said in it", () => {
  const texts = set.collections[0]?.documents.map(({ text }) => text);
  expect(texts?.[1]).toBe("2023/05/20 (Sat) 23:40. My cat Pickle sleeps all day.");
  expect(texts?.[0]).not.toContain("patience");
});

test("the set runs, and its metrics bear the authors' names", () => {
  const loaded = loadEmbeddedModel();
  if (!loaded.ok) throw new Error(loaded.error.type);
  const { ways, questions } = runSet(loaded.value, set);
  expect(questions).toBe(2);
  expect(Object.keys(ways.find.metrics)).toEqual([
    "recall_any@5",
    "recall_all@5",
    "ndcg_any@5",
    "recall_any@10",
    "recall_all@10",
    "ndcg_any@10",
  ]);
  for (const way of [ways.find, ways.search, ways["plain FTS5"]])
    expect(way.metrics["recall_all@5"]).toBe(1);
  expect(ways.find.metrics["ndcg_any@5"]).toBe(1);
});

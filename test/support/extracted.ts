/** Replies of a model as tests write them, with everything the test does not care about filled in. */
import type { LlmPurpose } from "#domain";
import {
  nothingToSay,
  scriptedLlm,
  type AskedQuestion,
  type Script,
  type ScriptedLlm,
} from "./scripted-llm.ts";

/** One memory of an extraction reply. */
export const extracted = (
  over: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => ({
  category: "entities",
  uri_hint: "",
  l1: "",
  importance: 3,
  tags: [],
  files: [],
  aliases: [],
  turn: 1,
  replaces: "",
  relation: "none",
  related_to: "",
  scope: "project",
  ...over,
});

type Answers = Partial<Record<LlmPurpose, unknown>>;

/** Answers some purposes, by a value or by what is asked; to all others it has nothing to say. */
export const answering = (answers: Answers, script: Partial<Script> = {}): ScriptedLlm =>
  scriptedLlm({
    answer: (question) => {
      const answer = answers[question.purpose] ?? nothingToSay[question.purpose];
      return typeof answer === "function"
        ? (answer as (asked: AskedQuestion) => unknown)(question)
        : answer;
    },
    ...script,
  });

/** The first known memory that a prompt shows, or an empty text. */
export const firstKnown = (prompt: string): string => /mem:\/\/\S+/.exec(prompt)?.[0] ?? "";

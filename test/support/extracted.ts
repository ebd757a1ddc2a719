/** Replies of a model as tests write them, with everything the test does not care about filled in. */
import type { LlmPurpose } from "#domain";
import {
  nothingToSay,
  scriptedLlm,
  type AskedQuestion,
  type Script,
  type ScriptedLlm,
} from "./scripted-llm.ts";

type Fields = Readonly<Record<string, unknown>>;

/** One memory of a session's reply. */
export const remembered = (over: Fields): Fields => ({
  kind: "fact",
  subject: "staging database",
  attribute: "port",
  value: "6432",
  line: "The staging database of deskly listens on port 6432",
  aliases: [],
  scope: "project",
  valid: "durable",
  turn: 1,
  quote: "the staging database listens on port 6432",
  replaces: 0,
  ...over,
});

/** A session's reply with these memories. */
export const sessionReply = (memories: readonly Fields[], over: Fields = {}): Fields => ({
  ...(nothingToSay.session as Fields),
  memories,
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

/** The number under which a prompt shows a known memory with these words; 0 = it does not. */
export const knownNumber = (prompt: string, words: string): number =>
  Number(
    prompt
      .split("\n")
      .find((line) => /^\d+\. \[/.test(line) && line.includes(words))
      ?.split(".")[0] ?? 0,
  );

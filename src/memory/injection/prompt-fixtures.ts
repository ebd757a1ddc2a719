/** A prompt in a session of the tests' project, and what is found for it; for tests of prompts. */
import { defaultSettings } from "#domain";
import { embedder, type Fixture, home, nowMs } from "../retrieval/find-fixtures.ts";
import { gatherPrompt } from "./gather.ts";
import type { PromptEvidence, PromptInput } from "./prompt-types.ts";

export const inputOf = (prompt: string, over: Partial<PromptInput> = {}): PromptInput => ({
  prompt,
  previousAnswer: null,
  sessionId: "now",
  ancestors: [],
  homeProject: home,
  branch: null,
  projects: [],
  seen: new Set(),
  nowMs,
  inject: defaultSettings.inject,
  ...over,
});

export const evidenceFor = (
  { finder, store }: Fixture,
  prompt: string,
  over?: Partial<PromptInput>,
): PromptEvidence =>
  gatherPrompt({ finder, lexical: store.lexical, embedder }, inputOf(prompt, over));

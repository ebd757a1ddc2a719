/** For tests: a turn with everything defaulted, so that each test says only what it is about. */
import type { TurnContext } from "../extraction/significance.ts";

export const turnOf = (prompt: string | null, over: Partial<TurnContext> = {}): TurnContext => ({
  sessionId: "s-1",
  turn: 1,
  project: "github.com/deskly/deskly",
  projectName: "deskly",
  branch: null,
  // 2 March 2026, 9:00 UTC.
  atMs: 1_772_442_000_000,
  prompt,
  answer: null,
  interrupted: false,
  previousPrompt: null,
  previousAnswer: null,
  tools: [],
  ...over,
});

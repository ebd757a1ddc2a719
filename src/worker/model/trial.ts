/** One question for each purpose, about an invented session: for `continuity llm test`. */
import {
  condense,
  evaluatePrompt,
  narratePrompt,
  observePrompt,
  relationalPrompt,
  requestOf,
  searchPrompt,
  sessionPrompt,
  summaryPrompt,
  type PromptOf,
  type WindowTurn,
} from "#prompts";
import type { Llm, LlmError, LlmPurpose, LlmReply, LlmRequest } from "#domain";
import type { Result } from "#kit";

const date = "2026-03-02";

const turn: WindowTurn = {
  n: 1,
  prompt:
    "The booking export is an hour off for tenants in Lisbon. From now on keep all times in " +
    "UTC and convert in the view. Shorter answers please.",
  answers: [
    "Root cause: the exporter formatted local times. It now writes UTC, the view converts, and all 41 tests pass.",
  ],
  tools: ["Edit: src/export.ts", "Bash: pnpm test"],
};

const single = {
  n: turn.n,
  prompt: turn.prompt ?? "",
  answer: turn.answers[0] ?? "",
  tools: turn.tools,
};

/** A request as its caller sees it: the answer's type does not matter here. */
const requestFor = <Input, Output>(
  prompt: PromptOf<Input, Output>,
  input: Input,
): LlmRequest<unknown> => requestOf(prompt, input, null);

const requests: Readonly<Record<LlmPurpose, () => LlmRequest<unknown>>> = {
  evaluate: () => requestFor(evaluatePrompt, { turns: [{ ...single, before: [] }] }),
  observe: () => requestFor(observePrompt, { turns: [single] }),
  session: () =>
    requestFor(sessionPrompt, {
      project: "deskly",
      branch: "main",
      from: date,
      to: date,
      record: condense(
        [{ ...single, interrupted: false, files: ["src/export.ts"], tools: [] }],
        null,
      ),
      previous: null,
      known: [],
      memoriesMax: 5,
      hasSecret: () => false,
    }),
  summary: () =>
    requestFor(summaryPrompt, {
      project: "deskly",
      date,
      turns: [turn],
      previous: null,
      filesRead: [],
      filesEdited: ["src/export.ts"],
    }),
  narrate: () => requestFor(narratePrompt, { project: "deskly", date, turns: [turn] }),
  relational: () =>
    requestFor(relationalPrompt, { previous: [], turns: [turn], sessionId: "trial", date }),
  search: () => requestFor(searchPrompt, { query: "how are times stored?" }),
};

/** Asks it at once; nothing of the answer is kept but its figures. */
export const tryModel = async (
  llm: Llm,
  purpose: LlmPurpose,
): Promise<Result<LlmReply<unknown>, LlmError>> =>
  llm.structured({ ...requests[purpose](), isByHand: true });

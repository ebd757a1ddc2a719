/** The one question about an invented session: for `continuity status --test-model`. */
import { condense, requestOf, sessionPrompt } from "#prompts";
import type { Llm, LlmError, LlmReply } from "#domain";
import type { Result } from "#kit";

const date = "2026-03-02";

const turn = {
  n: 1,
  prompt:
    "The booking export is an hour off for tenants in Lisbon. From now on keep all times in " +
    "UTC and convert in the view. Shorter answers please.",
  answer:
    "Root cause: the exporter formatted local times. It now writes UTC, the view converts, and all 41 tests pass.",
  interrupted: false,
  files: ["src/export.ts"],
  tools: [],
};

/** Asks it at once; nothing of the answer is kept but its figures. */
export const tryModel = async (llm: Llm): Promise<Result<LlmReply<unknown>, LlmError>> =>
  llm.structured({
    ...requestOf(
      sessionPrompt,
      {
        project: "deskly",
        branch: "main",
        from: date,
        to: date,
        record: condense([turn], null),
        previous: null,
        known: [],
        memoriesMax: 5,
        hasSecret: () => false,
      },
      null,
    ),
    isByHand: true,
  });

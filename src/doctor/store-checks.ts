/** Judges database, embedder, model and budget. Pure. */
import { msPerMinute } from "#kit";
import { failed, fine, skipped, warned, type Check } from "./check.ts";
import type { Facts } from "./facts.ts";

export const storeChecks = (facts: Facts): readonly Check[] => [
  databaseCheck(facts),
  embedderCheck(facts),
  modelCheck(facts),
  budgetCheck(facts),
];

const bytesPerMegabyte = 1_000_000;

function databaseCheck({ store }: Facts): Check {
  if (store.state === "missing") return fine("database", "none yet (created by the first event)");
  if (store.state === "unusable")
    return failed("database", { detail: store.problem, fix: store.next });
  const size = (store.bytes / bytesPerMegabyte).toFixed(1);
  return fine("database", `sound, ${size} MB, schema ${store.schema}`);
}

function embedderCheck({ store: { embedder } }: Facts): Check {
  if (embedder.problem === null) return fine("embedder", embedder.id);
  return failed("embedder", {
    detail: `no vectors from ${embedder.id}: ${embedder.problem}; search uses keywords only`,
    fix: embedder.isEmbedded
      ? "the program file is damaged: reinstall continuity"
      : "check its server and the key, or `continuity config set embedder.provider embedded`",
  });
}

function modelCheck({ model, nowMs }: Facts): Check {
  const { failure } = model;
  if (model.provider === "none" && model.isUsable) return fine("model", "none is chosen");
  if (model.isUsable && failure !== null)
    return warned("model", {
      detail:
        `${model.provider}: ${model.reason}, but the last question (${failure.purpose}, to ${failure.model}, ` +
        `${Math.round((nowMs - failure.atMs) / msPerMinute)} min ago) failed: ${wordsFor(failure.outcome)}`,
      fix:
        "`continuity status --jobs` shows what it said, `continuity status --test-model` tries again; names of " +
        "models: `continuity config set llm.model …`",
    });
  if (model.isUsable && model.fault !== null)
    return warned("model", { detail: model.fault.what, fix: model.fault.next });
  if (model.isUsable) return fine("model", `${model.provider}: ${model.reason}`);
  return failed("model", {
    detail: `no model available: ${model.reason}; using local rules`,
    fix: fixOf(model.reason),
  });
}

const wordsFor = (outcome: string): string =>
  ({
    "llm.refused": "it was refused, as it is with a model that does not exist",
    "llm.unauthorised": "the key or the login was not accepted",
    "llm.timeout": "no answer in time",
  })[outcome] ?? "no answer";

/** By what the provider says of itself. */
function fixOf(reason: string): string {
  if (/log(?:ged)? ?in|logged out|no login/i.test(reason))
    return "run `claude auth login`, or choose another: `continuity config set llm.provider …`";
  if (/\bkey\b/i.test(reason))
    return "give it a key as docs/guide/configuration.md says, or `continuity config set llm.provider none`";
  return "fix that, or choose another: `continuity config set llm.provider …`; test: `continuity status --test-model`";
}

function budgetCheck({ model }: Facts): Check {
  const { provider, tokensPerDay, tokensToday } = model;
  if (provider === "none") return skipped("budget", "no model, no tokens");
  const told = `${tokensToday} of ${tokensPerDay} tokens today`;
  return tokensToday < tokensPerDay
    ? fine("budget", told)
    : warned("budget", {
        detail: `the budget is used up: ${told}; using local rules`,
        fix: "wait until midnight, or `continuity config set llm.tokens_per_day N`",
      });
}

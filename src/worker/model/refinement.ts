/** Which question belongs to which kind of job. */
import type { JobKind, LlmError } from "#domain";
import { assert, type Result } from "#kit";
import type { ModelDeps } from "./deps.ts";
import { digest } from "./digest.ts";
import { evaluate } from "./evaluate.ts";
import { observe } from "./observe.ts";
import type { Refinement, Refining } from "./refining.ts";
import { relate } from "./relational.ts";
import { narrate } from "./narrate.ts";
import { summarise } from "./summary.ts";

/** Asks what a job is for. Resolves to what is to be done with the answer; nothing is written yet but the reply. */
export async function refinement(deps: ModelDeps, refining: Refining): Question {
  const ask = questions[refining.job.kind];
  assert(ask !== undefined, "a local job asks no model");
  return ask(deps, refining);
}

type Question = Promise<Result<Refinement, LlmError>>;

const questions: Partial<Record<JobKind, (deps: ModelDeps, refining: Refining) => Question>> = {
  evaluate,
  observe,
  session: digest,
  summary: summarise,
  retell: narrate,
  relational: relate,
};

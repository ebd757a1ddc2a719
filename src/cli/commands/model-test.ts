/** `status --test-model`: one real call of the configured model. */
import type { InferResponseType } from "hono/client";
import type { Client, Context } from "../context.ts";
import { CliFailure } from "../failure.ts";
import type { Input } from "../spec.ts";
import { hasFlag } from "../spec.ts";
import { dollarsOf, safeLine } from "../text.ts";

type Trial = InferResponseType<Client["llm"]["test"]["$post"], 200>;

export async function testModel(context: Context, input: Input): Promise<number> {
  const api = await context.api("write");
  const { model } = await (await api.status.$get()).json();
  if (model.provider === "none") throw withoutModel(context, safeLine(model.reason));
  const trial = await (await api.llm.test.$post({ json: {} })).json();
  if (hasFlag(input, "json")) context.printJson(trial);
  else context.print(renderedTrial(context, trial));
  return trial.error === null ? 0 : 1;
}

/** Why one that is configured cannot be had names its own next step. */
function withoutModel({ deps }: Context, reason: string): CliFailure {
  const configured = deps.config.get("llm.provider");
  const isNone = !configured.ok || configured.value[0]?.value === '"none"';
  return isNone
    ? new CliFailure(
        "no language model is configured",
        "choose one with `continuity config set llm.provider auto`",
      )
    : new CliFailure(`no language model: ${reason}`);
}

function renderedTrial({ style }: Context, trial: Trial): string {
  const name = trial.purpose.padEnd(11);
  if (trial.error !== null) return `${style.red("failed")} ${name} ${safeLine(trial.error)}\n`;
  const about = trial.estimated ? "~" : "";
  const tokens = `${about}${trial.tokens_in} in, ${about}${trial.tokens_out} out`;
  const model = safeLine(`${trial.provider} ${trial.model ?? ""}`);
  return (
    `${style.green("ok")}     ${name} ${trial.latency_ms ?? 0} ms, ${tokens}, ` +
    `${dollarsOf(trial.cost_usd)}, ${model}\n`
  );
}

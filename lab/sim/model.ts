/** A model of the simulation: answers what it finds in the question, or fails in one of the ways that models fail. */
import type { Provider } from "#domain";
import { err, ok, tokensOf } from "#kit";
import type { Dice } from "../../test/support/random.ts";
import { remembered, sessionReply } from "../../test/support/extracted.ts";
import { purposeOf } from "../../test/support/scripted-provider.ts";
import { nothingToSay } from "../../test/support/scripted-llm.ts";
import type { Life } from "./disk.ts";

export type Mood = "well" | "away" | "limited" | "garbled";

export function createModel(dice: Dice) {
  const model = {
    mood: "well" as Mood,
    /** Answers that a living process got: each must stand in the ledger. */
    answered: 0,
    provider: (life: Life): Provider => ({
      name: "ollama",
      probe: async () => ({ usable: true, reason: "simulated" }),
      close: async () => undefined,
      call: async (call) => {
        const { mood } = model;
        for (let turns = dice.below(4); turns > 0; turns -= 1) await Promise.resolve();
        if (life.alive) model.answered += 1;
        if (mood === "away") return err({ type: "llm.unavailable", detail: "simulated" });
        if (mood === "limited") return err({ type: "llm.rate-limited", retryAfterMs: 30_000 });
        const purpose = purposeOf(call);
        const reply =
          mood === "garbled"
            ? { nonsense: 1 }
            : purpose === "session"
              ? told(call.prompt)
              : nothingToSay[purpose];
        const inputTokens = [call.system, call.prompt, JSON.stringify(call.schema)]
          .map(tokensOf)
          .reduce((sum, n) => sum + n, 0);
        const usage = {
          model: call.model,
          inputTokens,
          outputTokens: tokensOf(JSON.stringify(reply)),
          isEstimate: false,
          costUsd: null,
          latencyMs: 1,
        };
        return ok({ reply, usage });
      },
    }),
  };
  return model;
}

/** `told` gives the session's words about ports, as memories with a slot each. */
const told = (prompt: string): unknown =>
  sessionReply(
    [...prompt.matchAll(/the (\w+ service) listens on port (\d+), see (\w+)/g)]
      .slice(0, 6)
      .map(([quote, subject, value, mark]) =>
        remembered({
          subject,
          attribute: "port",
          value,
          line: `The ${subject} of deskly listens on port ${value}, see ${mark}`,
          quote,
          turn: turnOf(prompt, quote),
        }),
      ),
  );

/** The number of the turn in which a quote stands. */
const turnOf = (prompt: string, quote: string): number =>
  Number([...prompt.slice(0, prompt.indexOf(quote)).matchAll(/\[(\d+)\] USER/g)].at(-1)?.[1] ?? 1);

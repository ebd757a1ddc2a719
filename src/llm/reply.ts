/** How a model's reply, finished or not, becomes an answer or an error. Shared by all who speak HTTP. */
import type { LlmUsage, ProviderError } from "#domain";
import { err, ok, type Result } from "#kit";
import { excerptOf } from "./limits.ts";
import type { Meter } from "./meter.ts";
import { jsonIn } from "./read-json.ts";

export type Answer = Result<{ readonly reply: unknown; readonly usage: LlmUsage }, ProviderError>;

/** What was said, and why it ended there. */
export interface Said {
  readonly text: string;
  readonly end: "done" | "cut-off" | "declined";
  /** The provider's own word for the end, for people. */
  readonly reason: string;
}

/** The object within what was said. */
export function answerOf({ text, end, reason }: Said, meter: Meter): Answer {
  if (end === "declined")
    return err(
      meter.onto(
        { type: "llm.refused", status: 200, detail: `the model declined (${reason})` },
        text,
      ),
    );
  const found = end === "cut-off" ? err(`the reply was cut off (${reason})`) : jsonIn(text);
  return found.ok
    ? ok({ reply: found.value, usage: meter.usage(text) })
    : err(
        meter.onto({ type: "llm.unreadable", detail: found.error, excerpt: excerptOf(text) }, text),
      );
}

/** A stream that ended before it said so: something between us broke. */
export const brokenOff = (meter: Meter, said: string): Answer =>
  err(meter.onto({ type: "llm.unavailable", detail: "the stream broke off" }, said));

/** Something else than this API answered. */
export const foreign = (response: Response): Answer =>
  err({
    type: "llm.unavailable",
    detail:
      `${response.status} with ${response.headers.get("content-type") ?? "no type"}, which is no ` +
      "answer of this API",
  });

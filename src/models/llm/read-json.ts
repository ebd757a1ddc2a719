/**
 * Finds the one JSON object in what a model said. Models put it in a fence or into prose, even when told not to; that
 * is forgiven. What is not: two objects, half an object, and an error's JSON, which would pass for an empty answer
 * with a lenient schema. Pure.
 */
import { z } from "zod";
import { err, ok, type Result, isRecord, type Json, parseJson } from "#kit";
import type { JsonSchema, LlmUsage, ProviderError } from "#domain";
import type { Meter } from "./meter.ts";

export function jsonIn(text: string): Result<Json, string> {
  const clean = text.trim();
  if (clean === "") return err("the reply is empty");
  const whole = parseJson(clean) ?? parseJson(fenced(clean) ?? "");
  // Some models encode the object once more, as a string: what stands in it is read as any other reply.
  const found =
    whole === undefined ? within(clean) : typeof whole === "string" ? within(whole) : ok(whole);
  if (!found.ok) return found;
  if (!isRecord(found.value)) return err("the reply is no JSON object");
  return isError(found.value) ? err("the reply is an error, not an answer") : ok(found.value);
}

const fence = /```(?:json)?[ \t]*\r?\n([^]*?)\r?\n?```/gi;

/** The inside of the only fence; null when there is none, or more than one. */
function fenced(text: string): string | null {
  const [first, ...others] = [...text.matchAll(fence)];
  return others.length === 0 ? (first?.[1] ?? null) : null;
}

/** The only object in prose, or why there is none. */
function within(text: string): Result<unknown, string> {
  const start = text.indexOf("{");
  if (start === -1) return err("there is no JSON in the reply");
  const end = endOfObject(text, start);
  if (end === null) return err("the reply breaks off");
  const found = parseJson(text.slice(start, end));
  if (found === undefined) return err("there is no JSON in the reply");
  return text.includes("{", end) ? err("there is more than one object in the reply") : ok(found);
}

/** Index behind the brace that closes the one at `start`; null when none does. */
function endOfObject(text: string, start: number): number | null {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at += 1) {
    const letter = text[at];
    if (isInString) {
      if (letter === "\\") at += 1;
      else if (letter === '"') isInString = false;
    } else if (letter === '"') isInString = true;
    else if (letter === "{") depth += 1;
    else if (letter === "}" && (depth -= 1) === 0) return at + 1;
  }
  return null;
}

/** Fields that errors have beside `error`. */
const errorFields: ReadonlySet<string> = new Set([
  "error",
  "type",
  "message",
  "status",
  "code",
  "request_id",
  "object",
  "param",
]);

/** `{"type": "error", …}` or `{"error": …}` and nothing that an answer would hold. */
function isError(found: Json): boolean {
  if (found["type"] === "error" || found["object"] === "error") return true;
  return "error" in found && Object.keys(found).every((name) => errorFields.has(name));
}

// Turns a model's reply, finished or not, into an answer or an error. Shared by all who speak HTTP.

export type Answer = Result<{ readonly reply: unknown; readonly usage: LlmUsage }, ProviderError>;

/** A text in a reply; empty where there is none. */
export const Text = z
  .string()
  .nullish()
  .transform((text) => text ?? "");

export interface Said {
  readonly text: string;
  readonly end: "done" | "cut-off" | "declined";
  /** The provider's own word for the end, for people. */
  readonly reason: string;
}

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
    : err(meter.onto({ type: "llm.unreadable", detail: found.error }, text));
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

/**
 * Gemini's `responseSchema`, a part of OpenAPI 3.0, which knows no closed objects. All else of a schema as callers
 * write them (`prompts/prompt.ts`) is what every API takes.
 */
export const openSchema = (schema: JsonSchema): JsonSchema =>
  JSON.parse(
    JSON.stringify(schema, (name, value: unknown) =>
      name === "additionalProperties" ? undefined : value,
    ),
  ) as JsonSchema;

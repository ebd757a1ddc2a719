/**
 * Finds the one JSON object in what a model said. Models put it in a fence or into prose, even when told not to; that
 * is forgiven. What is not: two objects, half an object, and an error's JSON, which would pass for an empty answer
 * with a lenient schema. Pure.
 */
import { err, ok, type Result } from "#kit";
import type { JsonSchema, LlmUsage, ProviderError } from "#domain";
import { excerptOf } from "./breaker.ts";
import type { Meter } from "./meter.ts";

export type Json = Readonly<Record<string, unknown>>;

/** The object, or in one line why there is none. */
export function jsonIn(text: string): Result<Json, string> {
  const clean = text.trim();
  if (clean === "") return err("the reply is empty");
  const whole = parsed(clean) ?? parsed(fenced(clean) ?? "");
  // Some models encode the object once more, as a string: what stands in it is read as any other reply.
  const found =
    whole === undefined ? within(clean) : typeof whole === "string" ? within(whole) : ok(whole);
  if (!found.ok) return found;
  if (!isObject(found.value)) return err("the reply is no JSON object");
  return isError(found.value) ? err("the reply is an error, not an answer") : ok(found.value);
}

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Undefined when it is no JSON; a schema or a guard comes after this. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON; JSON.parse is all that throws here.
  }
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
  const found = parsed(text.slice(start, end));
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

// How a model's reply, finished or not, becomes an answer or an error. Shared by all who speak HTTP.

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

// JSON schemas as each API takes them. The schema that a caller gives is the wish; what comes back is checked by the
// caller's own parser in any case, so constraints that an API rejects are dropped here without harm. Pure.

/** Bounds that constrained decoding does not know: Anthropic and OpenAI answer 400 to some of them. */
const bounds: ReadonlySet<string> = new Set([
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
  "default",
  "$schema",
]);

/** Objects closed and bounds left out: what constrained decoding wants. */
export const closedSchema = (schema: JsonSchema): JsonSchema =>
  mapSchema(schema, (node) => ({
    ...without(node, bounds),
    ...(isObject(node["properties"]) ? { additionalProperties: false } : {}),
  }));

/** OpenAI's strict mode also wants every property to be required; then it is asked for, else not. */
export const isStrict = (schema: JsonSchema): boolean => {
  let isFit = true;
  mapSchema(schema, (node) => {
    const { properties, required } = node;
    if (isObject(properties)) {
      const names = Array.isArray(required) ? required : [];
      if (Object.keys(properties).some((name) => !names.includes(name))) isFit = false;
    }
    return node;
  });
  return isFit;
};

const notInOpenApi: ReadonlySet<string> = new Set([
  "additionalProperties",
  "$schema",
  "const",
  "default",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "uniqueItems",
]);

/** Gemini's `responseSchema`, a part of OpenAPI 3.0: no closed objects, `nullable` instead of a type `null`. */
export const openApiSchema = (schema: JsonSchema): JsonSchema =>
  mapSchema(schema, (node) => ({
    ...without(node, notInOpenApi),
    ...("const" in node ? { enum: [node["const"]] } : {}),
    ...nullableType(node["type"]),
  }));

function nullableType(type: unknown): JsonSchema {
  if (!Array.isArray(type)) return {};
  const others = type.filter((one) => one !== "null");
  return { type: others[0], ...(others.length < type.length ? { nullable: true } : {}) };
}

const without = (node: JsonSchema, names: ReadonlySet<string>): JsonSchema =>
  Object.fromEntries(Object.entries(node).filter(([name]) => !names.has(name)));

type Change = (node: JsonSchema) => JsonSchema;

/** Applies a change to every schema within a schema, the innermost first. Names of properties are not keywords. */
function mapSchema(schema: JsonSchema, change: Change): JsonSchema {
  const inner = (value: unknown): unknown => (isObject(value) ? mapSchema(value, change) : value);
  const inAll = (value: unknown): unknown =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inner(one)]))
      : value;
  const mapped = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => {
      if (name === "properties" || name === "$defs" || name === "definitions")
        return [name, inAll(value)];
      if (name === "items") return [name, inner(value)];
      if (["anyOf", "allOf", "oneOf"].includes(name) && Array.isArray(value))
        return [name, value.map(inner)];
      return [name, value];
    }),
  );
  return change(mapped);
}

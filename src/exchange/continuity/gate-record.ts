/**
 * The privacy gate over a record of our own export: over its texts, not over its names, ids and hashes. Pure but for
 * the gate.
 */
import type { PrivacyGate } from "#domain";

type Json = Readonly<Record<string, unknown>>;

/** Fields that hold what people or programs said; all other fields are names, times, ids or hashes. */
const spoken: ReadonlySet<string> = new Set([
  "l0",
  "l1",
  "l2",
  "quote",
  "prompt",
  "answer",
  "firstPrompt",
  "compactSummary",
  "title",
  "subtitle",
  "narrative",
  "facts",
  "target",
  "text",
  "message",
  "request",
  "investigated",
  "learned",
  "completed",
  "nextSteps",
  "notes",
  "currentTask",
  "aliases",
]);

const depthMax = 6;

/** The record with every text behind the gate. */
export const gatedRecord = (gate: PrivacyGate, record: Json): Json =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      gatedValue(gate, value, { name, depth: 0 }),
    ]),
  );

function gatedValue(
  gate: PrivacyGate,
  value: unknown,
  at: { readonly name: string; readonly depth: number },
): unknown {
  if (typeof value === "string") return spoken.has(at.name) ? gate.clean(value).text : value;
  if (typeof value !== "object" || value === null || at.depth >= depthMax) return value;
  const inner = { name: at.name, depth: at.depth + 1 };
  if (Array.isArray(value)) return value.map((entry) => gatedValue(gate, entry, inner));
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [
      name,
      gatedValue(gate, entry, { ...inner, name }),
    ]),
  );
}

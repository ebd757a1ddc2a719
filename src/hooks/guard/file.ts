/** `guards.json`: what the daemon writes for the hook. Read with suspicion: it decides whether the agent may go on. */
import { isRecord, parseJson } from "#kit";
import { guardDecisions, type ActiveGuard, type GuardForm } from "#domain";

/** Above these a file is not ours. */
export const guardFileLimits = {
  bytesMax: 262_144,
  guardsMax: 100,
  commandsMax: 100,
  wordsMax: 8,
  charsMax: 400,
} as const;

const { guardsMax, commandsMax, wordsMax, charsMax } = guardFileLimits;

/** The text of the file. Of more than the hook reads, the first are kept. */
export const writeGuardFile = (guards: readonly ActiveGuard[]): string =>
  `${JSON.stringify({ v: 1, guards: guards.slice(0, guardsMax) })}\n`;

/** Null when this is no file of ours; a guard that makes no sense is left out. */
export function readGuardFile(text: string): readonly ActiveGuard[] | null {
  const file = parseJson(text);
  if (!isRecord(file) || file["v"] !== 1 || !Array.isArray(file["guards"])) return null;
  const given: readonly unknown[] = file["guards"];
  return given.length > guardsMax ? null : given.flatMap((one) => guardOf(one) ?? []);
}

const isText = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && value.length <= charsMax;
const isTexts = (value: unknown, max: number): value is readonly string[] =>
  Array.isArray(value) && value.length <= max && value.every(isText);

function guardOf(value: unknown): ActiveGuard | null {
  if (!isRecord(value)) return null;
  const { id, words, projects } = value;
  const decision = guardDecisions.find((one) => one === value["decision"]);
  const form = formOf(value["form"]);
  const isPlaced = projects === null || isTexts(projects, guardsMax);
  if (typeof id !== "number" || decision === undefined || form === null) return null;
  return isText(words) && isPlaced ? { id, decision, words, projects, form } : null;
}

/** Null for what is none. */
function formOf(value: unknown): GuardForm | null {
  if (!isRecord(value)) return null;
  const { type, commands, near, path, deletes } = value;
  if (type === "write")
    return isText(path) && /[^/.\s]/.test(path) ? { type, path, deletes: deletes === true } : null;
  if (type !== "run" || !Array.isArray(commands) || commands.length > commandsMax) return null;
  const known = commands.filter(
    (one): one is readonly string[] => isTexts(one, wordsMax) && one.length > 0,
  );
  return known.length > 0 && isTexts(near, wordsMax) ? { type, commands: known, near } : null;
}

/** Our own exports: the stream of lines in a file, in a folder or on standard input. */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { portableFormat, type PrivacyGate } from "#domain";
import {
  checkFile,
  itemStep,
  left,
  type Line,
  linesOf,
  type ReaderDeps,
  type ReadPlan,
  type ReadStep,
  SourceFailure,
} from "../source.ts";

const exportName = "continuity.jsonl";
const markName = ".continuity-export";

/** `path` null = standard input. */
export function planContinuity(deps: ReaderDeps, path: string | null): ReadPlan {
  if (path === null)
    return linesPlan(deps, {
      name: "standard input",
      bytes: null,
      input: () => Bun.stdin.stream(),
    });
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts?.isDirectory() !== true) return filePlan(deps, path);
  const file = join(path, exportName);
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) return filePlan(deps, file);
  throw new SourceFailure(
    lstatSync(join(path, markName), { throwIfNoEntry: false }) === undefined
      ? `${path} is no folder that an export was written to`
      : `${path} holds the Markdown pages of an export, which are for reading`,
    "name a folder or file that `continuity export` has written as JSON lines",
  );
}

const filePlan = (deps: ReaderDeps, path: string): ReadPlan =>
  linesPlan(deps, { name: path, ...checkFile(path), input: () => Bun.file(path).stream() });

interface Input {
  readonly name: string;
  readonly bytes: number | null;
  readonly input: () => ReadableStream<Uint8Array>;
}

const linesPlan = (deps: ReaderDeps, input: Input): ReadPlan => ({
  total: input.bytes,
  unit: "bytes",
  steps: lineSteps(deps, input),
  close: () => undefined,
});

async function* lineSteps(deps: ReaderDeps, { name, input }: Input): AsyncIterable<ReadStep> {
  let done = 0;
  let state: "head" | "records" | "ended" = "head";
  for await (const line of linesOf(input(), name)) {
    if (state === "head") {
      checkHead(line, name);
      state = "records";
    } else if (state === "records") {
      const step = stepOf(deps, line);
      if (step === null) state = "ended";
      else yield step;
    } else if (line.text !== "" || !line.isText)
      yield left("refused", "stands behind the end of the export");
    yield { type: "progress", done: line.bytesDone - done };
    done = line.bytesDone;
  }
  if (state === "head") throw new SourceFailure(`${name} is empty`);
  if (state === "records") yield left("refused", "the rest is missing: the file is cut off");
}

function checkHead({ text, isText }: Line, name: string): void {
  if (!isText) throw new SourceFailure(`${name} is not UTF-8 text (line 1)`);
  const head = recordIn(text);
  if (head?.["kind"] !== "continuity" || typeof head["format"] !== "number")
    throw new SourceFailure(
      `${name} is no export of Continuity: its first line does not say so`,
      "name a file that `continuity export` has written",
    );
  if (head["format"] > portableFormat)
    throw new SourceFailure(
      `${name} was written by a newer version (format ${head["format"]})`,
      "see `continuity upgrade --check`",
    );
}

/** Null at the last line. */
function stepOf(deps: ReaderDeps, line: Line): ReadStep | null {
  if (!line.isText) return left("refused", "not UTF-8 text");
  const record = recordIn(line.text);
  if (record === null)
    return line.isCut ? left("refused", "the last line is cut off") : left("refused", "not JSON");
  if (record["kind"] === "end") return null;
  return itemStep({ kind: "portable", record: gatedRecord(deps.gate, record) });
}

function recordIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value))
      : null;
  } catch {
    return null; // JSON.parse is the only thing here that throws.
  }
}

// The privacy gate over a record of our own export: over its texts, not over its names, ids and hashes. Pure but for
// the gate.

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
const gatedRecord = (gate: PrivacyGate, record: Json): Json =>
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

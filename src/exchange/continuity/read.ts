/** Our own exports: the stream of lines in a file, in a folder or on standard input. */
import { isRecord, type Json, parseJson } from "#kit";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { portableFormat, type PrivacyGate } from "#domain";
import { exportName, markName } from "../out/folder.ts";
import {
  checkFile,
  itemStep,
  left,
  type Line,
  linesOf,
  type ReadContext,
  type ReadPlan,
  type ReadStep,
  SourceFailure,
} from "../source.ts";

/** `path` null = standard input. */
export function planContinuity(context: ReadContext, path: string | null): ReadPlan {
  const plan = (
    name: string,
    total: number | null,
    input: ReadableStream<Uint8Array>,
  ): ReadPlan => ({
    total,
    unit: "bytes",
    steps: lineSteps(context, name, input),
    close: () => undefined,
  });
  if (path === null) return plan("standard input", null, Bun.stdin.stream());
  const there = (one: string): boolean => lstatSync(one, { throwIfNoEntry: false }) !== undefined;
  const isFolder = lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const file = isFolder ? join(path, exportName) : path;
  if (isFolder && !there(file))
    throw new SourceFailure(
      there(join(path, markName))
        ? `${path} holds the Markdown pages of an export, which are for reading`
        : `${path} is no folder that an export was written to`,
      "name a folder or file that `continuity export` has written as JSON lines",
    );
  return plan(file, checkFile(file).bytes, Bun.file(file).stream());
}

async function* lineSteps(
  context: ReadContext,
  name: string,
  input: ReadableStream<Uint8Array>,
): AsyncIterable<ReadStep> {
  let done = 0;
  let state: "head" | "records" | "ended" = "head";
  for await (const line of linesOf(input, name)) {
    if (state === "head") {
      checkHead(line, name);
      state = "records";
    } else if (state === "records") {
      const step = stepOf(context, line);
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
function stepOf(context: ReadContext, line: Line): ReadStep | null {
  if (!line.isText) return left("refused", "not UTF-8 text");
  const record = recordIn(line.text);
  if (record === null)
    return line.isCut ? left("refused", "the last line is cut off") : left("refused", "not JSON");
  if (record["kind"] === "end") return null;
  return itemStep({ kind: "portable", record: gatedRecord(context.gate, record) });
}

function recordIn(text: string): Json | null {
  const value = parseJson(text);
  return isRecord(value) ? value : null;
}

// The privacy gate over a record of our own export: over its texts, not over its names, ids and hashes. Pure but for
// the gate.

/** Fields that hold what people or programs said; all other fields are names, times, ids or hashes. */
const spoken: ReadonlySet<string> = new Set(
  (
    "l0 l1 l2 quote prompt answer firstPrompt compactSummary title subtitle narrative facts target text message " +
    "request investigated learned completed nextSteps notes currentTask aliases"
  ).split(" "),
);

const depthMax = 6;

/** The value with every text behind the gate; `name`: the field that it stands in. */
function gatedValue(gate: PrivacyGate, value: unknown, name: string, depth = 0): unknown {
  if (typeof value === "string") return spoken.has(name) ? gate.clean(value).text : value;
  if (typeof value !== "object" || value === null || depth > depthMax) return value;
  return Array.isArray(value)
    ? value.map((entry) => gatedValue(gate, entry, name, depth + 1))
    : gatedRecord(gate, value as Json, depth);
}

const gatedRecord = (gate: PrivacyGate, record: Json, depth = 0): Json =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, gatedValue(gate, value, name, depth + 1)]),
  );

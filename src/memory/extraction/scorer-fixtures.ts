/** Labelled turns: their form, and each as the scorer receives it. For tests and `bench/scorer.ts` only. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseNow } from "#kit";
import type { EvaluationType, ToolUse } from "#domain";
import { scoreTurn } from "./scorer.ts";
import type { TurnContext } from "./turn-context.ts";

export interface LabelledTurn {
  readonly prompt: string;
  readonly answer?: string;
  /** `Edit src/a.ts`, `Bash bun test`; after ` !! ` the error text of a failed call. */
  readonly tools?: readonly string[];
  readonly interrupted?: boolean;
  readonly before?: readonly { readonly prompt: string; readonly answer: string | null }[];
  readonly band: readonly [number, number];
  /** Every type an annotator would accept. */
  readonly types: readonly EvaluationType[];
  /** One of those that `scorer.test.ts` holds. */
  readonly slice?: true;
}

const folder = join(import.meta.dir, "../../../bench/data/scorer");

/** A labelled set, one turn a line. What `a` and `b` are is said in the README beside them. */
export const labelledTurns = (set: "a" | "b"): readonly LabelledTurn[] =>
  readFileSync(join(folder, `${set}.jsonl`), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as LabelledTurn);

/** What the scorer says of a turn, and whether a reader would agree. */
export function judge(labelled: LabelledTurn): Judged {
  const { significance, type } = scoreTurn(contextOf(labelled), labelled.before ?? []);
  const [least, most] = labelled.band;
  return {
    prompt: labelled.prompt,
    inBand: significance >= least && significance <= most,
    ofType: labelled.types.includes(type),
  };
}

export interface Judged {
  readonly prompt: string;
  readonly inBand: boolean;
  readonly ofType: boolean;
}

const nowMs = parseNow("2026-03-14T09:00:00Z") ?? 0;

/** A labelled turn as the scorer receives it. */
export function contextOf(labelled: LabelledTurn): TurnContext {
  const last = labelled.before?.at(-1);
  return {
    sessionId: "s-labelled",
    turn: (labelled.before?.length ?? 0) + 1,
    project: "github.com/acme/harbour",
    projectName: "harbour",
    branch: "main",
    atMs: nowMs,
    prompt: labelled.prompt,
    answer: labelled.answer ?? null,
    interrupted: labelled.interrupted ?? false,
    previousPrompt: last?.prompt ?? null,
    previousAnswer: last?.answer ?? null,
    tools: (labelled.tools ?? []).map(toolUseOf),
  };
}

/** One line of the shorthand as a recorded tool use. */
export function toolUseOf(line: string, index: number): ToolUse {
  const [call = "", error] = line.split(" !! ");
  const space = call.indexOf(" ");
  const tool = space < 0 ? call : call.slice(0, space);
  const target = space < 0 ? null : call.slice(space + 1);
  const isFileTool = tool === "Edit" || tool === "Write" || tool === "Read";
  return {
    id: index + 1,
    sessionId: "s-labelled",
    turn: 1,
    toolUseId: `toolu_${index}`,
    tool,
    target,
    files: isFileTool && target !== null ? [target] : [],
    outcome: error === undefined ? "ok" : "error",
    text: error ?? null,
    atMs: nowMs + index * 1_000,
    agentId: "",
  };
}

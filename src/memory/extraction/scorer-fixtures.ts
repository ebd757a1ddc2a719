/**
 * The form of the labelled turns that the scorer is measured on. Test data only: nothing in the product imports it.
 */
import { parseNow } from "#kit";
import type { EvaluationType, ToolUse } from "#domain";
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

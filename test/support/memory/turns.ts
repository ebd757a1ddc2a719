/** Recorded sessions in a shorthand, and turns with everything defaulted. For tests only. */
import { editingTools, type Session, type ToolUse, type Turn } from "#domain";
import { msPerMinute, parseNow } from "#kit";
import {
  readTools,
  type SessionMaterial,
} from "../../../src/memory/extraction/checkpoint-files.ts";
import type { TurnContext } from "../../../src/memory/extraction/significance.ts";

export interface SaidTurn {
  readonly prompt: string | null;
  readonly answer?: string | null;
  readonly tools?: readonly string[];
  readonly interrupted?: boolean;
}

const startedAt = parseNow("2026-03-14T09:00:00Z") ?? 0;

/** A session as the store would hand it over; every turn takes a minute. */
export function recorded(said: readonly SaidTurn[], over: Partial<Session> = {}): SessionMaterial {
  const turns = said.map(recordedTurnOf);
  const toolUses = said.flatMap(({ tools = [] }, index) =>
    tools.map((line, at) => ({ ...toolUseOf(line, at), turn: index + 1 })),
  );
  return { session: sessionOf(said, over), turns, toolUses };
}

const askedAndAnswered = "Which suite runs on push? → unit tests only";

/** `Edit src/a.ts`, `Bash bun test`, `Remark said before a call`; after ` !! ` the error text of a failed call. */
export function toolUseOf(line: string, index: number): ToolUse {
  const [call = "", error] = line.split(" !! ");
  const space = call.indexOf(" ");
  const tool = space < 0 ? call : call.slice(0, space);
  const target = space < 0 ? null : call.slice(space + 1);
  const isFileTool = tool === "Edit" || tool === "Write" || tool === "Read";
  return {
    id: index + 1,
    sessionId: "s-1",
    turn: 1,
    toolUseId: `toolu_${index}`,
    tool,
    target,
    files: isFileTool && target !== null ? [target] : [],
    outcome: error === undefined ? "ok" : "error",
    text: error ?? { AskUserQuestion: askedAndAnswered, Remark: target }[tool] ?? null,
    atMs: startedAt + index * 1_000,
    agentId: "",
  };
}

const sessionOf = (said: readonly SaidTurn[], over: Partial<Session>): Session => ({
  sessionId: "s-1",
  project: "github.com/acme/harbour",
  projectName: "harbour",
  branch: "main",
  cwd: "/home/mira/harbour",
  title: said[0]?.prompt ?? null,
  firstPrompt: said[0]?.prompt ?? null,
  status: "active",
  startedAt,
  endedAt: null,
  lastEventAt: startedAt + said.length * msPerMinute,
  parentSession: null,
  transcriptPath: null,
  ...over,
});

function recordedTurnOf(said: SaidTurn, index: number): Turn {
  const uses = (said.tools ?? []).map(toolUseOf).filter(({ outcome }) => outcome === "ok");
  const files = (of: ReadonlySet<string>): readonly string[] =>
    uses.filter((use: ToolUse) => of.has(use.tool)).flatMap((use) => use.files);
  return {
    id: index + 1,
    sessionId: "s-1",
    n: index + 1,
    promptId: `p-${index + 1}`,
    line: null,
    status: said.interrupted === true ? "interrupted" : "closed",
    startedAt: startedAt + index * msPerMinute,
    endedAt: startedAt + (index + 1) * msPerMinute,
    prompt: said.prompt,
    answer: said.answer ?? null,
    toolCount: uses.length,
    filesRead: files(readTools),
    filesEdited: files(editingTools),
  };
}

/** A turn with everything defaulted, so that each test says only what it is about. */
export const turnOf = (prompt: string | null, over: Partial<TurnContext> = {}): TurnContext => ({
  sessionId: "s-1",
  turn: 1,
  project: "github.com/deskly/deskly",
  branch: null,
  // 2 March 2026, 9:00 UTC.
  atMs: 1_772_442_000_000,
  prompt,
  answer: null,
  interrupted: false,
  previousPrompt: null,
  previousAnswer: null,
  tools: [],
  ...over,
});

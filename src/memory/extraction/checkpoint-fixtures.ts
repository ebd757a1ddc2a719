/** Recorded sessions for the tests of checkpoints and narratives, in a shorthand. Nothing in the product imports it. */
import type { Session, ToolUse, Turn } from "#domain";
import { msPerMinute, parseNow } from "#kit";
import type { SessionMaterial } from "./checkpoint-digest.ts";
import { toolUseOf } from "./scorer-fixtures.ts";
import { editTools, readTools } from "./scorer-tools.ts";

export interface SaidTurn {
  readonly prompt: string | null;
  readonly answer?: string | null;
  readonly tools?: readonly string[];
  readonly interrupted?: boolean;
}

const startedAt = parseNow("2026-03-14T09:00:00Z") ?? 0;

/** A session as the store would hand it over; every turn takes a minute. */
export function recorded(said: readonly SaidTurn[], over: Partial<Session> = {}): SessionMaterial {
  const turns = said.map(turnOf);
  const toolUses = said.flatMap(({ tools = [] }, index) =>
    tools.map((line, at) => ({ ...toolUseOf(line, at), turn: index + 1 })),
  );
  return { session: sessionOf(said, over), turns, toolUses };
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

function turnOf(said: SaidTurn, index: number): Turn {
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
    filesEdited: files(editTools),
  };
}

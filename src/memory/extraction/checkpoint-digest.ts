/**
 * A session's turns, each with what it claims and what was observed: the raw material of checkpoints and narratives.
 *
 * Pure. Reads recorded turns; decides nothing about what is told.
 */
import type { ObservationDraft, Session, ToolUse, Turn } from "#domain";
import { limits } from "../limits.ts";
import { observeTurn } from "./observe.ts";
import { ceilingOf, readingOf } from "./scorer-reading.ts";
import type { Reading } from "./scorer-reading.ts";
import type { Claim } from "./scorer-judging.ts";
import { strongestClaim } from "./scorer.ts";
import type { TurnContext } from "./turn-context.ts";

export interface SessionMaterial {
  readonly session: Session;
  /** Oldest first. */
  readonly turns: readonly Turn[];
  /** Of these turns; may lack turns whose record was dropped. */
  readonly toolUses: readonly ToolUse[];
}

export interface TurnDigest {
  readonly context: TurnContext;
  readonly reading: Reading;
  readonly claim: Claim;
  /** Made when they are asked for: a checkpoint tells of none. */
  readonly observations: () => readonly ObservationDraft[];
  /** A request or statement about the work: no nod, no errand, no small talk. */
  readonly isAim: boolean;
}

/**
 * Digests of the turns with a prompt from turn `fromTurn` on, oldest first; of a very long session the last
 * `checkpointTurnsMax`. Reading a turn is what costs here, so turns that are told already are not read.
 */
export function digestsOf(material: SessionMaterial, fromTurn = 1): readonly TurnDigest[] {
  const toolsByTurn = Map.groupBy(material.toolUses, (use) => use.turn);
  const turns = material.turns
    .filter(({ prompt }) => prompt !== null)
    .slice(-limits.checkpointTurnsMax);
  return turns.flatMap((turn, index) => {
    if (turn.n < fromTurn) return [];
    const previous = turns[index - 1] ?? null;
    const tools = toolsByTurn.get(turn.n) ?? toolsFromFiles(turn);
    return [digestOf(contextOf(material.session, turn, { previous, tools }))];
  });
}

function digestOf(context: TurnContext): TurnDigest {
  const reading = readingOf(context, [
    { prompt: context.previousPrompt, answer: context.previousAnswer },
  ]);
  return {
    context,
    reading,
    claim: strongestClaim(reading),
    observations: () => observeTurn(context),
    isAim:
      ceilingOf(reading) === 1 && reading.prompt.some(({ plain }) => plain.split(" ").length >= 3),
  };
}

const contextOf = (
  session: Session,
  turn: Turn,
  around: { readonly previous: Turn | null; readonly tools: readonly ToolUse[] },
): TurnContext => ({
  sessionId: session.sessionId,
  turn: turn.n,
  project: session.project,
  projectName: session.projectName,
  branch: session.branch,
  atMs: turn.startedAt,
  prompt: turn.prompt,
  answer: turn.answer,
  interrupted: turn.status === "interrupted",
  previousPrompt: around.previous?.prompt ?? null,
  previousAnswer: around.previous?.answer ?? null,
  tools: around.tools.map((use) => ({
    ...use,
    files: use.files.map((path) => shortPath(path, session.cwd)),
  })),
});

/** When a turn's raw record is gone, its file lists still tell what was read and edited. */
const toolsFromFiles = (turn: Turn): readonly ToolUse[] =>
  [
    ...turn.filesRead.map((path) => ({ tool: "Read", path })),
    ...turn.filesEdited.map((path) => ({ tool: "Edit", path })),
  ].map(({ tool, path }) => ({
    id: 0,
    sessionId: turn.sessionId,
    turn: turn.n,
    toolUseId: null,
    tool,
    target: path,
    files: [path],
    outcome: "ok",
    text: null,
    atMs: turn.startedAt,
    agentId: "",
  }));

/** A path as written from the working folder. */
export const shortPath = (path: string, cwd: string | null): string =>
  cwd !== null && cwd !== "" && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;

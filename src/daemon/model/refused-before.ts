/**
 * Finds commands that the user refused in this session and in earlier ones of the project: a refusal without words, or
 * with a reason for one moment, becomes a habit only when it is seen beside the others.
 */
import { isRefusedCall, type Session, type ToolUse } from "#domain";
import { cutAtWord, localDate, oneLine } from "#kit";
import type { CondenseTool, CondenseTurn, SessionInput } from "#models";
import type { WorkerContext } from "../context.ts";

type TypedBefore = SessionInput["typedBefore"][number];

/** The latest sessions before this one that are looked through. */
const sessionsMax = 20;
const refusalsMax = 3;
/** A command is known by its first words: `mise run test:slow` with other flags is the same. */
const keyWords = 3;
const shownCharsMax = 100;

const shells: ReadonlySet<string> = new Set(["bash", "shell", "run_in_terminal"]);

/** One line for each command, from the latest session in which it was refused too. */
export function refusedBefore(
  { store }: WorkerContext,
  { project, sessionId, startedAt }: Session,
  turns: readonly CondenseTurn[],
): readonly TypedBefore[] {
  const here = new Map(
    turns.flatMap(({ n, tools }) => tools.flatMap((use) => withKey(use, n))).slice(-sessionsMax),
  );
  if (here.size === 0 || project === null) return [];
  const earlier = store.sessions
    .list({ projects: [project], untilMs: startedAt }, { limit: sessionsMax })
    .filter((session) => session.sessionId !== sessionId)
    .flatMap((session) => store.sessions.toolUses(session.sessionId, null))
    .toSorted((a, b) => b.atMs - a.atMs);
  const first = new Map<string, ToolUse>();
  for (const use of earlier)
    for (const [key] of withKey(use, 0)) if (!first.has(key)) first.set(key, use);
  return [...here]
    .flatMap(([key, turn]) => {
      const use = first.get(key);
      return use === undefined ? [] : [{ turn, date: localDate(use.atMs), text: textOf(use) }];
    })
    .slice(0, refusalsMax);
}

function withKey(use: CondenseTool, turn: number): readonly (readonly [string, number])[] {
  const isRefused = use.outcome === "error" && isRefusedCall(use.text);
  const words = oneLine(use.target ?? "").split(" ");
  return isRefused && shells.has(use.tool.toLowerCase()) && words[0] !== ""
    ? [[words.slice(0, keyWords).join(" "), turn]]
    : [];
}

/** The command, with the user's words where they said why. */
function textOf({ target, text }: ToolUse): string {
  const why = /the user said:\s*(\S[^\n]*)/iu.exec(text ?? "")?.[1] ?? "";
  const saying = why === "" ? "" : `, saying: ${cutAtWord(why, shownCharsMax)}`;
  return `user refused to run ${cutAtWord(oneLine(target ?? ""), shownCharsMax)}${saying}`;
}

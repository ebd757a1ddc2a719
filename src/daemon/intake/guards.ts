/**
 * Offers what the user forbids as a guard: told once, and without any effect until the user approves it
 * (src/api/service/guards.ts).
 */
import type { Guard, GuardForm, GuardSaying, GuardStore, Store, ToolUse, Turn } from "#domain";
import { guardAgainst } from "#hooks";
import { bansOf, deedIn, type TurnContext } from "#memory";

const sayingsMax = 20;

/** Offers what this prompt forbids, and counts it where it was forbidden before. Twice the same turn counts once. */
export function noteBans(
  { nodes, guards, sessions }: Store,
  turn: TurnContext,
  memoryOf: (words: string) => number | null,
): void {
  const bans = bansOf(turn);
  if (bans.length === 0) return;
  const before = turn.turn < 2 ? [] : sessions.toolUses(turn.sessionId, turn.turn - 1);
  for (const { words, form, project, isMeant } of bans) {
    // Words in passing correct what was just done, or nothing.
    if (!isMeant && !before.some((use) => didForbidden(form, use))) continue;
    if (nodes.isForgotten(words)) continue;
    const saying = { sessionId: turn.sessionId, turn: turn.turn, words };
    const known = guards.byForm(null, form) ?? guards.byForm(project, form);
    const nodeId = memoryOf(words);
    if (known !== null) hearAgain(guards, known, saying, nodeId);
    else
      guards.add({
        nodeId,
        project,
        words,
        form,
        decision: "ask",
        state: "offered",
        sayings: [saying],
        isTold: false,
        createdAt: turn.atMs,
      });
  }
}

const didForbidden = (form: GuardForm, { tool, target, files }: ToolUse): boolean => {
  const isShell = tool === "Bash";
  const deed = { tool, command: isShell ? target : null, cwd: "", root: "" };
  return (isShell ? [null] : files).some(
    (path) => guardAgainst([{ decision: "ask" as const, form }], { ...deed, path }) !== null,
  );
};

function hearAgain(
  guards: GuardStore,
  known: Guard,
  saying: GuardSaying,
  nodeId: number | null,
): void {
  const { sayings, state } = known;
  const isSame = (one: GuardSaying): boolean =>
    one.sessionId === saying.sessionId && one.turn === saying.turn;
  if (sayings.some(isSame)) return;
  const all = [...sayings, saying].slice(-sayingsMax);
  guards.update(known.id, {
    sayings: all,
    nodeId: known.nodeId ?? nodeId,
    // The shortest way in which it was said reads best.
    words: saying.words.length < known.words.length ? saying.words : known.words,
    ...(state === "heard" ? { state: "offered" as const } : {}),
  });
}

/** `offerFor` words, once, the offer of a guard where the session is; null = nothing. */
export function offerFor(
  { guards, sessions }: Store,
  { sessionId }: Turn,
  program: string,
): string | null {
  const project = sessions.byId(sessionId)?.project ?? null;
  const offer = guards
    .list()
    .find(
      (one) =>
        one.state === "offered" && !one.isTold && (one.project === null || one.project === project),
    );
  if (offer === undefined) return null;
  guards.update(offer.id, { isTold: true });
  return (
    `You have said not to ${deedIn(offer.form)}. ` +
    `\`${program} guards approve ${offer.id}\` makes Claude ask first.`
  );
}

/** Orders what is shown: prompts by session, a timeline without repeats. Pure. */
import type { InjectionHeadJson, TimelineItemJson } from "#api";

/** A row needs a name by which it is found again. */
export interface PromptRow {
  readonly uri: string;
  readonly kind: "session" | "prompt";
  /** The prompt; of a session its latest. */
  readonly head: InjectionHeadJson;
}

export const rowsOf = (heads: readonly InjectionHeadJson[]): readonly PromptRow[] =>
  [...Map.groupBy(heads, ({ session_id: session }) => session)].flatMap(([session, prompts]) =>
    prompts.flatMap((head, at): readonly PromptRow[] => {
      const row: PromptRow = { uri: `${head.id}`, kind: "prompt", head };
      return at === 0 ? [{ uri: `session ${session}`, kind: "session", head }, row] : [row];
    }),
  );

/**
 * Without what says again what stands beside it: the exchange of a turn whose prompt or answer is there, and summaries
 * before the last one. A memory stands after the answer of its turn. `kept` stays whatever it is.
 */
export function withoutRepeats(
  items: readonly TimelineItemJson[],
  kept: TimelineItemJson | null,
): readonly TimelineItemJson[] {
  const turnOf = ({ session_id: session, turn }: TimelineItemJson): string | null =>
    turn === null ? null : `${session ?? ""} ${turn}`;
  const told = new Set(
    items.filter(({ kind }) => kind === "prompt" || kind === "answer").map(turnOf),
  );
  const summary = items.findLast(({ kind }) => kind === "checkpoint");
  const once = items.filter(
    (item) =>
      item === kept ||
      !(
        (item.kind === "moment" && turnOf(item) !== null && told.has(turnOf(item))) ||
        (item.kind === "checkpoint" && item !== summary)
      ),
  );
  const isLate = (item: TimelineItemJson): boolean => item.kind === "memory" && item.turn !== null;
  const answered = new Set(once.filter(({ kind }) => kind === "answer").map(turnOf));
  return once.flatMap((item): readonly TimelineItemJson[] => {
    if (isLate(item) && answered.has(turnOf(item))) return [];
    if (item.kind !== "answer") return [item];
    const late = once.filter((one) => isLate(one) && turnOf(one) === turnOf(item));
    return [item].concat(late);
  });
}

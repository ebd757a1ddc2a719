/** Prompts as rows of a list: those of a session under its name, the session that was active last first. Pure. */
import type { InjectionHeadJson } from "#api";

export type PromptHead = InjectionHeadJson;

/** A row needs a name by which it is found again. */
export interface PromptRow {
  readonly uri: string;
  readonly kind: "session" | "prompt";
  /** The prompt; of a session its latest. */
  readonly head: PromptHead;
}

export const rowsOf = (heads: readonly PromptHead[]): readonly PromptRow[] =>
  [...Map.groupBy(heads, ({ session_id: session }) => session)].flatMap(([session, prompts]) =>
    prompts.flatMap((head, at): readonly PromptRow[] => {
      const row: PromptRow = { uri: `${head.id}`, kind: "prompt", head };
      return at === 0 ? [{ uri: `session ${session}`, kind: "session", head }, row] : [row];
    }),
  );

/** The number of the row with this name; -1 when it is not there. */
export const byUri =
  (rows: readonly PromptRow[]) =>
  (uri: string): number =>
    rows.findIndex((row) => row.uri === uri);

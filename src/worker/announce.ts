/** What the user is told beside a prompt: guards that are offered, and moments where a message is wished. */
import { momentScore, storedLine, type Settings, type StoreDep, type Turn } from "#domain";
import { archiveUri } from "#memory";
import { offerFor } from "./guards.ts";

export interface AnnounceDeps extends StoreDep {
  readonly settings: () => Settings;
  /** The program as its user's shell can call it. */
  readonly program: string;
}

/**
 * With the prompt that opens `turn`: a guard that is offered, which is told once wherever moments are told, and the
 * moment of the turn before.
 */
export function announcement(
  deps: AnnounceDeps,
  turn: Pick<Turn, "sessionId" | "n">,
): { readonly message?: string } {
  const lines = [offerFor(deps.store, turn, deps.program), momentLine(deps, turn)];
  const message = lines.filter((line) => line !== null).join("\n");
  return message === "" ? {} : { message };
}

/**
 * With the prompt that follows: a Stop may not answer, and at that time nothing is judged yet. Null when the turn
 * before was not kept, or is judged only later.
 */
function momentLine(
  { settings, store }: AnnounceDeps,
  { sessionId, n }: Pick<Turn, "sessionId" | "n">,
): string | null {
  if (settings().moments.announce !== "message" || n < 2) return null;
  const node = store.nodes.byUri(archiveUri({ sessionId, part: "moments", n: n - 1 }));
  if (node?.status !== "active") return null;
  const scores = store.nodes.revisions(node.id).flatMap(({ reason }) => momentScore(reason) ?? []);
  const [type = "moment"] = node.tags;
  return storedLine(type, scores.at(-1) ?? node.importance / 5);
}

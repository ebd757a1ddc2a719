/** Tells the user of the moment that the turn before became, where the user wants a message for it. */
import { momentScore, storedLine, type Settings, type StoreDep, type Turn } from "#domain";
import { archiveUri } from "#memory";

export interface AnnounceDeps extends StoreDep {
  readonly settings: () => Settings;
}

/**
 * With the prompt that opens `turn`: a Stop may not answer, and at that time nothing is judged yet. Nothing when the
 * turn before was not kept, or is judged only later.
 */
export function announcement(
  { settings, store }: AnnounceDeps,
  { sessionId, n }: Pick<Turn, "sessionId" | "n">,
): { readonly message?: string } {
  if (settings().moments.announce !== "message" || n < 2) return {};
  const node = store.nodes.byUri(archiveUri({ sessionId, part: "moments", n: n - 1 }));
  if (node?.status !== "active") return {};
  const scores = store.nodes.revisions(node.id).flatMap(({ reason }) => momentScore(reason) ?? []);
  const [type = "moment"] = node.tags;
  return { message: storedLine(type, scores.at(-1) ?? node.importance / 5) };
}

/** What the user is told beside a prompt, in the client and not in the model's context. */
import {
  momentScore,
  shortIdOf,
  storedLine,
  type Settings,
  type StoreDep,
  type Turn,
} from "#domain";
import { cutAtWord, oneLine } from "#kit";
import { archiveUri } from "#memory";
import { offerFor } from "./guards.ts";
import type { Remembered } from "./remember.ts";

export interface AnnounceDeps extends StoreDep {
  readonly settings: () => Settings;
  /** The program as its user's shell can call it. */
  readonly program: string;
}

/**
 * With the prompt that opens `turn`: what was kept because the user said so in it, a guard that is offered, which is
 * told once wherever moments are told, and the moment of the turn before.
 */
export function announcement(
  deps: AnnounceDeps,
  turn: Pick<Turn, "sessionId" | "n">,
  kept: readonly Remembered[],
): { readonly message?: string } {
  const lines = [
    keptLine(deps, kept),
    offerFor(deps.store, turn, deps.program),
    momentLine(deps, turn),
  ];
  const message = lines.filter((line) => line !== null).join("\n");
  return message === "" ? {} : { message };
}

const keptMax = 3;
const keptCharsMax = 160;

/** `Remembered: staging listens on port 5433 (#7q)`. */
function keptLine({ settings }: AnnounceDeps, kept: readonly Remembered[]): string | null {
  const isKnown = kept.every(({ plan }) => plan === "skip");
  const nodes = kept.flatMap(({ node }) => node ?? []);
  if (!settings().announce.remembered || nodes.length === 0) return null;
  const shown = nodes
    .slice(0, keptMax)
    .map(({ id, l0 }) => `${cutAtWord(oneLine(l0), keptCharsMax)} (${shortIdOf(id)})`);
  const more = nodes.length > keptMax ? [`${nodes.length - keptMax} more`] : [];
  return `${isKnown ? "Known already" : "Remembered"}: ${[...shown, ...more].join("; ")}`;
}

/**
 * With the prompt that follows: a Stop may not answer, and at that time nothing is judged yet. Null when the turn
 * before was not kept, or is judged only later.
 */
function momentLine(
  { settings, store }: AnnounceDeps,
  { sessionId, n }: Pick<Turn, "sessionId" | "n">,
): string | null {
  if (settings().announce.moments !== "message" || n < 2) return null;
  const node = store.nodes.byUri(archiveUri({ sessionId, part: "moments", n: n - 1 }));
  if (node?.status !== "active") return null;
  const scores = store.nodes.revisions(node.id).flatMap(({ reason }) => momentScore(reason) ?? []);
  const [type = "moment"] = node.tags;
  return storedLine(type, scores.at(-1) ?? node.importance / 5);
}

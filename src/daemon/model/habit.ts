/**
 * Puts habits before the user: a rule that the model sees in words of several tasks, and that nobody called one, is in
 * force by their yes alone. Until then it ends nothing, and it waits once, however often it is seen.
 */
import type { MemoryNode } from "#domain";
import { planCandidate } from "#memory";
import { carryOut, holdBack, nearestTo } from "../jobs/remember.ts";
import { isRule } from "./known.ts";
import { isCounted, type Proposal, rewording, targetsOf } from "./proposal.ts";
import type { Reading } from "./replies.ts";
import type { WorkerContext } from "../context.ts";

const reason = "a rule that several tasks suggest; it holds once you accept it";

export function proposeHabit(deps: WorkerContext, { job }: Reading, proposal: Proposal): void {
  const { store } = deps;
  const { candidate } = proposal;
  const by = job.key;
  const known = waitingAs(deps, proposal) ?? ruleSaying(deps, proposal);
  if (known === null) {
    const named = targetsOf(deps, proposal).filter(({ status }) => status === "active");
    holdBack(deps, { candidate, reason, named, by });
    return;
  }
  const reinforce = !isCounted(known, proposal);
  const plan = { type: "skip", node: known, reason: "seen again", reinforce } as const;
  const again = carryOut(deps, { candidate, by, plan });
  // Refusals alone had suggested it: now it is told in the user's words.
  if (again.status !== "pending" || again.origin === "user" || candidate.origin !== "user") return;
  const cause = { atMs: candidate.atMs, action: "merge", by, reason: "said in words" } as const;
  store.nodes.update(again.id, { ...rewording(proposal, again), origin: "user" }, cause);
}

/** Memories that wait which are looked through; with more, nobody reads the review. */
const waitingMax = 200;

/** The same habit as another session proposed it. */
function waitingAs({ store }: WorkerContext, { candidate, slot }: Proposal): MemoryNode | null {
  if (slot === null) return null;
  const { project } = candidate;
  const filter = { projects: project === null ? [] : [project], statuses: ["pending"] } as const;
  const waiting = store.nodes.list(filter, "recent", { limit: waitingMax });
  const isIt = (one: MemoryNode): boolean => one.project === project && one.slot === slot;
  return waiting.find((one) => isIt(one) && isRule(one)) ?? null;
}

function ruleSaying(deps: WorkerContext, { candidate }: Proposal): MemoryNode | null {
  const known = planCandidate(candidate, nearestTo(deps.finder, candidate));
  return known.type === "skip" && isRule(known.node) ? deps.store.nodes.byId(known.node.id) : null;
}

/**
 * Measures how near a prompt is to what a memory is called. In the middle of a session all of the talk is near whatever
 * was kept of the same work; what was near to its line alone was noise, what was near to its name helped. Pure.
 */
import type { MemoryNode } from "#domain";
import { cosine } from "../exchange/traits.ts";
import type { PromptCandidate } from "./prompt-types.ts";

/** Chosen on memories found for prompts of real developers, each judged by use (lab/train/name-nearness.ts). */
export const nameBars = {
  /** The prompt may speak of the memory: below it nothing is told at work. */
  mentioned: 0.45,
  /** The prompt names it: its wording counts nothing against an order. */
  named: 0.7,
} as const;

/** Nearness of a prompt to the nearest of a memory's names, 0 to 1. */
export const nameNearness = (
  node: MemoryNode,
  asked: {
    readonly vector: Float32Array | null;
    readonly embed: (text: string) => Float32Array | null;
  },
): number => Math.max(0, ...namesOf(node).map((name) => cosine(asked.vector, asked.embed(name))));

/** The subject of a memory and its other words for searching; of what has neither, its line. */
function namesOf({ category, slot, aliases, l0 }: MemoryNode): readonly string[] {
  const [subject = "", attribute = ""] = (slot ?? "").split(" · ");
  // The subject of what is known of the user is the user, who talks all the time.
  const name = category === "profile" ? attribute : subject;
  const names = [name, ...aliases].filter((one) => one !== "");
  return names.length === 0 ? [l0] : names;
}

/** Whatever was not measured (outside a session's work) is not held against it. */
export const isMentioned = ({ nameNearness: near = 1 }: PromptCandidate): boolean =>
  near >= nameBars.mentioned;

export const isNameSaid = ({ nameNearness: near = 0 }: PromptCandidate): boolean =>
  near >= nameBars.named;

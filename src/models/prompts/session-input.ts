/** Declares the parts of the question about a session. */
import type { Condensed } from "./condense.ts";

/** A memory as it was before the stretch. */
export interface KnownSlot {
  /** From 1, in the order shown. */
  readonly number: number;
  readonly id: number;
  readonly slot: string | null;
  readonly l0: string;
  /** Name of its project; null = everywhere. */
  readonly project: string | null;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** The branch that was checked out where it was learnt; null = not known, or it matters not. */
  readonly branch?: string | null;
  /** The user's rule: worded anew, it stays one. */
  readonly isRule?: boolean;
  /** Only its slot and its beginning are shown. */
  readonly isName?: boolean;
  /** Turn of this session in which its agent saved it; null = it is older, or of another session. */
  readonly savedAt?: number | null;
}

/** Words of an earlier session that say most of an order of this one. */
export interface TypedBefore {
  /** Turn of this session whose words they are like. */
  readonly turn: number;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly text: string;
}

export interface SessionInput {
  readonly project: string | null;
  readonly branch: string | null;
  /** First and last day of the stretch, `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
  readonly record: Condensed;
  /** Digest of the turns before, when the session went on. */
  readonly previous: {
    readonly title: string;
    readonly outcome: string;
    readonly open: string;
  } | null;
  readonly known: readonly KnownSlot[];
  /** Its agent saves memories: in this session, or in one of the last before it. */
  readonly agentSaves: boolean;
  readonly typedBefore: readonly TypedBefore[];
  /** Memories that the session may still have. */
  readonly memoriesMax: number;
  readonly hasSecret: (text: string) => boolean;
}

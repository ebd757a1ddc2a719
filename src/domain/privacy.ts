/** The privacy gate's port (docs/design/capture.md, "Privacy gate"). */
import type { Turn } from "./session.ts";

/**
 * The tag around everything we inject: `<continuity-memory …>…</continuity-memory>`. The renderer writes it and
 * the gate removes it, so that what we said is never captured as something that was said to us.
 */
export const memoryBlockTag = "continuity-memory";

/** Stands in the place of a secret that is known by value, and not by what announces it. */
export const secretMark = "[redacted:secret]";

export interface GatedText {
  /** Private blocks removed, client and own blocks removed, secrets replaced. Never trimmed before that. */
  readonly text: string;
  /** The texts of private blocks, for scrubbing the answer; never stored, never logged. */
  readonly hidden: readonly string[];
  /** True when nothing but white space is left of a text that had a private block. */
  readonly whollyPrivate: boolean;
  /** The secrets that were replaced, so that a bare echo of one can be found later; never stored, never logged. */
  readonly secrets: readonly string[];
  /** The number of secrets that were replaced. */
  readonly redactions: number;
}

/** As much of the gate as a hook needs before it spools: a light one does where no text calls for the rules. */
export interface SpoolGate {
  readonly clean: (text: string) => GatedText;
  /** True for `.env`-like and key files, whose contents are never kept even in part. */
  readonly isSecretPath: (path: string) => boolean;
  /** True for shell commands that print secrets (`op read`, `vault kv get`): what they answer is never kept. */
  readonly readsSecrets: (command: string) => boolean;
}

export interface PrivacyGate extends SpoolGate {
  /**
   * For the answer and tool record of a partly private turn: `clean`, and every run of 16 characters or more that
   * `hidden` contained is replaced by `[redacted:private]`.
   */
  readonly cleanAgainst: (
    text: string,
    hidden: readonly string[],
  ) => { readonly text: string; readonly secrets: readonly string[] };
}

// Taking out what the user wants kept out of the record.

export interface TurnPrivacy {
  /** Makes a turn private: its answer, its files and what its tools were given and said go. */
  readonly hideTurn: (turnId: number) => Turn;
  /** Deletes a turn with its tool uses, and what else of its session tells of it; memories stay. */
  readonly dropTurn: (turnId: number) => void;
}

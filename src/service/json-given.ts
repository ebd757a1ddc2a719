/** What Claude was given, or would be, in a form that a person can follow line by line. */
import type { InjectionFeedback, MemoryNode } from "#domain";

/** An injection in a list. */
export interface InjectionHeadJson {
  readonly id: number;
  readonly session_id: string;
  readonly session_title: string | null;
  readonly project: string | null;
  readonly at: number;
  readonly channel: "start" | "prompt";
  readonly cause: string;
  readonly tokens: number;
  readonly turn: number | null;
  /** The beginning of the prompt; null at a start, and where it is private or was deleted. */
  readonly prompt: string | null;
  readonly probability: number | null;
  readonly threshold: number | null;
  /** What a person said of it. */
  readonly feedback: InjectionFeedback | null;
  /** Was the memory fetched later in the same session? Null in a list that is not of one memory. */
  readonly used: boolean | null;
}

export interface InjectionListJson {
  readonly items: readonly InjectionHeadJson[];
  readonly total: number;
  readonly next_cursor: string | null;
}

/** One candidate, or one line of a start. */
export interface ConsideredJson {
  readonly uri: string;
  /** Null when it is no longer there. */
  readonly l0: string | null;
  readonly taken: boolean;
  /** `near`, `seen`, `same`, `far`, `not-wanted`; at a start the heading that it stands under. */
  readonly why: string;
  /** How likely it is what the prompt needs, 0 to 1; null at a start. */
  readonly score: number | null;
  readonly similarity: number | null;
  readonly tokens: number | null;
}

/** A text with the reasons for each of its lines. */
export interface ExplainedJson {
  readonly text: string;
  readonly tokens: number;
  /** The text, line by line, each with the memory that it tells. */
  readonly lines: readonly { readonly text: string; readonly uri: string | null }[];
  /** Null at a start, where nothing is weighed. */
  readonly decision: {
    readonly verdict: "inject" | "silence";
    readonly cause: string;
    readonly probability: number;
    readonly threshold: number;
  } | null;
  readonly considered: readonly ConsideredJson[];
}

export interface InjectionDetailJson extends ExplainedJson {
  readonly injection: InjectionHeadJson;
  /** The prompt whole. */
  readonly prompt: string | null;
}

/** One day, or any span: what was learnt and given, and what is left to do. */
export interface TodayJson {
  /** The busiest first; null = no project. */
  readonly projects: readonly {
    readonly project: string | null;
    readonly learnt: number;
    readonly replaced: number;
    readonly given: number;
    readonly silent: number;
    /** Tokens of models. */
    readonly tokens: number;
    /** Memories that wait for review now. */
    readonly waiting: number;
  }[];
  /** The latest first; at most 30 of each. */
  readonly learnt: readonly DayMemoryJson[];
  readonly replaced: readonly { readonly old: DayMemoryJson; readonly now: DayMemoryJson }[];
  readonly given: readonly InjectionHeadJson[];
  /** Next steps that the last session of each project left. */
  readonly open: readonly {
    readonly session_id: string;
    readonly title: string | null;
    readonly project: string | null;
    readonly at: number;
    readonly next_steps: string;
  }[];
}

export interface DayMemoryJson {
  readonly uri: string;
  readonly l0: string;
  readonly category: MemoryNode["category"];
  readonly project: string | null;
}

/** What a session that starts now would be given, and a prompt typed in it. */
export interface PreviewJson {
  readonly project: string | null;
  readonly start: ExplainedJson;
  /** Null without a prompt. */
  readonly prompt: ExplainedJson | null;
}

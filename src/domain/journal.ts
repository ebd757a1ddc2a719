/** Ports for what was taken in and what was shown: keys, times and injections. */
import type { injectionChannels } from "./vocabulary.ts";

export interface EventLog {
  /**
   * Records an event key once. `duplicate` when the key is known, or when an anonymous event with the same
   * content hash came within a second from the same session.
   */
  readonly accept: (event: {
    readonly key: string;
    readonly contentHash: string;
    readonly anonymous: boolean;
    readonly hook: string;
    readonly sessionId: string | null;
    readonly atMs: number;
    readonly receivedAtMs: number;
    readonly via: "socket" | "spool" | "http";
  }) => "fresh" | "duplicate";
  readonly count: () => number;
  /** Latest event per hook name, for status and doctor. */
  readonly lastByHook: () => readonly {
    readonly hook: string;
    readonly atMs: number;
    readonly receivedAtMs: number;
    readonly count: number;
  }[];
  /** Notes how long hooks took, from their start to the commit; a key that has a figure keeps it. */
  readonly noteLatencies: (
    latencies: readonly { readonly key: string; readonly ms: number }[],
  ) => void;
  /** The last `limit` latencies of each hook in ms, the newest first; hooks without any are left out. */
  readonly latencies: (limit: number) => ReadonlyMap<string, readonly number[]>;
  /** The session of the event that a hook process brought last; null before the first. */
  readonly lastSession: () => string | null;
  readonly firedIn: (sessionId: string) => ReadonlyMap<string, number>;
}

export interface Exposure {
  readonly sessionId: string;
  readonly nodeId: number;
  readonly uri: string;
  readonly channel: ExposureChannel;
  readonly atMs: number;
}

/**
 * The way by which a session came to know it. `fetch`: by URI, which is a use besides; `said`: the
 * session is where it comes from.
 */
export type ExposureChannel = InjectionChannel | "search" | "fetch" | "said";

export type InjectionChannel = (typeof injectionChannels)[number];

/** One injection as it was made, replayed by `why`. */
export interface InjectionRecord {
  readonly id: number;
  readonly sessionId: string;
  readonly atMs: number;
  readonly channel: InjectionChannel;
  /**
   * `startup`, `resume`, … for start; the gate's verdict for prompts; `failure` or `file` beside a tool; the event of a
   * hint. `late` or `failed` for what did not arrive: it has no tokens and counts nowhere as given.
   */
  readonly cause: string;
  readonly text: string;
  readonly tokens: number;
  /** JSON: what was considered and why it was taken or left. Memory text is not repeated here, URIs are. */
  readonly reasons: string;
  /** A person's verdict on it; null until somebody did. */
  readonly feedback: InjectionFeedback | null;
}

/** Causes of what was on its way and did not reach its session. */
export const undeliveredCauses = ["late", "failed"] as const;

export const isDelivered = ({ cause }: InjectionRecord): boolean =>
  !undeliveredCauses.some((one) => one === cause);

/** `wrong`: this should not have been given; `missing`: something should have been. */
export const injectionFeedbacks = ["wrong", "missing"] as const;
export type InjectionFeedback = (typeof injectionFeedbacks)[number];

/** An injection in a list: with the prompt that it answered, and without what was considered. */
export interface InjectionHead extends Omit<InjectionRecord, "text" | "reasons"> {
  readonly project: string | null;
  readonly sessionTitle: string | null;
  readonly turn: number | null;
  /** The beginning of the prompt; null at a start, and where it is private or was deleted. */
  readonly prompt: string | null;
  /** The likelihood that the prompt was helped, and the bar that it had to reach; null at a start. */
  readonly probability: number | null;
  readonly threshold: number | null;
  /** Was the memory fetched later in the same session? Known where the list is of one memory. */
  readonly used: boolean | null;
}

export interface InjectionFilter {
  readonly id?: number;
  readonly sessionId?: string;
  /** The memory that was given, for a filter. */
  readonly nodeId?: number;
  readonly projects: readonly string[] | null;
  readonly kind?: "given" | "silent" | (typeof undeliveredCauses)[number] | InjectionFeedback;
  readonly sinceMs?: number;
  readonly untilMs?: number;
}

/** Rows that `withhold` took back, as they were. */
export interface Withheld {
  readonly injections: readonly {
    readonly id: number;
    readonly channel: InjectionChannel;
    readonly cause: string;
    readonly tokens: number;
  }[];
  readonly exposures: readonly Exposure[];
}

export interface ExposureJournal {
  readonly add: (exposures: readonly Exposure[]) => void;
  /** Lists what a session came to know since then, oldest first; searches, which show ten to find one, are left out. */
  readonly of: (sessionId: string, sinceMs: number, limit: number) => readonly Exposure[];
  /** Node ids this session has seen since its last compaction. */
  readonly seen: (sessionId: string, untilMs?: number) => ReadonlySet<number>;
  /** Counts the different memories that it was shown, compactions or not; what it said itself does not count. */
  readonly shownCount: (sessionId: string) => number;
  /**
   * Counts how often a memory was put into a prompt unasked, or into the start of a session, as far
   * as the journal goes back.
   */
  readonly givenCount: (nodeId: number) => number;
  /** Compaction empties the seen-list; the journal itself stays. */
  readonly resetSeen: (sessionId: string) => void;
  /**
   * Takes back what an event gives until its answer has arrived. What was shown is not seen, and the injection is on
   * record as `late`, with its text and without tokens.
   */
  readonly withhold: (
    sessionId: string,
    atMs: number,
    channels: readonly InjectionChannel[],
  ) => Withheld;
  readonly deliver: (withheld: Withheld) => void;
  readonly addInjection: (record: Omit<InjectionRecord, "id" | "feedback">) => void;
  readonly injections: (sessionId: string | null, limit: number) => readonly InjectionRecord[];
  readonly injection: (id: number) => InjectionRecord | null;
  /** Injections of any session, the latest first. */
  readonly injectionHeads: (
    filter: InjectionFilter,
    page: { readonly limit: number; readonly offset?: number },
  ) => readonly InjectionHead[];
  readonly countInjections: (filter: InjectionFilter) => number;
  /** Nodes that an injection showed, in the order in which it did. */
  readonly shownBy: (injection: InjectionRecord) => readonly number[];
  /** False when there is no such injection. */
  readonly judge: (id: number, feedback: InjectionFeedback | null) => boolean;
}

// Words for people of what the journal records.

/** `causeWords` says why something was sent with a prompt, or nothing. */
export const causeWords = (cause: string): string => causes[cause] ?? cause;

const causes: Readonly<Partial<Record<string, string>>> = {
  wanted: "relevant",
  pointer: "it may help, so it is only named",
  "all-seen": "already sent in this session",
  "nothing-found": "nothing relevant found",
  budget: "over the token limit",
  off: "sending with prompts is switched off",
  gate: "not likely enough to help",
  late: "the answer came too late, so Claude went on without it",
  failed: "delivery failed, so Claude went on without it",
  stopped: "Claude was interrupted",
  answered: "you answered a question",
  plan: "you approved a plan",
  changed: "a known value changed",
};

/** `leftOutWords` says why a candidate was left out. */
export const leftOutWords = (why: string): string => leftOut[why] ?? why;

const leftOut: Readonly<Partial<Record<string, string>>> = {
  near: "good enough, not needed",
  "not-wanted": "the prompt did not need it",
  seen: "already sent in this session",
  same: "repeats another",
  far: "less likely",
};

/** The author of a change, in words, and the session and turn where there is one. */
export interface MadeBy {
  readonly name: string;
  readonly session: string | null;
  readonly turn: number | null;
}

/** Characters of a session's id that people are shown. */
const idCharsShown = 8;

/** Jobs of sessions, by the first part of their keys; those of whole stretches name no single turn. */
const ofTurns: ReadonlySet<string> = new Set(["signal", "turn"]);
const ofSessions: ReadonlySet<string> = new Set([
  "checkpoint",
  "evaluate",
  "narrate",
  "observe",
  "quiet",
  "session",
  "transcript",
]);

const makersOfChanges: Readonly<Partial<Record<string, string>>> = {
  user: "you",
  agent: "the agent",
  team: "a colleague",
  system: "upkeep",
};

/** Reads what a revision says of its maker: `turn:ID:3`, `session:ID:1-8`, `import:claude-mem`, `user`. Pure. */
export function madeBy(by: string): MadeBy {
  const [, kind = "", session = "", rest = ""] = /^([a-z]+):([^:]+):?(\d*)/.exec(by) ?? [];
  if (kind === "import") return { name: `import from ${session}`, session: null, turn: null };
  if (!ofTurns.has(kind) && !ofSessions.has(kind))
    return { name: makersOfChanges[by] ?? by, session: null, turn: null };
  const turn = ofTurns.has(kind) && rest !== "" ? Number(rest) : null;
  const name = `session ${session.slice(0, idCharsShown)}`;
  return { name: turn === null ? name : `${name}, turn ${turn}`, session, turn };
}

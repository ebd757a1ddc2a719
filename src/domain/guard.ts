/** Guards: what the user forbade the agent, in a form that can be held against what it is about to do. */

/** The object of a guard. Words are as the user or a list gave them; nothing here is a pattern. */
export type GuardForm =
  | {
      readonly type: "run";
      /** Any of these: a program, the words that follow it and the flags it must have. */
      readonly commands: readonly (readonly string[])[];
      /** If not empty, one of these must be named as well ("against prod"). */
      readonly near: readonly string[];
    }
  | {
      readonly type: "write";
      /** A file or folder: names in this order, anywhere in the project. */
      readonly path: string;
      /** Only deleting is meant. */
      readonly deletes: boolean;
    };

export const guardDecisions = ["ask", "deny"] as const;
export type GuardDecision = (typeof guardDecisions)[number];

/** One guard of `guards.json`: all that the hook needs. */
export interface ActiveGuard {
  readonly id: number;
  readonly decision: GuardDecision;
  /** The user's own words. */
  readonly words: string;
  /** Keys of the projects it holds in, each alone or with a folder in a second line; null = everywhere. */
  readonly projects: readonly string[] | null;
  readonly form: GuardForm;
}

/**
 * `heard`: said once, to a version that waited for a second time. `offered`: does nothing until the user says yes.
 * `removed`: not offered again.
 */
export const guardStates = ["heard", "offered", "approved", "removed"] as const;
export type GuardState = (typeof guardStates)[number];

export interface GuardSaying {
  readonly sessionId: string;
  readonly turn: number;
  readonly words: string;
}

export interface Guard {
  readonly id: number;
  /** The memory that was made of the words; null = none. */
  readonly nodeId: number | null;
  /** Null = everywhere. */
  readonly project: string | null;
  readonly words: string;
  readonly form: GuardForm;
  readonly decision: GuardDecision;
  readonly state: GuardState;
  readonly sayings: readonly GuardSaying[];
  readonly isTold: boolean;
  readonly createdAt: number;
}

/** `toolOf` gives the tools that a form looks at: the shell runs commands, everything that writes may touch a path. */
export const toolOf = ({ type }: GuardForm): "Bash" | "any" => (type === "run" ? "Bash" : "any");

export interface GuardStore {
  /** The first made first. */
  readonly list: () => readonly Guard[];
  readonly byId: (id: number) => Guard | null;
  /** The one of a project (null = everywhere) with this form, in whatever state. */
  readonly byForm: (project: string | null, form: GuardForm) => Guard | null;
  readonly add: (guard: Omit<Guard, "id">) => Guard;
  readonly update: (id: number, patch: Partial<Omit<Guard, "id">>) => void;
}

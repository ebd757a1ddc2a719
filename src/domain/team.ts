/**
 * Describes what members of a team give each other (docs/team.md): one memory as its sender says
 * it, the way out of a store and the way in. What carries it knows neither tables nor policies;
 * times are epoch milliseconds.
 */
import type { Category } from "./category.ts";
import { categories } from "./vocabulary.ts";
import type { NodeStatus } from "./node.ts";

/** The categories that may be shared at all: nothing about a person, and no session. */
export const teamCategories = categories.filter(
  (category): category is TeamCategory =>
    category !== "profile" && category !== "preferences" && category !== "sessions",
);
export type TeamCategory = Exclude<Category, "preferences" | "profile" | "sessions">;

export interface TeamText {
  readonly category: TeamCategory;
  readonly l0: string;
  readonly l1: string | null;
  readonly slot: string | null;
  readonly tags: readonly string[];
  readonly files: readonly string[];
  /** 1 to 5. */
  readonly importance: number;
  /** The time at which it was last said. */
  readonly saidAt: number;
}

/** A memory of one member in one project. Of the same `id` the larger `clock` holds. */
export interface TeamItem {
  readonly v: 1;
  /** 32 hex digits; the same for good. */
  readonly id: string;
  /** Counts up with each change that its sender tells. */
  readonly clock: number;
  /** Null = it is not shared any more, or was forgotten. */
  readonly text: TeamText | null;
  /** With `text` null: its sender forgot it, so that no trace of it shall stay. */
  readonly isForgotten?: true;
}

export interface TeamSender {
  /** Never changes: the member's id in the hub, 1 to 64 of [0-9a-z._:-]. */
  readonly member: string;
  /** The member's name; cleaned before it is shown. */
  readonly name: string;
}

// Keeps a team's records beside the memories themselves (docs/team.md).

export interface TeamSource {
  readonly project: string;
  readonly member: string;
}

export interface TeamItemKey extends TeamSource {
  readonly item: string;
}

export interface TeamRow extends TeamItemKey {
  readonly clock: number;
  /** The hash of the text; empty = withdrawn. */
  readonly hash: string;
  /** Null = nothing of it is kept. */
  readonly nodeId: number | null;
  /** The status that it was given last; another one is a person's decision. */
  readonly stood: NodeStatus | null;
}

export interface TeamTrust {
  readonly name: string;
  readonly hash: string;
  /** The committer, as git tells; null = git does not know the file as it is. */
  readonly author: string | null;
}

export interface TeamShare {
  readonly project: string;
  readonly item: string;
  readonly nodeId: number;
  readonly seq: number;
  readonly clock: number;
  /** The hash of the text that was told last; empty = withdrawn. */
  readonly hash: string;
  readonly isWanted: boolean;
}

export interface TeamRule {
  readonly categories: readonly TeamCategory[];
  /** `ask`: proposed, and shared once a person says so. */
  readonly share: "ask" | "auto";
  /** The state of an arriving memory: waits in the review inbox, or is in force at once. */
  readonly arrive: "live" | "review";
}

export type TeamMute = Readonly<{ what: "member" | "project"; value: string }>;

export interface TeamTables {
  readonly item: (key: TeamItemKey) => TeamRow | null;
  readonly putItem: (row: TeamRow) => void;
  /** Lists the memories of a project; null = of all. */
  readonly items: (project: string | null) => readonly TeamRow[];
  /** Memories of members in a slot, whatever became of them; null = of any project. */
  readonly inSlot: (project: string | null, slot: string) => readonly TeamRow[];
  readonly nameAuthor: (nodeId: number, author: string) => void;
  readonly muted: () => readonly TeamMute[];
  readonly mute: (mute: TeamMute, isMuted: boolean) => void;
  readonly trusted: (project: string) => readonly TeamTrust[];
  readonly trust: (project: string, files: readonly TeamTrust[]) => void;
  readonly distrust: (project: string) => void;
  /** Projects with files that are trusted. */
  readonly trusting: () => readonly string[];
  readonly shares: (project: string) => readonly TeamShare[];
  /** Lists the shares behind a place, in order. */
  readonly sharesAfter: (project: string, seq: number, limit: number) => readonly TeamShare[];
  /** Returns the shares of a memory, in every project. */
  readonly sharesOf: (nodeId: number) => readonly TeamShare[];
  /** Puts them behind all others. */
  readonly putShares: (shares: readonly Omit<TeamShare, "seq">[]) => void;
  readonly rule: (project: string) => TeamRule | null;
  readonly putRule: (project: string, rule: TeamRule | null) => void;
}

// Answers the command line about a project.

interface TeamLine {
  readonly uri: string;
  readonly l0: string;
}

export interface TeamDone extends TeamLine {
  /** The reason why nothing was done; empty = it was. */
  readonly refused: string;
}

export interface TeamHere {
  readonly project: string;
  readonly rule: TeamRule | null;
  readonly shared: readonly TeamLine[];
  readonly proposed: readonly TeamLine[];
  /** Proposals behind the listed ones. */
  readonly more: number;
  readonly muted: readonly TeamMute[];
  /** Whoever has given something, and how much. */
  readonly members: readonly (TeamSender & { readonly given: number })[];
}

/** A file that a person reads before they trust it. */
export interface TeamFolderFile {
  readonly name: string;
  readonly state: "changed" | "gone" | "left out" | "new" | "trusted";
  /** The reason why it is left out; else empty. */
  readonly fault: string;
  readonly author: string;
  /** The text that it would put in force, and the text of this file that is in force now; empty = nothing. */
  readonly after: string;
  readonly before: string;
}

export interface TeamFolder {
  readonly project: string;
  readonly root: string;
  /** To be handed back with trust: only what was shown is trusted. */
  readonly digest: string;
  readonly fault: string | null;
  readonly files: readonly TeamFolderFile[];
}

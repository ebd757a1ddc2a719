/** What a store keeps of a team beside the memories themselves (docs/team.md). */
import type { NodeStatus } from "./node.ts";
import type { TeamCategory } from "./team.ts";

export interface TeamRow {
  readonly project: string;
  readonly member: string;
  readonly item: string;
  readonly clock: number;
  /** Of the text; empty = withdrawn. */
  readonly hash: string;
  /** Null = nothing of it is kept. */
  readonly nodeId: number | null;
  /** The status that it was given last; another one is a person's decision. */
  readonly stood: NodeStatus | null;
}

export interface TeamTrust {
  readonly name: string;
  readonly hash: string;
  /** Who committed it, as git tells; null = git does not know the file as it is. */
  readonly author: string | null;
}

export interface TeamShare {
  readonly project: string;
  readonly item: string;
  readonly nodeId: number;
  readonly seq: number;
  readonly clock: number;
  /** Of what was told last; empty = withdrawn. */
  readonly hash: string;
  readonly isWanted: boolean;
}

export interface TeamRule {
  readonly categories: readonly TeamCategory[];
  /** `ask`: proposed, and shared once a person says so. */
  readonly share: "ask" | "auto";
  /** Of what arrives: waits in the review inbox, or is in force at once. */
  readonly arrive: "live" | "review";
}

export type TeamMute = Readonly<{ what: "member" | "project"; value: string }>;

export interface TeamTables {
  readonly item: (key: Pick<TeamRow, "item" | "member" | "project">) => TeamRow | null;
  readonly putItem: (row: TeamRow) => void;
  /** Of a project; null = of all. */
  readonly items: (project: string | null) => readonly TeamRow[];
  /** Whose memory it is; null = nobody's. */
  readonly sender: (nodeId: number) => Pick<TeamRow, "member" | "project"> | null;
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
  /** Those behind a place, in order. */
  readonly sharesAfter: (project: string, seq: number, limit: number) => readonly TeamShare[];
  /** Returns the shares of a memory, in every project. */
  readonly sharesOf: (nodeId: number) => readonly TeamShare[];
  /** Puts them behind all others. */
  readonly putShares: (shares: readonly Omit<TeamShare, "seq">[]) => void;
  readonly sharing: () => readonly string[];
  readonly rule: (project: string) => TeamRule | null;
  readonly putRule: (project: string, rule: TeamRule | null) => void;
}

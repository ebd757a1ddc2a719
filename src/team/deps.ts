/** What the room of the team needs. */
import type { GateDep, MemoryNode, ProjectIdentity, StoreDep } from "#domain";
import type { ClockDep } from "#kit";

/** A walk over what a person shares in a project: when it began, and the memories that are still to be looked at. */
interface Walk {
  readonly state: string;
  readonly nodes: number[];
}

export interface TeamDeps extends ClockDep, GateDep, StoreDep {
  /** Brings what is found by meaning in step with a memory that came or changed. */
  readonly index: (node: MemoryNode) => void;
  /** Forgets leaves by URI as a person would. Not inside a transaction. */
  readonly forget: (uris: readonly string[]) => void;
  /** By project, for as long as the daemon lives. */
  readonly looked: Map<string, Walk>;
  readonly projectOf: (cwd: string) => ProjectIdentity | null;
}

/** What the room of the team needs. */
import type { GateDep, MemoryNode, ProjectIdentity, StoreDep } from "#domain";
import type { ClockDep } from "#kit";

export interface TeamDeps extends ClockDep, GateDep, StoreDep {
  /** Brings what is found by meaning in step with a memory that came or changed. */
  readonly index: (node: MemoryNode) => void;
  /** Forgets leaves by URI as a person would. Not inside a transaction. */
  readonly forget: (uris: readonly string[]) => void;
  readonly projectOf: (cwd: string) => ProjectIdentity | null;
}

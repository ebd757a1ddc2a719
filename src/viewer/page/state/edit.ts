/** An edit of a memory: only what changes. */
export interface Edit {
  readonly l0?: string;
  readonly l1?: string | null;
  readonly l2?: string | null;
  readonly tags?: string[];
  readonly importance?: number;
  readonly pinned?: boolean;
}

/** Gives the fields of a memory that a person may change, for a form. Pure. */
import { memoryCategories } from "#domain";
import type { MemoryJson } from "#api";

/** An edit of a memory: only what changes. */
export interface Edit {
  readonly l0?: string;
  readonly l1?: string | null;
  readonly l2?: string | null;
  readonly tags?: string[];
  readonly importance?: number;
  readonly pinned?: boolean;
  readonly category?: (typeof memoryCategories)[number];
  /** Key; null = everywhere. */
  readonly project?: string | null;
}

export interface EditFields {
  readonly l0: string;
  readonly l1: string;
  readonly l2: string;
  readonly tags: string;
  readonly importance: number;
  /** Empty = none that could be changed. */
  readonly category: string;
  /** Key; null = everywhere. */
  readonly project: string | null;
}

export type Editable = Pick<
  MemoryJson,
  "uri" | "l0" | "l1" | "tags" | "importance" | "category" | "project"
> & {
  readonly l2?: string | null;
  /** Id of its latest revision, where it is known. */
  readonly revision?: number;
};

export const fieldsOf = (memory: Omit<Editable, "uri">): EditFields => ({
  l0: memory.l0,
  l1: memory.l1 ?? "",
  l2: memory.l2 ?? "",
  tags: memory.tags.join(", "),
  importance: memory.importance,
  category: memory.category ?? "",
  project: memory.project,
});

const wordsOf = (text: string): string[] =>
  text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");

/** Only what was changed: an edit must not write over what somebody else changed meanwhile. */
export function editOf(before: EditFields, after: EditFields): Omit<Edit, "pinned"> {
  const category = memoryCategories.find((one) => one === after.category);
  const text = (given: string): string | null => (given.trim() === "" ? null : given);
  return {
    ...(after.l0 === before.l0 ? {} : { l0: after.l0.trim() }),
    ...(after.l1 === before.l1 ? {} : { l1: text(after.l1) }),
    ...(after.l2 === before.l2 ? {} : { l2: text(after.l2) }),
    ...(after.tags === before.tags ? {} : { tags: wordsOf(after.tags) }),
    ...(after.importance === before.importance ? {} : { importance: after.importance }),
    ...(after.category === before.category || category === undefined ? {} : { category }),
    ...(after.project === before.project ? {} : { project: after.project }),
  };
}

const fieldNames = [
  "l0",
  "l1",
  "l2",
  "tags",
  "importance",
  "category",
  "project",
] as const satisfies readonly (keyof EditFields)[];

export interface Rebased {
  /** The person's changes, over the memory as it is now. */
  readonly fields: EditFields;
  /** The fields that both sides changed, each in its own way. */
  readonly clashes: readonly (keyof EditFields)[];
}

/** Carries over what was written here, since `before`, to a memory that somebody else has changed meanwhile. */
export function rebased(before: EditFields, mine: EditFields, now: EditFields): Rebased {
  const own = fieldNames.filter((name) => mine[name] !== before[name]);
  return {
    fields: { ...now, ...Object.fromEntries(own.map((name) => [name, mine[name]])) },
    clashes: own.filter((name) => now[name] !== before[name] && now[name] !== mine[name]),
  };
}

/** What a person may change of a memory, as fields of a form. Pure. */
import type { MemoryJson } from "#service";
import type { Edit } from "../state/edit.ts";

export interface EditFields {
  readonly l0: string;
  readonly l1: string;
  readonly l2: string;
  readonly tags: string;
  readonly importance: number;
}

export type Editable = Pick<MemoryJson, "uri" | "l0" | "l1" | "tags" | "importance"> & {
  readonly l2?: string | null;
};

export const fieldsOf = (memory: Omit<Editable, "uri">): EditFields => ({
  l0: memory.l0,
  l1: memory.l1 ?? "",
  l2: memory.l2 ?? "",
  tags: memory.tags.join(", "),
  importance: memory.importance,
});

const wordsOf = (text: string): string[] =>
  text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");

/** Only what was changed: an edit must not write over what somebody else changed meanwhile. */
export function editOf(before: EditFields, after: EditFields): Omit<Edit, "pinned"> {
  const text = (given: string): string | null => (given.trim() === "" ? null : given);
  return {
    ...(after.l0 === before.l0 ? {} : { l0: after.l0.trim() }),
    ...(after.l1 === before.l1 ? {} : { l1: text(after.l1) }),
    ...(after.l2 === before.l2 ? {} : { l2: text(after.l2) }),
    ...(after.tags === before.tags ? {} : { tags: wordsOf(after.tags) }),
    ...(after.importance === before.importance ? {} : { importance: after.importance }),
  };
}

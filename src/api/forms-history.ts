/** Forms of one memory's own pages: history, difference, links, evidence, review. */
import { z } from "zod";
import { each, type Form, is, list, maybe, number, text } from "./form.ts";
import {
  action,
  category,
  evidenceLineForm,
  memoryForm,
  nodeForm,
  status,
} from "./forms-memory.ts";

/** One change of a memory, without its texts. */
const revisionHeadForm = z.strictObject({
  id: is(number, "number of the change, which counts up over all memories"),
  at: is(number, "time of the change"),
  action: is(
    action,
    "create, merge, supersede, reinforce, edit, pin, expire, revert, retract, accept or reject",
  ),
  by: is(text, "job, user or system"),
  reason: is(text, "why, in one line"),
});
export type RevisionHeadJson = Form<typeof revisionHeadForm>;

export const revisionForm = revisionHeadForm.extend({
  status: is(status, "status after the change"),
  /** As far as that was recorded. */
  uri: is(text, "place after the change"),
  category: is(maybe(category), "category after the change"),
  l0: is(text, "one line after the change"),
  l1: is(maybe(text), "overview after the change"),
  l2: is(maybe(text), "full text after the change"),
  importance: is(number, "1 to 5, after the change"),
  tags: is(list(text), "labels after the change"),
  pinned: is(z.boolean(), "whether it was pinned after the change"),
});
export type RevisionJson = Form<typeof revisionForm>;

export const historyForm = z.strictObject({
  uri: text,
  items: list(revisionForm),
  next_cursor: maybe(text),
});
export type HistoryJson = Form<typeof historyForm>;

/** A piece of a text: `same` and `removed` together are the older text, `same` and `added` the newer. */
const diffPartForm = z.strictObject({ op: z.enum(["same", "removed", "added"]), text });
export type DiffPartJson = Form<typeof diffPartForm>;

export const diffForm = z.strictObject({
  uri: is(text, "place in the memory tree"),
  from: is(
    maybe(revisionHeadForm),
    "id, at, action, by, reason of the older revision; null = before it was made",
  ),
  to: is(revisionHeadForm, "the same of the newer one"),
  tiers: each(
    z.strictObject({ tier: z.enum(["l0", "l1", "l2"]), parts: list(diffPartForm) }),
    "tier (l0, l1, l2), parts[] (op: same, removed or added; text); only what differs",
  ),
  /** As JSON text. */
  fields: each(
    z.strictObject({ name: text, before: maybe(text), after: text }),
    "name, before, after; only what differs",
  ),
});
export type DiffJson = Form<typeof diffForm>;

export const undoneForm = z.strictObject({
  at: is(number, "time of the change that was undone"),
  by: is(text, "who made it: a job, user or system"),
  reason: is(text, "why it was made"),
  undone: is(number, "memories that were changed back"),
  kept: is(number, "memories of an earlier step that changed since and stay as they are"),
  items: each(
    z.strictObject({ uri: text, l0: text, status, action }),
    "at most 200 of them: uri, l0 and status as they are now, and the action that was undone",
  ),
});
export type UndoneJson = Form<typeof undoneForm>;

export const stepListForm = z.strictObject({
  items: each(
    z.strictObject({
      id: number,
      at: number,
      action,
      by: text,
      reason: text,
      memories: number,
      l0: text,
    }),
    "number for `undo`, time, action, who made it and why, how many memories it changed, and the last of them",
  ),
});
export type StepListJson = Form<typeof stepListForm>;

const stoodForm = z.strictObject({ l0: text, status });

export const restoredAsOfForm = z.strictObject({
  as_of: is(number, "time that was gone back to"),
  changed: is(number, "memories that changed, or would"),
  is_applied: is(z.boolean(), "false = it was only looked at"),
  items: each(
    z.strictObject({ uri: text, now: stoodForm, was: maybe(stoodForm) }),
    "at most 200 of them: uri, how it stands and how it stood (null = not known then: it is retracted)",
  ),
});
export type RestoredAsOfJson = Form<typeof restoredAsOfForm>;

const evidenceItemForm = z.strictObject({
  session_id: text,
  turn: maybe(number),
  /** Line of the transcript, from 1. */
  line: maybe(number),
  quote: text,
  /** The time at which that turn began; null when the turn is not recorded. */
  at: maybe(number),
  title: maybe(text),
  /** The one who said it; null when the words stand in neither prompt nor answer. */
  speaker: maybe(z.enum(["user", "assistant"])),
  /** The quote where it stands, with what stands around it. */
  excerpt: maybe(z.strictObject({ before: text, text, after: text })),
  /** The turn's texts, cut at 4,000 characters each; null = private, forgotten or not recorded. */
  prompt: maybe(text),
  answer: maybe(text),
  files: list(text),
});
export type EvidenceItemJson = Form<typeof evidenceItemForm>;

export const evidenceForm = z.strictObject({ uri: text, items: list(evidenceItemForm) });
export type EvidenceJson = Form<typeof evidenceForm>;

/** A memory that waits for a person's word before it is used. */
export const reviewForm = memoryForm.extend({
  id: is(number, "number to accept or reject it by (list)"),
  revision: number,
  reason: is(text, "why it was proposed (list)"),
  evidence: list(evidenceLineForm),
  /** Filled for the first three entries of a page only. */
  similar: each(
    z.strictObject({ uri: text, l0: text }),
    "uri and l0 of what is known already (list)",
  ),
});
export type ReviewJson = Form<typeof reviewForm>;

/** A memory that a newer order may have replaced. */
export const contradictedForm = memoryForm.extend({
  contradicted: is(
    z.strictObject({
      /** Id of the older memory: `accept` ends it, `reject` keeps both. */
      id: number,
      /** URI of the newer order. */
      uri: text,
      text,
    }),
    "its id, and the newer order that may replace it: uri and text (list)",
  ),
});
export type ContradictedJson = Form<typeof contradictedForm>;

export const reviewPageForm = z.strictObject({
  items: list(reviewForm),
  /** At most 100, on the first page only. */
  contradicted: list(contradictedForm),
  total: number,
  next_cursor: maybe(text),
});
export type ReviewPageJson = Form<typeof reviewPageForm>;

export const reviewedForm = z.strictObject({
  action: is(z.enum(["accepted", "rejected"]), "accepted or rejected (accept, reject)"),
  memory: nodeForm,
});
export type ReviewedJson = Form<typeof reviewedForm>;

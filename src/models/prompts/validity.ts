/** Reads how long a memory of a reply holds, and for a rule why it outlives its task. Pure. */
import { oneLine, parseNow } from "#kit";

export type Validity =
  | { readonly type: "durable" }
  /** A rule for later tasks that its user gave in one place alone. */
  | { readonly type: "once" }
  /** A rule made of what its user said or refused in several tasks. */
  | { readonly type: "habit" }
  /** Ends with the task, in the model's own judgement. */
  | { readonly type: "task" }
  | { readonly type: "until"; readonly date: string }
  | { readonly type: "merged"; readonly branch: string };

export function validityOf(text: string): Validity {
  if (/^task\b/i.test(text)) return { type: "task" };
  if (/^(?:again|habit)\b/i.test(text)) return { type: "habit" };
  if (/^once\b/i.test(text)) return { type: "once" };
  const date = /(\d{4}-\d{2}-\d{2})/.exec(text)?.[1];
  if (date !== undefined && parseNow(date) !== null) return { type: "until", date };
  const branch = /merged?\s*:?\s*(\S.*)?$/i.exec(text);
  return branch === null
    ? { type: "durable" }
    : { type: "merged", branch: oneLine(branch[1] ?? "") };
}

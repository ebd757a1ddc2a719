/** One change of many memories: a slice at a time with its progress in sight, told once, and taken back as a whole. */
import { signal } from "@preact/signals";
import type { BulkJson } from "#api";
import { plural } from "../parts/format.ts";
import { answerOf, api } from "./connection.ts";
import type { Failure } from "./failure.ts";
import { noteChange } from "./live.ts";
import { hide } from "./overlay.ts";
import { toast, toastMs } from "./toasts.ts";

type Body = Parameters<typeof api.bulk.$post>[0]["json"];
type Change = Body["change"];

/** The memories of a change: by URI, or all that a list with these filters shows. */
export type Target =
  | { readonly uris: readonly string[] }
  | { readonly filter: NonNullable<Body["filter"]>; readonly except: readonly string[] };

interface Wanted {
  readonly target: Target;
  readonly change: Change;
  readonly total: number;
}

/** The work under way: how far it is, and how it is stopped. */
export const working = signal<{
  readonly done: number;
  readonly total: number;
  readonly stop: () => void;
} | null>(null);

const urisMax = 100;

/** Accepts or rejects what waits at once, and offers the way back. */
export async function reviewMany(
  target: Target,
  total: number,
  action: "accept" | "reject",
): Promise<void> {
  const steps: BulkJson[] = [];
  const change = { review: action };
  const failed = await inSlices({ target, total, change }, (step) => steps.push(step));
  const changed = sumOf(steps);
  noteChange();
  if (failed !== null) toast(`Stopped after ${changed}: ${failed.message}`, { tone: "bad" });
  if (changed > 0 || failed === null)
    toast(`${action === "accept" ? "Accepted" : "Rejected"} ${counted(changed)}`, {
      undo: changed === 0 ? null : () => void takeBack(steps),
    });
}

/** Forgets for good, after a moment in which it can be taken back. */
export function forgetMany(target: Target, total: number): void {
  const shows = "uris" in target ? target.uris.map(hide) : [];
  const showAll = (): void => {
    for (const show of shows) show();
  };
  const carryOut = async (): Promise<void> => {
    const steps: BulkJson[] = [];
    const change = { forget: true } as const;
    const failed = await inSlices({ target, total, change }, (step) => steps.push(step));
    if (failed !== null) toast(`Could not delete: ${failed.message}`, { tone: "bad" });
    else toast(`Forgot ${counted(sumOf(steps))}`);
    noteChange();
    setTimeout(showAll, failed === null ? toastMs : 0);
  };
  const timer = setTimeout(() => void carryOut(), toastMs);
  toast(`Forgetting ${counted(total)}`, {
    undo: () => {
      clearTimeout(timer);
      showAll();
    },
  });
}

const counted = (count: number): string => plural(count, "memory", "memories");

const sumOf = (steps: readonly BulkJson[]): number =>
  steps.reduce((sum, { changed }) => sum + changed, 0);

/** Resolves to why it ended early, or null. */
async function inSlices(
  { target, change, total }: Wanted,
  onStep: (step: BulkJson) => void,
): Promise<Failure | null> {
  let isStopped = false;
  let done = 0;
  const stop = (): void => {
    isStopped = true;
  };
  try {
    for (const which of partsOf(target))
      for (let cursor: string | null = null; ;) {
        working.value = { done, total, stop };
        const answer: Awaited<ReturnType<typeof slice>> = await slice(which, change, cursor);
        if (!answer.ok) return answer.failure;
        onStep(answer.value);
        done += answer.value.changed;
        cursor = answer.value.next;
        if (cursor === null || isStopped) break;
      }
    return null;
  } finally {
    working.value = null;
  }
}

/** Memories that a step changes: those of a filter, or those that are named. */
type Which = Omit<Body, "change" | "cursor">;

const slice = (which: Which, change: Change, cursor: string | null) =>
  answerOf(api.bulk.$post({ json: { ...which, change, cursor } }));

function partsOf(target: Target): readonly Which[] {
  if (!("uris" in target)) return [{ filter: target.filter, except: [...target.except] }];
  const parts: { uris: string[] }[] = [];
  for (let at = 0; at < target.uris.length; at += urisMax)
    parts.push({ uris: target.uris.slice(at, at + urisMax) });
  return parts;
}

async function takeBack(steps: readonly BulkJson[]): Promise<void> {
  let undone = 0;
  for (const { first, last } of steps.toReversed()) {
    if (first === null || last === null) continue;
    const answer = await answerOf(api.bulk.undo.$post({ json: { first, last } }));
    if (!answer.ok) {
      toast(`Could not undo: ${answer.failure.message}`, { tone: "bad" });
      break;
    }
    undone += answer.value.changed;
  }
  noteChange();
  const kept = sumOf(steps) - undone;
  toast(`Took back ${counted(undone)}${kept > 0 ? `; ${kept} had changed since` : ""}`);
}

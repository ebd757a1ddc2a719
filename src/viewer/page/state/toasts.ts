/** Short notices at the edge of the page, most of them with a way back. */
import { signal } from "@preact/signals";
import type { Answer } from "./failure.ts";

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: "plain" | "bad";
  readonly undo: (() => void) | null;
  /** The link to what it tells of. */
  readonly to: string | null;
}

export const toastMs = 6_000;
const toastsMax = 4;

export const toasts = signal<readonly Toast[]>([]);
let nextId = 1;

export function dismiss(id: number): void {
  toasts.value = toasts.peek().filter((one) => one.id !== id);
}

/** Shows a notice for some seconds. */
export function toast(text: string, more: Partial<Omit<Toast, "id" | "text">> = {}): void {
  const id = nextId++;
  const shown: Toast = { id, text, tone: "plain", undo: null, to: null, ...more };
  toasts.value = [...toasts.peek(), shown].slice(-toastsMax);
  setTimeout(() => dismiss(id), toastMs);
}

/** Tells of a failure, if there is one; `what` says what could not be done. */
export function complain(answer: Answer<unknown>, what = ""): void {
  if (answer.ok) return;
  const { message } = answer.failure;
  toast(what === "" ? message : `${what}: ${message}`, { tone: "bad" });
}

/** Takes back the latest that can be taken back. */
export function undoLatest(): void {
  const latest = toasts.peek().findLast(({ undo }) => undo !== null);
  if (latest === undefined) return;
  dismiss(latest.id);
  latest.undo?.();
}

export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast("Copied");
  } catch {
    toast("Could not copy: the browser denied access. Select the text instead.", { tone: "bad" });
  }
}

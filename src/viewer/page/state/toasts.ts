/** Short notices at the edge of the page, most of them with a way back. */
import { signal } from "@preact/signals";

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: "plain" | "bad";
  readonly undo: (() => void) | null;
  /** Where what it tells of can be seen. */
  readonly to: string | null;
}

export const toastMs = 6_000;
const toastsMax = 4;

export const toasts = signal<readonly Toast[]>([]);
let nextId = 1;

/** Shows a notice; returns what takes it away again. */
export function toast(
  text: string,
  { undo = null, tone = "plain", to = null }: Partial<Pick<Toast, "undo" | "tone" | "to">> = {},
): () => void {
  const id = nextId++;
  const shown: Toast = { id, text, tone, undo, to };
  toasts.value = [...toasts.peek(), shown].slice(-toastsMax);
  const dismiss = (): void => {
    toasts.value = toasts.peek().filter((one) => one.id !== id);
  };
  setTimeout(dismiss, toastMs);
  return dismiss;
}

/** Takes back the latest that can be taken back. False when there is nothing. */
export function undoLatest(): boolean {
  const latest = toasts.peek().findLast(({ undo }) => undo !== null);
  if (latest === undefined) return false;
  toasts.value = toasts.peek().filter(({ id }) => id !== latest.id);
  latest.undo?.();
  return true;
}

export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast("Copied");
  } catch {
    toast("Could not copy: the browser denied access. Select the text instead.", { tone: "bad" });
  }
}

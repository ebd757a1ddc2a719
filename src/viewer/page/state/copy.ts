/** Puts a text into the clipboard, and says whether that worked. */
import { toast } from "./toasts.ts";

export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast("Copied");
  } catch {
    toast("Could not copy: the browser denied access. Select the text instead.", { tone: "bad" });
  }
}

/** What lies over the page: the menu on a phone, the palette, the help, the form for a new memory. */
import { signal } from "@preact/signals";

export const isSidebarOpen = signal(false);
export const panel = signal<"none" | "palette" | "help" | "remember">("none");

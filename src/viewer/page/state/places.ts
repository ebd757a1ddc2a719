/** The screens there are, in the order of the menu, each with its keys; and what may lie over them. */
import { signal } from "@preact/signals";
import { goBack, href, pathOf, type Route, route } from "./router.ts";
import type { IconName } from "../parts/icons.tsx";

export interface Place {
  /** First part of the address. */
  readonly view: string;
  readonly title: string;
  readonly icon: IconName;
  readonly keys: string;
}

export const places: readonly Place[] = [
  { view: "prompts", title: "Prompts", icon: "inject", keys: "g p" },
  { view: "memories", title: "Memories", icon: "memories", keys: "g m" },
  { view: "sessions", title: "Sessions", icon: "sessions", keys: "g s" },
  { view: "project", title: "Projects", icon: "folder", keys: "g o" },
  { view: "review", title: "Review", icon: "review", keys: "g r" },
  { view: "settings", title: "Settings", icon: "settings", keys: "g ," },
];

export const hrefOfPlace = ({ view }: Place): string => href(pathOf(view, ""));

/** Pages that no menu leads to: where each belongs, and whether it names one of several. */
const innerPlaces = [
  { view: "prompts", isOne: true, title: "Prompt", above: "prompts" },
  { view: "memory", isOne: false, title: "Memory", above: "memories" },
  { view: "session", isOne: true, title: "Session", above: "sessions" },
  { view: "timeline", isOne: false, title: "Timeline", above: "sessions" },
  { view: "project", isOne: true, title: "Project", above: "project" },
] as const;

const innerOf = ({ view, rest }: Route) =>
  innerPlaces.find((place) => place.view === view && (!place.isOne || rest !== ""));

/** `titleOf` is the title of a page; undefined for none. */
export const titleOf = (place: Route): string | undefined =>
  innerOf(place)?.title ?? places.find(({ view }) => view === place.view)?.title;

/** The entry of the menu that a page belongs to. */
export const placeOf = (place: Route): string => innerOf(place)?.above ?? place.view;

/** Does the page have something to go back to? */
export const isInner = (place: Route): boolean => innerOf(place) !== undefined;

/** Leaves a page that no menu leads to; does nothing on others. */
export function leave(): void {
  const place = innerOf(route.peek());
  if (place !== undefined) goBack(href(pathOf(place.above, "")));
}

export const isSidebarOpen = signal(false);
export const panel = signal<"none" | "palette" | "help" | "remember">("none");

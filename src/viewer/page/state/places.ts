/** The views there are, in the order of the menu, each with its keys. */
import type { IconName } from "../parts/icons.tsx";
import { goBack, href, route, type Route } from "./router.ts";

export interface Place {
  /** First part of the address. */
  readonly view: string;
  readonly title: string;
  readonly icon: IconName;
  readonly keys: string;
  readonly group: "main" | "more";
}

export const places: readonly Place[] = [
  { view: "today", title: "Today", icon: "clock", keys: "g d", group: "main" },
  { view: "feed", title: "Live", icon: "feed", keys: "g l", group: "main" },
  { view: "search", title: "Search", icon: "search", keys: "/", group: "main" },
  { view: "memories", title: "Memories", icon: "memories", keys: "g m", group: "main" },
  { view: "tree", title: "Tree", icon: "tree", keys: "g t", group: "main" },
  { view: "sessions", title: "Sessions", icon: "sessions", keys: "g s", group: "main" },
  { view: "given", title: "Prompts", icon: "inject", keys: "g i", group: "main" },
  { view: "preview", title: "Preview", icon: "eye", keys: "g w", group: "main" },
  { view: "project", title: "Projects", icon: "folder", keys: "g o", group: "main" },
  { view: "review", title: "Review", icon: "review", keys: "g r", group: "main" },
  { view: "profile", title: "Profile", icon: "profile", keys: "g p", group: "more" },
  { view: "stats", title: "Statistics", icon: "stats", keys: "g c", group: "more" },
  { view: "setup", title: "Setup", icon: "check", keys: "g u", group: "more" },
  { view: "settings", title: "Settings", icon: "settings", keys: "g ,", group: "more" },
];

export const hrefOfPlace = ({ view }: Place): string => href(view === "today" ? "" : view);

/** Views that no menu leads to, each with the address to go back to where the page began in it. */
const innerPlaces = new Map([
  ["given/", { title: "Prompt", above: href("given") }],
  ["memory", { title: "Memory", above: href("memories") }],
  ["project/", { title: "Project", above: href("project") }],
  ["session", { title: "Session", above: href("sessions") }],
  ["timeline", { title: "Timeline", above: href("feed") }],
]);

/** What a view is called; undefined for none. */
export const titleOfView = (view: string): string | undefined =>
  places.find((place) => place.view === view)?.title ?? innerPlaces.get(view)?.title;

/** The view that something is shown in: one prompt is another view than their list. */
const innerOf = ({ view, rest }: Route) =>
  innerPlaces.get((view === "given" || view === "project") && rest !== "" ? `${view}/` : view);

/** Does the view have something to go back to? */
export const isInner = (place: Route): boolean => innerOf(place) !== undefined;

/** Leaves a view that no menu leads to; does nothing in others. */
export function leave(): void {
  const place = innerOf(route.peek());
  if (place !== undefined) goBack(place.above);
}

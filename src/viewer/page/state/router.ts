/**
 * Reads the page's place: the address after `#`, as a signal. Views are addresses, so that back,
 * reload and bookmarks work.
 */
import { computed, signal } from "@preact/signals";

export interface Route {
  /** First part of the path: which view. */
  readonly view: string;
  /** The rest of the path, decoded; empty when nothing does. */
  readonly rest: string;
  readonly query: URLSearchParams;
}

const address = signal(location.hash);
addEventListener("hashchange", () => readAddress());

/** The browser's history of this page; browsers of early 2025 may have none. */
const entries = (globalThis as { readonly navigation?: Navigation }).navigation;

/** Names the present entry of the browser's history. */
export const entryKey = (): string => entries?.currentEntry?.key ?? "";

/** Reads the address again: whoever rewrote it in place is not noticed otherwise. */
export const readAddress = (): void => {
  address.value = location.hash;
};

/** The view that the page begins with. */
const homeView = "prompts";

export const route = computed<Route>(() => parseRoute(address.value));

/** `#/session/abc?x=1` to its parts. */
function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [view = "", ...rest] = path.split("/");
  return {
    view: view || homeView,
    rest: decoded(rest.join("/")),
    query: new URLSearchParams(query),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // An address typed by hand.
  }
}

type Parameters = Readonly<Record<string, string | null | undefined>>;

/** The address of a view, for links. Parameters that are empty, null or absent are left out. */
export function href(path: string, parameters: Parameters = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value);
  const text = query.toString();
  return text === "" ? `#/${path}` : `#/${path}?${text}`;
}

/** As `href` writes it; rows of lists have one each, and URLSearchParams takes ten times as long. */
export const memoryHref = (uri: string): string =>
  `#/memory?uri=${encodeURIComponent(uri).replaceAll("%20", "+")}`;
export const sessionHref = (id: string): string => href(`session/${encodeURIComponent(id)}`);
export const promptHref = (id: number): string => href(`prompts/${id}`);
export const projectHref = (key: string): string => href(`project/${encodeURIComponent(key)}`);
/** A turn where it stands in time: with what came before it and what it left. */
export const turnHref = (sessionId: string, turn: number): string =>
  href("timeline", { around: `${sessionId}/${turn}` });

/** A view as the first part of an address; the one that the page begins with has none. */
export const pathOf = (view: string, rest: string): string =>
  rest === "" ? (view === homeView ? "" : view) : `${view}/${encodeURIComponent(rest)}`;

/** Goes to an address made by `href`, at once: the browser's own notice comes later than the next key. */
export const go = (to: string): void => {
  location.hash = to;
  readAddress();
};

/** Goes back in the page; to `otherwise` where the page began here. */
export function goBack(otherwise: string): void {
  if (entries?.canGoBack ?? history.length > 1) history.back();
  else go(otherwise);
}

/** Changes parameters of the present address without a new entry in the history. */
export function adjust(changes: Parameters): void {
  // The browser's notice of a new address may still be under way: it must not be put back.
  readAddress();
  const { view, rest, query } = route.peek();
  const merged = { ...Object.fromEntries(query), ...changes };
  const to = href(pathOf(view, rest), merged);
  // An address that changes nothing is no news: each notice of an address costs the browser a dozen milliseconds.
  if (to === location.hash) return;
  history.replaceState(null, "", to);
  address.value = location.hash;
}

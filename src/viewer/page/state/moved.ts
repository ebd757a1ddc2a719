/** Addresses of screens that there once were: each leads to the screen that shows the same now. Pure. */
type Move = (rest: string, query: URLSearchParams) => string;

const to =
  (path: string): Move =>
  (_, query) =>
    withQuery(path, query);

function withQuery(path: string, query: URLSearchParams): string {
  const text = query.toString();
  return text === "" ? `#/${path}` : `#/${path}?${text}`;
}

const moves: Readonly<Record<string, Move>> = {
  today: to(""),
  feed: () => "#/",
  given: (rest, query) => withQuery(rest === "" ? "" : `prompts/${rest}`, query),
  preview: (_, query) => withQuery("", new URLSearchParams({ try: query.get("q") ?? " " })),
  search: to("memories"),
  profile: () => "#/memories?list=you",
  tree: (_, query) => (query.has("uri") ? withQuery("memory", query) : "#/memories"),
  stats: () => "#/settings/statistics",
  setup: () => "#/settings/setup",
};

/** The address that shows what this one showed; the same where nothing has moved. */
export function presentOf(hash: string): string {
  const [, view = "", rest = "", query = ""] = /^#\/([a-z]+)\/?([^?]*)\??(.*)$/s.exec(hash) ?? [];
  const move = Object.hasOwn(moves, view) ? moves[view] : undefined;
  return move === undefined ? hash : move(rest, new URLSearchParams(query));
}

/** `memory_search`: an index first, texts when asked for. */
import type { z } from "zod";
import { renderFound, renderIndex } from "#memory";
import type { searchInput } from "./schemas.ts";
import { field, timeText, type Tools } from "./tool.ts";

/** Resolves to the results as text, or to a sentence that there are none. */
export async function searchMemories(
  { clients, clock, project, session }: Tools,
  input: z.output<typeof searchInput>,
): Promise<string> {
  const nowMs = clock.nowMs();
  const api = await clients.read();
  const format = input.format ?? "index";
  const asked = {
    q: input.query.toWellFormed(),
    mode: input.mode ?? "find",
    format,
    limit: `${input.limit ?? 10}`,
    ...field("sort", input.sort),
    ...field("category", listed(input.category)),
    ...field("type", input.type),
    ...field("since", input.since === undefined ? null : timeText(input.since, nowMs)),
    ...field("until", input.until === undefined ? null : timeText(input.until, nowMs)),
    ...scopeOf(input.projects, project()),
    ...field("reader", session),
  };
  const { results, projects } = await (await api.search.$get({ query: asked })).json();
  if (results.length === 0)
    return `Nothing found${projects === null ? "" : ' in this project; try projects ["all"]'}.`;
  return format === "index" ? renderIndex(results, nowMs) : renderFound(results, nowMs);
}

/** An empty list is no filter. */
const listed = <Item>(values: readonly Item[] | undefined): Item[] | null =>
  values === undefined || values.length === 0 ? null : [...values];

/** This project and global, the named ones, or everything. */
function scopeOf(
  named: readonly string[] | undefined,
  home: string | null,
): { readonly project?: string[]; readonly home?: string } {
  const names = listed(named);
  if (names === null) return field("home", home);
  return names.includes("all") ? {} : { project: names, ...field("home", home) };
}

/** Filters that several routes share: query parameters in, the words of the domain out. */
import { defined } from "./defined.ts";
import type { listQuery } from "./schemas.ts";

type Filters = Pick<
  ReturnType<typeof listQuery.parse>,
  | "category"
  | "file"
  | "maker"
  | "origin"
  | "project"
  | "session"
  | "since"
  | "status"
  | "tag"
  | "until"
>;

/** Query parameters to the filters of the domain. */
export const filtersOf = (asked: Filters) => ({
  projects: asked.project ?? null,
  ...defined({
    categories: asked.category,
    tag: asked.tag,
    file: asked.file,
    session: asked.session,
    maker: asked.maker,
    origin: asked.origin,
    statuses: asked.status,
    sinceMs: asked.since,
    untilMs: asked.until,
  }),
});

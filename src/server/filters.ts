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

/** A page as the service asks for it. */
export const pageAsked = (
  asked: {
    readonly limit?: number | undefined;
    readonly cursor?: string | undefined;
    readonly offset?: number | undefined;
  },
  limitDefault: number,
) => ({
  limit: asked.limit ?? limitDefault,
  cursor: asked.cursor ?? null,
  ...defined({ offset: asked.offset }),
});

/** Filters that several routes share: query parameters in, the words of the domain out. */
import type { Asked } from "#api";

type Filters = Pick<
  Asked<"GET /api/memories">["query"],
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

type Defined<Fields> = { readonly [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

/** The same record without the fields that are undefined. */
export const defined = <Fields extends object>(fields: Fields): Defined<Fields> =>
  // The filter is what makes the narrower type true; Object.fromEntries cannot say so.
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Defined<Fields>;

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

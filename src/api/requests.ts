/**
 * Parts of what the routes accept. Descriptions are part of the product: the HTTP reference is rendered from them.
 * Times are epoch milliseconds or ISO 8601; lists are repeated parameters or comma-separated.
 */
import { z } from "zod";
import {
  categories,
  type DocumentKind,
  hookNames,
  importSources,
  keptAgents,
  makers,
  nodeStatuses,
  origins,
} from "#domain";
import { parseNow } from "#kit";

export const limitMax = 100;

export const text = (charsMax: number) => z.string().trim().min(1).max(charsMax);

/** A field that may be left out. */
export const optional = <Schema extends z.ZodType>(schema: Schema, meaning: string) =>
  schema.optional().describe(meaning);

/** A field of a body that is null where it is left out. */
export const orNull = <Schema extends z.ZodType>(schema: Schema, meaning: string) =>
  schema.nullable().default(null).describe(meaning);

/** Time zone of the asker, in which days are meant. */
export const dayZone = orNull(
  text(60),
  "time zone in which days are meant, such as Europe/Berlin; default: the daemon's",
);

/** One value or many, comma-separated or repeated. */
export const listOf = <Item extends z.ZodType<string, string>>(item: Item) =>
  z
    .union([z.string(), z.array(z.string()).max(limitMax)])
    .transform((given) =>
      [given]
        .flat()
        .flatMap((part) => part.split(","))
        .map((part) => part.trim())
        .filter((part) => part !== ""),
    )
    .pipe(z.array(item).min(1).max(limitMax));

export const time = z.string().transform((given, context) => {
  const ms = parseNow(given);
  if (ms !== null) return ms;
  context.addIssue({ code: "custom", message: "expected epoch milliseconds or ISO 8601" });
  return z.NEVER;
});

export const digits = (expected: string, most = 15) =>
  z
    .string()
    .regex(new RegExp(String.raw`^\d{1,${most}}$`), `expected ${expected}`)
    .transform(Number);

export const count = (most: number) =>
  digits("a whole number", 6).pipe(z.number().min(1).max(most));

export const flag = z.enum(["0", "1"]).transform((given) => given === "1");

export const uri = text(400).describe(
  "place in the memory tree, such as mem://user/profile/name, or a short id, such as #4k",
);
export const project = listOf(text(300)).describe(
  "project keys or names; global memories always belong",
);

export const paging = {
  limit: optional(count(1_000), "items on a page, at most 1000; default 100"),
  cursor: optional(text(40), "next_cursor of the page before"),
  offset: optional(digits("a whole number", 9), "items to leave out, instead of a cursor"),
};

export const filters = {
  category: optional(listOf(z.enum(categories)), `only these: ${categories.join(", ")}`),
  project: project.optional(),
  tag: optional(text(100), "only with this tag"),
  file: optional(text(500), "only about this file, as it was recorded"),
  session: optional(text(128), "only from this session"),
  maker: optional(z.enum(makers), "only made by this path"),
  origin: optional(z.enum(origins), "only from this channel"),
  status: optional(
    listOf(z.enum(nodeStatuses)),
    `of ${nodeStatuses.join(", ")}; default active and superseded`,
  ),
  since: optional(time, "not older than this"),
  until: optional(time, "not newer than this"),
};

export type Filters = Partial<z.output<z.ZodObject<typeof filters>>>;

/** A kind of earlier versions. */
export const formerKind = "observation";

/** Exchanges tell what earlier versions kept in records of their own. */
export const keptAs = (kind: DocumentKind | typeof formerKind): readonly DocumentKind[] =>
  kind === formerKind || kind === "moment" ? ["exchange", "moment"] : [kind];

export const askingAgent = orNull(
  z.enum(keptAgents),
  "without `session`: agent whose one session at work in `home` asks",
);

export const emptyBody = z.strictObject({});

export const sessionId = z.string().regex(/^[\w.:-]{1,128}$/, "expected a session id");

/** A hook process's envelope; anything else on the hook route is a client's own payload. */
export const hookEnvelope = z.object({
  v: z.literal(1),
  hook: z.enum(hookNames),
  clientEvent: z.string().max(100),
  key: z.string().min(1).max(500),
  contentHash: z.string().min(1).max(128),
  anonymous: z.boolean(),
  atMs: z.int(),
  replayed: z.boolean(),
  gated: z.boolean(),
  payload: z.record(z.string(), z.unknown()),
  startedAtMs: z.number().nonnegative().optional(),
  tookMs: z.number().nonnegative().optional(),
  project: z
    .object({
      key: z.string().max(500),
      name: z.string().max(300),
      root: z.string().max(4_096),
      branch: z.string().max(500).nullable(),
    })
    .nullable()
    .optional(),
});

export const importSource = z.enum(importSources).describe("where the records come from");

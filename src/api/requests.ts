/**
 * What the routes accept. Descriptions are part of the product: the HTTP reference is rendered from them.
 * Times are epoch milliseconds or ISO 8601; lists are repeated parameters or comma-separated.
 */
import { z } from "zod";
import {
  categories,
  type DocumentKind,
  documentKinds,
  hookNames,
  importSources,
  keptAgents,
  makers,
  memoryCategories,
  memoryKinds,
  nodeStatuses,
  origins,
  sessionStatuses,
} from "#domain";
import { parseNow } from "#kit";

const limitMax = 100;

export const text = (charsMax: number) => z.string().trim().min(1).max(charsMax);

/** Whose days are meant. */
const dayZone = text(60)
  .nullable()
  .default(null)
  .describe("time zone in which days are meant, such as Europe/Berlin; default: the daemon's");

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

export const count = (most: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/, "expected a whole number")
    .transform(Number)
    .pipe(z.number().min(1).max(most));

export const flag = z.enum(["0", "1"]).transform((given) => given === "1");

const category = z.enum(categories);
const origin = z.enum(origins);
const maker = z.enum(makers);
const nodeStatus = z.enum(nodeStatuses);
export const uri = text(400).describe(
  "place in the memory tree, such as mem://user/profile/name, or a short id, such as #4k",
);
export const project = listOf(text(300)).describe(
  "project keys or names; global memories always belong",
);

export const paging = {
  limit: count(1_000).optional().describe("items on a page, at most 1000; default 100"),
  cursor: text(40).optional().describe("next_cursor of the page before"),
  offset: z
    .string()
    .regex(/^\d{1,9}$/, "expected a whole number")
    .transform(Number)
    .optional()
    .describe("items to leave out, instead of a cursor"),
};

export const filters = {
  category: listOf(category)
    .optional()
    .describe(`only these: ${categories.join(", ")}`),
  project: project.optional(),
  tag: text(100).optional().describe("only with this tag"),
  file: text(500).optional().describe("only about this file, as it was recorded"),
  session: text(128).optional().describe("only from this session"),
  maker: maker.optional().describe("only made by this path"),
  origin: origin.optional().describe("only from this channel"),
  status: listOf(nodeStatus)
    .optional()
    .describe(`of ${nodeStatuses.join(", ")}; default active and superseded`),
  since: time.optional().describe("not older than this"),
  until: time.optional().describe("not newer than this"),
};

/** A kind of earlier versions. */
export const formerKind = "observation";

/** Exchanges tell what earlier versions kept in records of their own. */
const keptAs = (kind: DocumentKind | typeof formerKind): readonly DocumentKind[] =>
  kind === formerKind || kind === "moment" ? ["exchange", "moment"] : [kind];

export const searchQuery = z.strictObject({
  q: text(10_000).describe("words or a question; any text is safe"),
  mode: z
    .enum(["find", "search"])
    .default("find")
    .describe(
      "`find`: one ranked lookup; `search`: also parts of the question and the tree around hits",
    ),
  format: z
    .enum(["index", "overview", "full"])
    .optional()
    .describe(
      "`index` (L0, the default of find), `overview` (L1, the default of search), `full` (L2)",
    ),
  kind: listOf(z.enum([...documentKinds, formerKind]))
    .transform((kinds) => [...new Set(kinds.flatMap(keptAs))])
    .optional()
    .describe(`of ${documentKinds.join(", ")}; default all of them`),
  limit: count(limitMax).optional().describe("at most 100; default 10"),
  sort: z.enum(["relevance", "date"]).default("relevance").describe("order of the results"),
  min_score: z
    .string()
    .regex(/^\d*\.?\d+$/, "expected a number")
    .transform(Number)
    .optional()
    .describe("leave out results below this score; default none"),
  home: text(300)
    .optional()
    .describe("key of the project that asks: the scope when no project is named"),
  reader: text(128).optional().describe("session that asks: what it is shown counts as seen by it"),
  concept: text(100).optional().describe("only what names this"),
  type: text(40)
    .optional()
    .describe("only exchanges of this type: what they mattered as or brought about"),
  ...filters,
});

export const listQuery = z.strictObject({
  sort: z
    .enum(["recent", "created", "used", "most-used", "importance", "relevance", "uri"])
    .default("recent")
    .describe("order of the list; `used`: last used first"),
  archive: flag.default(false).describe("1: exchanges instead of memories"),
  pinned: flag.optional().describe("1: only pinned; 0: only others"),
  used: flag.optional().describe("1: only what was ever used; 0: only what never was"),
  expired: flag.default(false).describe("1: only what has expired, which is left out otherwise"),
  text: text(200).optional().describe("only what has this in its line or overview"),
  ...filters,
  ...paging,
});

export const treeQuery = z.strictObject({
  uri: uri.default("mem://").describe("directory to list; default the root"),
  ...paging,
});

export const nodeQuery = z.strictObject({
  uri,
  use: flag.default(false).describe("1: a deliberate fetch, which counts as use"),
  reader: text(128).optional().describe("session that fetches: it counts as seen by it"),
});

export const forgetQuery = z.strictObject({
  uri: z
    .union([uri, z.array(uri).max(limitMax)])
    .transform((given) => [given].flat())
    .describe("memories to forget, all or none"),
});

const askingAgent = z
  .enum(keptAgents)
  .nullable()
  .default(null)
  .describe("without `session`: agent whose one session at work in `home` asks");

export const endBody = z.strictObject({
  names: z.array(text(400)).min(1).max(20).describe("ids or URIs of memories, all or none"),
  quote: text(4_000).describe("the user's typed sentences of this turn"),
  session: text(128).nullable().default(null).describe("session that asks"),
  agent: askingAgent,
  home: text(300).nullable().default(null).describe("project that the agent works in"),
});

export const rememberBody = z.strictObject({
  text: text(1_000_000).describe("what to remember; above 40,000 characters it is cut"),
  category: z
    .enum(memoryCategories)
    .nullable()
    .default(null)
    .describe("default: chosen by local rules"),
  project: text(300).nullable().default(null).describe("project key or name; null = everywhere"),
  tags: z.array(text(100)).max(20).default([]).describe("labels for filtering"),
  importance: z
    .int()
    .min(1)
    .max(5)
    .default(5)
    .describe("1 to 5; what is asked for by name counts most"),
  session: text(128).nullable().default(null).describe("session that asks, if any"),
  agent: askingAgent,
  zone: dayZone,
  by: z
    .enum(["user", "agent"])
    .default("user")
    .describe("who asks; what an agent words itself has origin `agent`"),
  kind: z.enum(memoryKinds).nullable().default(null).describe("rule, decision, fact, cause, place"),
  subject: text(100).nullable().default(null).describe("what it is about"),
  attribute: text(100).nullable().default(null).describe("what of the subject"),
  value: text(300).nullable().default(null).describe("its value"),
  until: time.nullable().default(null).describe("when it ends to hold"),
  replaces: z.array(text(400)).max(20).default([]).describe("ids or URIs that it replaces"),
  quote: text(4_000)
    .nullable()
    .default(null)
    .describe("the user's typed sentences; without them an agent's save has origin `agent`"),
  home: text(300).nullable().optional().describe("project that the agent works in"),
  root: text(4_096)
    .optional()
    .describe("top folder of `home`, by which it is known after a rename"),
});

export const projectQuery = z.strictObject({
  project: text(300).optional().describe("project key or name"),
});

export const contextQuery = z.strictObject({
  project: text(300).optional().describe("project key or name"),
});

export const sessionsQuery = z.strictObject({
  project: project.optional(),
  status: z.enum(sessionStatuses).optional(),
  since: time.optional().describe("not silent for longer than this"),
  until: time.optional().describe("silent at least since then"),
  ...paging,
});

export const logsQuery = z.strictObject({
  tail: count(10_000).optional().describe("lines, at most 10000; default 100"),
});

export const statusLineQuery = z.strictObject({
  session: z.string().regex(/^[\w.:-]{1,128}$/, "expected a session id"),
  cwd: z.string().max(4_096).optional().describe("folder the session works in"),
  age_ms: count(1e12).optional().describe("how long the session has run"),
});

export const pauseBody = z.strictObject({
  for_ms: z
    .int()
    .min(1)
    .max(366 * 86_400_000)
    .nullable()
    .default(null)
    .describe("milliseconds; null = until resumed"),
});

export const jobsBody = z.strictObject({
  ids: z
    .array(z.int().min(1))
    .max(limitMax)
    .nullable()
    .default(null)
    .describe("ids of parked jobs; null = all that are parked"),
});

export const stepsQuery = z.strictObject({
  limit: count(200).optional().describe("at most 200; default 20"),
});

export const undoBody = z.strictObject({
  revision: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe("a revision of the step to undo, as a whole; null = the last change"),
});

/** One memory, one project, or all. */
export const restoreBody = z.strictObject({
  as_of: z.int().min(0).describe("time to go back to, epoch milliseconds"),
  uri: uri.nullable().default(null).describe("one memory"),
  project: text(300).nullable().default(null).describe("all memories of this project: key or name"),
  all: z.boolean().default(false).describe("all memories"),
  apply: z.boolean().default(false).describe("do it; otherwise only say what would change"),
});

export const usageQuery = z.strictObject({
  since: time.optional().describe("calls from here on; default the last 30 days"),
  zone: dayZone,
});

export const trialBody = z.strictObject({
  purpose: z.enum(["session"]).optional().describe("what the model is asked for"),
});

export const consolidateBody = z.strictObject({
  apply: z.boolean().default(false).describe("do it; otherwise only say what would be done"),
  after: z.int().min(0).default(0).describe("`next` of the answer before; 0 = from the beginning"),
});

export const placeBody = z.strictObject({
  project: z.string().min(1).max(200).describe("key of the project"),
  root: z.string().min(1).max(4_096).describe("top folder of the working tree"),
});

export const emptyBody = z.strictObject({});

export const sessionParam = z.object({
  sessionId: z.string().regex(/^[\w.:-]{1,128}$/, "expected a session id"),
});

export const eventParam = z.object({
  event: z.string().regex(/^[A-Za-z]{1,40}$/, "expected an event name"),
});

export const assetParam = z.object({ name: z.string() });

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

const importSource = z.enum(importSources).describe("where the records come from");

export const importBody = z.object({
  source: importSource,
  items: z
    .array(z.unknown())
    .min(1)
    .max(500)
    .describe("records in the form of src/exchange/items.ts, already gated by the reader"),
});

export const syncBody = z.looseObject({
  ask: z
    .enum(["state", "begin", "end", "collect", "sent", "apply"])
    .describe("see src/exchange/sync/log/peer.ts"),
});

export const teamBody = z.looseObject({
  ask: z.string().max(20).describe("see src/exchange/team/peer.ts"),
});

export const importKnownBody = z.object({
  source: importSource,
  sessions: z.array(z.string().max(200)).max(1_000).describe("session ids"),
});

/** What the routes over one memory, the archive's time, the feed, settings and access accept (see schemas.ts). */
import { z } from "zod";
import { activityKinds, memoryCategories, momentKinds } from "#domain";
import {
  count,
  filters,
  flag,
  formerKind,
  listOf,
  paging,
  project,
  text,
  uri,
} from "./requests.ts";

const revision = z
  .string()
  .regex(/^\d{1,15}$/, "expected the id of a revision")
  .transform(Number);

/** What a person may change; absent = as it is. */
const edit = {
  l0: text(10_000).optional().describe("one line; above 100 tokens it is cut"),
  l1: z.string().max(100_000).nullable().optional().describe("overview; null removes it"),
  l2: z.string().max(1_000_000).nullable().optional().describe("full text; null removes it"),
  tags: z.array(text(100)).max(20).optional().describe("labels for filtering, all of them"),
  importance: z.int().min(1).max(5).optional().describe("1 to 5"),
  category: z
    .enum(memoryCategories)
    .optional()
    .describe("another category, which is another place in the tree"),
  project: text(300).nullable().optional().describe("project key or name; null = everywhere"),
} as const;

export const editQuery = z.strictObject({ uri });

export const editBody = z.strictObject({
  ...edit,
  pinned: z.boolean().optional().describe("pinned memories do not fade and come first"),
  status: z
    .enum(["active", "retracted"])
    .optional()
    .describe("`retracted` puts it away, `active` puts it back"),
  reason: text(200).optional().describe("why, for the history"),
});

const listed = z.strictObject({
  archive: flag.optional(),
  pinned: flag.optional(),
  used: flag.optional(),
  expired: flag.optional(),
  text: text(200).optional(),
  ...filters,
});

export const bulkBody = z.strictObject({
  uris: z.array(uri).min(1).max(100).optional().describe("memories by their URIs"),
  filter: listed.optional().describe("or all that a list with these filters shows"),
  except: z.array(uri).max(1_000).default([]).describe("but these"),
  cursor: text(40).nullable().default(null).describe("`next` of the slice before"),
  change: z
    .union([
      z.strictObject({ review: z.enum(["accept", "reject"]).describe("of those that wait") }),
      z.strictObject({ forget: z.literal(true).describe("for good") }),
    ])
    .describe("what is done to each"),
});

export const bulkUndoBody = z.strictObject({
  first: z.int().min(1).describe("`first` of the slice"),
  last: z.int().min(1).describe("`last` of the slice"),
});

export const historyQuery = z.strictObject({
  uri,
  order: z.enum(["oldest", "newest"]).default("oldest").describe("which change comes first"),
  ...paging,
});

export const diffQuery = z.strictObject({
  uri,
  from: revision.optional().describe("revision; default the one before `to`"),
  to: revision.optional().describe("revision; default the last one"),
});

export const verifyBody = z.strictObject({
  uri,
  folder: z.string().min(1).max(4_096).describe("a folder of the working tree to look at"),
  holds: z.boolean().default(false).describe("the memory holds for the code as it is there now"),
});

export const revertBody = z.strictObject({
  uri,
  revision: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe("revision to restore; null = the one before the last change"),
});

export const linksQuery = z.strictObject({
  uri,
  depth: z.enum(["1", "2"]).default("1").describe("maximum distance in links"),
});

export const evidenceQuery = z.strictObject({ uri });

export const reviewQuery = z.strictObject({
  limit: count(100).optional().describe("items on a page, at most 100; default 20"),
  cursor: paging.cursor,
  offset: paging.offset,
});

export const reviewParam = z.object({
  id: z
    .string()
    .regex(/^\d{1,15}$/, "expected an id")
    .transform(Number),
});

export const reviewBody = z.strictObject({
  action: z.enum(["accept", "reject"]).describe("in force from now on, or not proposed again"),
  edit: z.strictObject(edit).optional().describe("changes to make when it is accepted"),
});

export const timelineQuery = z.strictObject({
  around: text(400)
    .optional()
    .describe("a time, a mem:// URI, a session or a turn as `session/3`; default now"),
  project: project.optional(),
  kind: listOf(z.enum([...momentKinds, formerKind]))
    .transform((kinds) => kinds.map((kind) => (kind === formerKind ? "moment" : kind)))
    .optional()
    .describe(`of ${momentKinds.join(", ")}; default all of them`),
  limit: count(200).optional().describe("entries, at most 200; default 40"),
  cursor: text(80).optional().describe("`earlier` or `later` of an answer"),
});

export const sessionTimelineQuery = z.strictObject({
  limit: count(500).optional().describe("entries, at most 500; default 100"),
  cursor: text(80).optional().describe("`earlier` or `later` of an answer"),
});

export const sessionQuery = z.strictObject({
  brief: flag.default(false).describe("1: its head alone, with empty lists"),
});

export const feedQuery = z.strictObject({
  kind: listOf(z.enum([...activityKinds, formerKind]))
    .transform((kinds) => kinds.map((kind) => (kind === formerKind ? "memory" : kind)))
    .optional()
    .describe(`of ${activityKinds.join(", ")}; default all of them`),
  limit: count(200).optional().describe("entries, at most 200; default 50"),
  cursor: text(120).optional().describe("next_cursor of the page before"),
});

export const statsQuery = z.strictObject({
  days: count(366)
    .optional()
    .describe("days that `surfaced` looks back, today included; default 30"),
});

export const worthQuery = z.strictObject({
  days: count(90).optional().describe("days that are looked at, today included; default 30"),
});

export const configBody = z.strictObject({
  key: text(100).describe("such as inject.prompt"),
  value: z.string().max(10_000).describe("as one types it: off, 30m, `a, b`"),
});

const oneProject = text(300).describe("project key or name");

export const oneProjectQuery = z.strictObject({ project: oneProject });

export const renameProjectBody = z.strictObject({
  project: oneProject,
  name: text(60).describe("what it is called from now on"),
});

export const mergeProjectsBody = z.strictObject({
  project: text(4_096).describe("project key, name or folder that is gone"),
  into: text(300).describe("the project that it becomes part of"),
  into_name: text(60).optional().describe("what that is called, where it may be new"),
});

/** What a person can have brought in by one press: these are looked for where their programs keep them. */
export const bringBody = z.strictObject({
  from: z
    .enum(["claude-code", "claude-mem", "codex", "gemini", "copilot", "opencode"])
    .describe("whose records, from where that program keeps them"),
});

export const codeBody = z.strictObject({
  code: text(128).describe("what `continuity ui` put into the address"),
});

export const proofBody = z.strictObject({
  id: z
    .string()
    .regex(/^[0-9a-f]{16}$/, "expected 16 hex digits")
    .describe(
      "first 16 digits of SHA-256(SHA-256(secret)), both in hex; the secret: a code or a viewer token",
    ),
  nonce: z
    .string()
    .regex(/^[0-9a-f]{32,64}$/, "expected 32 to 64 hex digits")
    .describe(
      "random; the proof is HMAC-SHA256 over it, a blank and the port, with SHA-256(secret) in hex as key",
    ),
});

const record = z.record(z.string(), z.unknown());

export const turnBody = z.strictObject({
  session: z
    .string()
    .regex(/^[\w.:-]{1,128}$/, "expected a session id")
    .describe("id of the session it belongs to; a new one makes a session"),
  cwd: text(4_096)
    .regex(/^(?:\/|[A-Za-z]:[\\/])/, "expected a full path")
    .describe("folder it happened in, which says the project"),
  user: text(200_000).describe("what the user said"),
  assistant: z.string().max(400_000).describe("what was answered"),
  tools: z
    .array(
      z.strictObject({
        name: text(200).describe("such as Bash or Edit"),
        input: record.optional().describe("what it was called with"),
        output: z.unknown().optional().describe("what came back"),
        error: z.string().max(100_000).optional().describe("what went wrong"),
        id: text(200).optional().describe("id of the call"),
      }),
    )
    .max(200)
    .default([])
    .describe("tools used in this turn, in order"),
  at: z
    .union([z.int(), text(40)])
    .optional()
    .describe("when it began, epoch milliseconds or ISO 8601; default now"),
  id: text(200)
    .optional()
    .describe("id of the turn: the same one counts once; default: its content and `at`"),
});

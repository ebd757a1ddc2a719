/** Routes over memories: found, listed, shown, changed, undone and reviewed. */
import { z } from "zod";
import { documentKinds, memoryCategories, memoryKinds } from "#domain";
import type { RouteSpecs } from "./route.ts";
import {
  text,
  listOf,
  time,
  count,
  flag,
  uri,
  paging,
  filters,
  formerKind,
  askingAgent,
  dayZone,
  limitMax,
  keptAs,
  orNull,
  optional,
  digits,
} from "./requests.ts";

const revision = digits("the id of a revision");

/** The fields that a person may change; absent = as it is. */
const edit = {
  l0: optional(text(10_000), "one line; above 100 tokens it is cut"),
  l1: optional(z.string().max(100_000).nullable(), "overview; null removes it"),
  l2: optional(z.string().max(1_000_000).nullable(), "full text; null removes it"),
  tags: optional(z.array(text(100)).max(20), "labels for filtering, all of them"),
  importance: optional(z.int().min(1).max(5), "1 to 5"),
  category: optional(
    z.enum(memoryCategories),
    "another category, which is another place in the tree",
  ),
  project: optional(text(300).nullable(), "project key or name; null = everywhere"),
} as const;

const reviewParam = z.object({ id: digits("an id") });

export const memoryRoutes = {
  "GET /api/search": {
    summary: "Ranked results with token costs and explanations",
    query: z.strictObject({
      q: text(10_000).describe("words or a question; any text is safe"),
      mode: z
        .enum(["find", "search"])
        .default("find")
        .describe(
          "`find`: one ranked lookup; `search`: also parts of the question, and what hangs beside hits",
        ),
      format: optional(
        z.enum(["index", "overview", "full"]),
        "`index` (L0, the default of find), `overview` (L1, the default of search), `full` (L2)",
      ),
      kind: optional(
        listOf(z.enum([...documentKinds, formerKind])).transform((kinds) => [
          ...new Set(kinds.flatMap(keptAs)),
        ]),
        `of ${documentKinds.join(", ")}; default all of them`,
      ),
      limit: optional(count(limitMax), "at most 100; default 10"),
      sort: z.enum(["relevance", "date"]).default("relevance").describe("order of the results"),
      min_score: optional(
        z
          .string()
          .regex(/^\d*\.?\d+$/, "expected a number")
          .transform(Number),
        "leave out results below this score; default none",
      ),
      home: optional(
        text(300),
        "key of the project that asks: where no project is named its results come first, and one or two of others " +
          "follow if they are exact or clearly better",
      ),
      reader: optional(text(128), "session that asks: what it is shown counts as seen by it"),
      concept: optional(text(100), "only what names this"),
      type: optional(
        text(40),
        "only exchanges of this type: what they mattered as or brought about",
      ),
      ...filters,
    }),
    answer: "SearchJson",
  },
  "GET /api/tree": {
    summary: "One directory of the memory tree",
    query: z.strictObject({
      uri: uri.default("mem://").describe("directory to list; default the root"),
      ...paging,
    }),
    answer: "TreeJson",
  },
  "GET /api/nodes": {
    summary: "One node whole; only `use=1` counts as use",
    query: z.strictObject({
      uri,
      use: flag.default(false).describe("1: a deliberate fetch, which counts as use"),
      reader: optional(text(128), "session that fetches: it counts as seen by it"),
    }),
    answer: "NodeJson",
  },
  "DELETE /api/nodes": {
    summary: "Permanently delete memories and every copy of their text",
    query: z.strictObject({
      uri: z
        .union([uri, z.array(uri).max(limitMax)])
        .transform((given) => [given].flat())
        .describe("memories to forget, all or none"),
    }),
    answer: "ForgottenJson",
  },
  "POST /api/memories/end": {
    summary:
      "End memories in the user's quoted words, undoably; what these do not prove waits for review",
    body: z.strictObject({
      names: z.array(text(400)).min(1).max(20).describe("ids or URIs of memories, all or none"),
      quote: text(4_000).describe("the user's typed sentences of this turn"),
      session: orNull(text(128), "session that asks"),
      agent: askingAgent,
      home: orNull(text(300), "project that the agent works in"),
    }),
    answer: "EndedJson",
  },
  "POST /api/turns/forget": {
    summary:
      "Take a session's running turn off the record for good, by its user's quoted words; no undo",
    body: z.strictObject({
      quote: text(4_000).describe("the user's typed sentences of this turn"),
      session: orNull(text(128), "session that asks"),
      agent: askingAgent,
      home: orNull(text(300), "project that the agent works in"),
    }),
    answer: "TurnForgottenJson",
  },
  "GET /api/memories": {
    summary: "A list of memories, or of the archive",
    query: z.strictObject({
      sort: z
        .enum(["recent", "created", "used", "most-used", "importance", "uri"])
        .default("recent")
        .describe("order of the list; `used`: last used first"),
      archive: flag.default(false).describe("1: exchanges instead of memories"),
      pinned: optional(flag, "1: only pinned; 0: only others"),
      used: optional(flag, "1: only what was ever used; 0: only what never was"),
      expired: flag
        .default(false)
        .describe("1: only what has expired, which is left out otherwise"),
      text: optional(text(200), "only what has this in its line or overview"),
      ...filters,
      ...paging,
    }),
    answer: "MemoryPageJson",
  },
  "POST /api/memories": {
    summary: "Store a memory: origin `user`, through the privacy gate",
    body: z.strictObject({
      text: text(1_000_000).describe("what to remember; above 40,000 characters it is cut"),
      category: orNull(z.enum(memoryCategories), "default: chosen by local rules"),
      project: orNull(text(300), "project key or name; null = everywhere"),
      tags: z.array(text(100)).max(20).default([]).describe("labels for filtering"),
      importance: z
        .int()
        .min(1)
        .max(5)
        .default(5)
        .describe("1 to 5; what is asked for by name counts most"),
      session: orNull(text(128), "session that asks, if any"),
      agent: askingAgent,
      zone: dayZone,
      by: z
        .enum(["user", "agent"])
        .default("user")
        .describe("who asks; what an agent words itself has origin `agent`"),
      kind: orNull(z.enum(memoryKinds), "rule, decision, fact, cause, place"),
      subject: orNull(text(100), "what it is about"),
      attribute: orNull(text(100), "what of the subject"),
      value: orNull(text(300), "its value"),
      until: orNull(time, "when it ends to hold"),
      replaces: z.array(text(400)).max(20).default([]).describe("ids or URIs that it replaces"),
      quote: orNull(
        text(4_000),
        "the user's typed sentences; without them an agent's save has origin `agent`",
      ),
      home: optional(text(300).nullable(), "project that the agent works in"),
      root: optional(text(4_096), "top folder of `home`, by which it is known after a rename"),
    }),
    answer: "RememberedJson",
  },
  "GET /api/profile": {
    summary: "Profile and preferences",
    query: z.strictObject({ project: optional(text(300), "project key or name") }),
    answer: "ProfileJson",
  },
  "PATCH /api/nodes": {
    summary:
      'Change a memory by hand; `If-Match` with the tag or `"r<revision>"` fails if it changed since (412)',
    query: z.strictObject({ uri }),
    body: z.strictObject({
      ...edit,
      pinned: optional(z.boolean(), "pinned memories do not fade and come first"),
      status: optional(
        z.enum(["active", "retracted"]),
        "`retracted` puts it away, `active` puts it back",
      ),
      reason: optional(text(200), "why, for the history"),
    }),
    answer: "NodeJson",
  },
  "GET /api/nodes/history": {
    summary: "Every change of a node",
    query: z.strictObject({
      uri,
      order: z.enum(["oldest", "newest"]).default("oldest").describe("which change comes first"),
      ...paging,
    }),
    answer: "HistoryJson",
  },
  "GET /api/nodes/diff": {
    summary: "What differs between two revisions of a node",
    query: z.strictObject({
      uri,
      from: optional(revision, "revision; default the one before `to`"),
      to: optional(revision, "revision; default the last one"),
    }),
    answer: "DiffJson",
  },
  "POST /api/nodes/revert": {
    summary:
      "Make a memory what it was; a change of its own, which can be undone; takes `If-Match`",
    body: z.strictObject({
      uri,
      revision: orNull(
        z.int().min(1),
        "revision to restore; null = the one before the last change",
      ),
    }),
    answer: "NodeJson",
  },
  "POST /api/nodes/verify": {
    summary: "Compare a memory with the code it names, or confirm it for the code as it is now",
    body: z.strictObject({
      uri,
      folder: z.string().min(1).max(4_096).describe("a folder of the working tree to look at"),
      holds: z
        .boolean()
        .default(false)
        .describe("the memory holds for the code as it is there now"),
    }),
    answer: "NodeJson",
  },
  "POST /api/undo": {
    summary:
      "Undo the last change of any memory, or a job, import or consolidation as a whole; can be undone itself",
    body: z.strictObject({
      revision: orNull(
        z.int().min(1),
        "a revision of the step to undo, as a whole; null = the last change",
      ),
    }),
    answer: "UndoneJson",
  },
  "GET /api/steps": {
    summary: "The last steps that `undo` can take back, the latest first",
    query: z.strictObject({ limit: optional(count(200), "at most 200; default 20") }),
    answer: "StepListJson",
  },
  "POST /api/restore": {
    summary:
      "Make memories what they were at a time in the past; one change, which `undo` takes back",

    body: z.strictObject({
      as_of: z.int().min(0).describe("time to go back to, epoch milliseconds"),
      uri: orNull(uri, "one memory"),
      project: orNull(text(300), "all memories of this project: key or name"),
      all: z.boolean().default(false).describe("all memories"),
      apply: z.boolean().default(false).describe("do it; otherwise only say what would change"),
    }),
    answer: "RestoredAsOfJson",
  },
  "GET /api/nodes/evidence": {
    summary: "Where a memory was learnt, with the words around it",
    query: z.strictObject({ uri }),
    answer: "EvidenceJson",
  },
  "GET /api/review": {
    summary: "Memories that wait for a person's word, the latest first",
    query: z.strictObject({
      limit: optional(count(100), "items on a page, at most 100; default 20"),
      cursor: paging.cursor,
      offset: paging.offset,
    }),
    answer: "ReviewPageJson",
  },
  "POST /api/review/:id": {
    summary: "Accept a memory that waits, changed or as it is, or reject it",
    param: reviewParam,
    body: z.strictObject({
      action: z.enum(["accept", "reject"]).describe("in force from now on, or not proposed again"),
      edit: optional(z.strictObject(edit), "changes to make when it is accepted"),
    }),
    answer: "ReviewedJson",
  },
} as const satisfies RouteSpecs;

/**
 * What the tools take. Descriptions are part of the product: a model finds and fills them by these words, and every
 * session pays for them, so they are short (all tools together at most 1,500 tokens, held by a test).
 */
import { z } from "zod";
import { memoryCategories, memoryKinds } from "#domain";

/** Bounds that are checked and not told: in the schema they would cost tokens in every session. */
const text = (charsMax: number) =>
  z
    .string()
    .trim()
    .refine((given) => given.length > 0 && given.length <= charsMax, `1 to ${charsMax} characters`);

const urisMax = 20;
const uris = z.array(text(400)).min(1).max(urisMax).describe("or short ids: #4k");
const time = text(40).optional();
const projects = z.array(text(300)).max(20).optional();

export const searchInput = z.object({
  query: text(1_500).describe("words or a question"),
  mode: z
    .enum(["find", "search"])
    .optional()
    .describe("search: slower, splits questions and follows links"),
  projects: projects.describe('names; ["all"] = everywhere; default this project and global'),
  category: z.array(z.enum([...memoryCategories, "sessions"])).optional(),
  type: text(40).optional().describe("of observation or moment, e.g. bugfix, decision"),
  since: time.describe("7d or 2026-09-01"),
  until: time,
  sort: z.enum(["relevance", "date"]).optional(),
  format: z.enum(["index", "overview", "full"]).optional().describe("default index: one line each"),
  limit: z.int().min(1).max(100).optional().describe("default 10"),
});

export const getInput = z.object({
  uris,
  tier: z.enum(["abstract", "overview", "full"]).optional().describe("default full"),
});

export const timelineInput = z.object({
  around: text(400)
    .optional()
    .describe("memory URI or #id, session id, or time (3d, 2026-09-01T10:00); default now"),
  limit: z.int().min(1).max(100).optional().describe("default 20"),
});

export const rememberInput = z.object({
  line: text(40_000).describe("one fact, self-contained"),
  kind: z.enum(memoryKinds).optional(),
  subject: text(100).optional(),
  attribute: text(100).optional(),
  value: text(300).optional(),
  scope: z
    .union([text(300), z.array(text(300)).min(1).max(5)])
    .optional()
    .describe("project (default), everywhere, or project names"),
  until: text(40).optional().describe("date, of a dated line"),
  replaces: z.array(text(400)).max(20).optional().describe("ids"),
  quote: text(4_000).optional().describe("whole sentences the user typed this turn"),
});

export const forgetInput = z.object({
  uris,
  token: text(40).optional().describe("from the first call, after the user agreed"),
});

export const treeInput = z.object({
  uri: text(400).optional().describe("default the root, mem://"),
});

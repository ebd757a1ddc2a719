/**
 * What the tools take. Descriptions are part of the product: a model finds and fills them by these words, and every
 * session pays for them, so they are short (all tools together at most 1,500 tokens, held by a test).
 */
import { z } from "zod";
import { memoryCategories } from "#domain";

const text = (charsMax: number) => z.string().trim().min(1).max(charsMax);

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
  text: text(40_000).describe("one self-contained statement; in the user's own words if theirs"),
  category: z.enum(memoryCategories).optional(),
  everywhere: z.boolean().optional().describe("true: holds in every project"),
  importance: z.int().min(1).max(5).optional(),
});

export const forgetInput = z.object({
  uris,
  token: text(40).optional().describe("from the first call, after the user agreed"),
});

export const treeInput = z.object({
  uri: text(400).optional().describe("default the root, mem://"),
});

/** What the routes over injections, the preview and the day accept (see schemas.ts). */
import { z } from "zod";
import { injectionFeedbacks, undeliveredCauses } from "#domain";
import { paging, project, text, time, uri } from "./requests.ts";

export const injectionsQuery = z.strictObject({
  session: text(128).optional().describe("of this session"),
  uri: uri.optional(),
  project: project.optional(),
  kind: z
    .enum(["given", "silent", ...undeliveredCauses, ...injectionFeedbacks])
    .optional()
    .describe(
      "`given`: with a text; `silent`: prompts without one; `late`, `failed`: did not arrive; " +
        "else by what a person said",
    ),
  ...paging,
});

export const injectionParam = z.object({
  id: z
    .string()
    .regex(/^\d{1,15}$/, "expected the id of an injection")
    .transform(Number),
});

export const feedbackBody = z.strictObject({
  feedback: z
    .enum(injectionFeedbacks)
    .nullable()
    .describe("this should not have been given, or something should have been; null takes it back"),
});

export const todayQuery = z.strictObject({
  since: time.describe("beginning of the day, where the asker is"),
  until: time.describe("its end"),
});

export const openQuery = z.strictObject({
  project: text(300).optional().describe("project key; without one nothing is open"),
  branch: text(300).optional().describe("what was left open on it comes first"),
});

export const previewBody = z.strictObject({
  project: text(300).nullable().default(null).describe("project key or name; null = outside any"),
  branch: text(300).nullable().default(null).describe("null = that of the project's last session"),
  prompt: z.string().max(20_000).default("").describe("as one types it; empty = the start alone"),
});

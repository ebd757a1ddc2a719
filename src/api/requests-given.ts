/** What the routes over injections, the preview and the day accept (see schemas.ts). */
import { z } from "zod";
import { guardDecisions, injectionFeedbacks, undeliveredCauses } from "#domain";
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
  since: time.optional().describe("not older than this"),
  until: time.optional().describe("older than this"),
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

// What the routes over guards accept (see schemas.ts).

export const guardParam = z.object({
  id: z
    .string()
    .regex(/^\d{1,15}$/, "expected the number of a guard")
    .transform(Number),
});

const decision = z.enum(guardDecisions);

export const guardAddBody = z.strictObject({
  words: text(300).describe("what the agent must not do, in the user's own words"),
  decision: decision.default("ask").describe("`ask` the user, or `deny`; default ask"),
  project: text(300).nullable().default(null).describe("project key or name; null = everywhere"),
});

export const guardTestBody = z.strictObject({
  command: text(20_000).optional().describe("a command line of the shell"),
  path: text(4_096).optional().describe("a file that is to be written"),
  cwd: text(4_096).describe("the agent's working folder"),
  root: text(4_096).optional().describe("top folder of its project; default the working folder"),
  project: text(300)
    .nullable()
    .default(null)
    .describe("project key or name; null = where the working folder is"),
});

export const guardBody = z.strictObject({
  action: z.enum(["approve", "remove"]).describe("acts from now on, or is not offered again"),
  decision: decision.optional().describe("of one that is approved; default as it is"),
});

/** What the routes over guards accept (see schemas.ts). */
import { z } from "zod";
import { guardDecisions } from "#domain";
import { text } from "./requests.ts";

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

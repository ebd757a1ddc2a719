/** What is answered about guards: what the user forbade the agent, and what becomes of a command. */
import { z } from "zod";
import { guardDecisions } from "#domain";
import { is, list, maybe, number, text, type Form } from "./form.ts";

export const guardForm = z.strictObject({
  id: is(number, "number to approve or remove it by"),
  state: is(
    z.enum(["offered", "approved", "removed"]),
    "offered (does nothing yet), approved (acts) or removed",
  ),
  decision: is(z.enum(guardDecisions), "what the agent gets: ask (the user is asked) or deny"),
  tool: is(z.enum(["Bash", "any"]), "Bash (commands) or any (whatever writes files)"),
  checks: is(text, "what is looked for, in words"),
  words: is(text, "the user's own words, which are the reason that is given"),
  project: is(maybe(text), "project key, null = everywhere"),
  said: is(number, "times the user said it; 0 = added by hand"),
  created_at: is(number, "when it was first said"),
});
export type GuardJson = Form<typeof guardForm>;

export const guardListForm = z.strictObject({ items: list(guardForm) });
export type GuardListJson = Form<typeof guardListForm>;

export const guardTestForm = z.strictObject({
  guard: is(maybe(guardForm), "the guard that the command is against; null = none"),
});
export type GuardTestJson = Form<typeof guardTestForm>;

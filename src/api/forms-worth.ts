/** What is answered of the worth of memory: whether it helped, what to clear out, and what to set. */
import { z } from "zod";
import { each, type Form, is, list, maybe, number, text } from "./form.ts";

const givenForm = z.strictObject({
  given: is(number, "memories given to sessions, each once a session and channel"),
  used: is(number, "of them: fetched later, or shown by what the agent did or said next"),
  contradicted: is(number, "of them: replaced by what the user said later in the session"),
  tokens: is(number, "what their lines cost"),
  tokens_unused: is(number, "of that: lines of memories that were not used"),
});

const itemForm = z.strictObject({
  uri: text,
  l0: text,
  project: maybe(text),
  given: number,
  used: number,
  contradicted: number,
  tokens: number,
  /** The other memory, where there is one: of the same slot. */
  slot: maybe(text),
});
export type WorthItemJson = Form<typeof itemForm>;

export const worthForm = z.strictObject({
  since: is(number, "from when on sessions are looked at"),
  sessions: is(number, "sessions that were given anything, the latest 300 at most"),
  start: givenForm,
  prompt: givenForm,
  tool: is(givenForm, "beside a tool: of a failure that it met, or a file that it opened first"),
  retaught: is(number, "memories that the user said again in another session"),
  retaught_given: is(number, "of them: given in that session before"),
  missed: is(number, "memories of earlier that a session fetched and had not been given"),
  judged: is(
    z.strictObject({ wrong: number, missing: number }),
    "injections that you called wrong or incomplete",
  ),
  undelivered: is(
    z.strictObject({ late: number, failed: number }),
    "answers that came after the hook had gone, and answers that could not be made; neither counts as given",
  ),
  /** At most 20 in each list. */
  costly: each(itemForm, "given three times or more, never used, the dearest first"),
  contested: each(itemForm, "current memories of one slot that say different things"),
  stale: each(itemForm, "not changed and not used for 180 days"),
  never: each(itemForm, "made before that time, never given and never used"),
  said_again: each(itemForm, "what the user had to say again"),
  not_given: each(itemForm, "what a session had to fetch"),
  proposals: each(
    z.strictObject({ key: text, now: text, value: text, why: text }),
    "settings that would fit these figures: key, now, value and why",
  ),
  /** What keeps proposals away, in words. */
  notes: list(text),
});
export type WorthJson = Form<typeof worthForm>;

/** Forms of sessions: their records, what was injected and why. */
import { z } from "zod";
import { injectionChannels, keptAgents, sessionStatuses, turnStatuses } from "#domain";
import { type Form, is, list, maybe, number, text } from "./form.ts";
import { memoryForm } from "./forms-memory.ts";

const sessionHeadForm = z.strictObject({
  session_id: is(text, "the client's session id"),
  agent: is(z.enum(keptAgents), "claude, codex, gemini, copilot, opencode or cursor"),
  project: is(maybe(text), "project key, or null"),
  project_name: is(maybe(text), "name for people, or null"),
  branch: is(maybe(text), "branch, or null"),
  title: is(maybe(text), "first prompt in one line, or null"),
  status: is(z.enum(sessionStatuses), "active, completed, interrupted or failed"),
  started_at: is(number, "time of the first event"),
  ended_at: is(maybe(number), "time of the end, or null"),
  last_event_at: is(number, "time of the last event"),
  parent_session: is(maybe(text), "the session it was forked from, or null"),
});

export const sessionForm = sessionHeadForm.extend({
  turns: is(number, "how many prompts it had"),
});
export type SessionJson = Form<typeof sessionForm>;

export const sessionPageForm = z.strictObject({
  items: list(sessionForm),
  total: number,
  next_cursor: maybe(text),
});
export type SessionPageJson = Form<typeof sessionPageForm>;

const files = { files_read: list(text), files_edited: list(text) };

const turnForm = z.strictObject({
  n: number,
  status: z.enum(turnStatuses),
  started_at: number,
  ended_at: maybe(number),
  /** Null when the prompt was private as a whole. */
  prompt: maybe(text),
  /** `agent` = a plan of the agent that the client put in; the user typed none of it. */
  prompt_by: z.enum(["user", "agent"]),
  tool_count: number,
  ...files,
});
export type TurnJson = Form<typeof turnForm>;

const checkpointForm = z.strictObject({
  n: number,
  at: number,
  trigger: text,
  current: z.boolean(),
  l0: text,
  request: text,
  investigated: text,
  learned: text,
  completed: text,
  next_steps: text,
  ...files,
  notes: text,
});
export type CheckpointJson = Form<typeof checkpointForm>;

const observationForm = z.strictObject({
  /** The number in its URI, `mem://sessions/<session>/observations/<id>`. */
  id: number,
  turn: number,
  at: number,
  type: text,
  title: text,
  subtitle: text,
  narrative: text,
  facts: list(text),
  concepts: list(text),
  files_read: list(text),
  files_modified: list(text),
});
export type ObservationJson = Form<typeof observationForm>;

export const sessionDetailForm = sessionHeadForm.extend({
  turns: list(turnForm),
  checkpoints: list(checkpointForm),
  observations: list(observationForm),
  moments: list(memoryForm),
});
export type SessionDetailJson = Form<typeof sessionDetailForm>;

const reasons = is(z.json(), "the candidates, and why each was sent or not");
/** A value that came out of JSON text. */
export type JsonValue = Form<typeof reasons>;

/** A person's verdict on an injection. */
export const feedback = z.enum(["wrong", "missing"]);

const injectionForm = z.strictObject({
  id: is(number, "number of the injection"),
  at: is(number, "time of the injection"),
  cause: is(
    text,
    "startup, resume, … for start; the gate's verdict for prompts; late or failed: it did not arrive",
  ),
  tokens: is(number, "cost of the text"),
  text: is(text, "the text as it was sent"),
  reasons,
  channel: is(z.enum(injectionChannels), "start, prompt, subagent, tool or hint"),
  feedback: is(maybe(feedback), "what you said of it: wrong, missing or null"),
});
export type InjectionJson = Form<typeof injectionForm>;

export const whyForm = z.strictObject({
  /** Null: asked with `latest`. */
  session_id: is(maybe(text), "the session, or null when nothing was ever injected"),
  /** Oldest first. */
  injections: list(injectionForm),
});
export type WhyJson = Form<typeof whyForm>;

export const contextForm = z.strictObject({
  session_id: is(text, "the session; preview = a new one"),
  /** `injected`: it happened, as recorded; `preview`: what a session starting now would get. */
  state: is(z.enum(["injected", "preview"]), "injected (as recorded) or preview"),
  tokens: is(number, "cost of the text"),
  text: is(text, "the text"),
  reasons,
});
export type ContextJson = Form<typeof contextForm>;

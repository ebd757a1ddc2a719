/** What the routes over injections, the preview and the day answer (see answers.ts). */
import { z } from "zod";
import { memoryCategories } from "#domain";
import type * as Service from "#service";

const text = z.string();
const number = z.number();
const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.nullable();

const head = z.strictObject({
  id: number,
  session_id: text,
  session_title: maybe(text),
  project: maybe(text),
  at: number,
  channel: z.enum(["start", "prompt"]),
  cause: text,
  tokens: number,
  turn: maybe(number),
  prompt: maybe(text),
  probability: maybe(number),
  threshold: maybe(number),
  feedback: maybe(z.enum(["wrong", "missing"])),
  used: maybe(z.boolean()),
});

const explained = z.strictObject({
  text,
  tokens: number,
  lines: z.array(z.strictObject({ text, uri: maybe(text) })),
  decision: maybe(
    z.strictObject({
      verdict: z.enum(["inject", "silence"]),
      cause: text,
      probability: number,
      threshold: number,
    }),
  ),
  considered: z.array(
    z.strictObject({
      uri: text,
      l0: maybe(text),
      taken: z.boolean(),
      why: text,
      score: maybe(number),
      similarity: maybe(number),
      tokens: maybe(number),
    }),
  ),
});

const dayMemory = z.strictObject({
  uri: text,
  l0: text,
  category: maybe(z.enum([...memoryCategories, "sessions"])),
  project: maybe(text),
});

export const givenAnswers = {
  TodayJson: z.strictObject({
    projects: z.array(
      z.strictObject({
        project: maybe(text),
        learnt: number,
        replaced: number,
        given: number,
        silent: number,
        tokens: number,
        waiting: number,
      }),
    ),
    learnt: z.array(dayMemory),
    replaced: z.array(z.strictObject({ old: dayMemory, now: dayMemory })),
    given: z.array(head),
    open: z.array(
      z.strictObject({
        session_id: text,
        title: maybe(text),
        project: maybe(text),
        at: number,
        next_steps: text,
      }),
    ),
  }) satisfies z.ZodType<Service.TodayJson>,
  InjectionListJson: z.strictObject({
    items: z.array(head),
    total: number,
    next_cursor: maybe(text),
  }) satisfies z.ZodType<Service.InjectionListJson>,
  InjectionDetailJson: explained.extend({
    injection: head,
    prompt: maybe(text),
  }) satisfies z.ZodType<Service.InjectionDetailJson>,
  PreviewJson: z.strictObject({
    project: maybe(text),
    start: explained,
    prompt: maybe(explained),
  }) satisfies z.ZodType<Service.PreviewJson>,
};

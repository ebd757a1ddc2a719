/**
 * Declares the input of the tools. Descriptions are part of the product: a model finds and fills
 * them by these words, and every session pays for them, so they are short (all tools together at
 * most 1,500 tokens, held by a test).
 */
import { z } from "zod";
import { memoryCategories, memoryKinds } from "#domain";

/**
 * A schema as clients are shown it: without its dialect and without bounds and lists of values, which are checked and
 * not told. In a definition they would cost tokens in every session.
 */
export const shown = <Schema extends z.ZodObject>(schema: Schema): Schema => {
  // A list that is made of what was given reads as one that may be left out.
  const required = Object.entries<z.ZodType>(schema.shape).flatMap(([name, field]) =>
    field.safeParse(undefined).success ? [] : name,
  );
  const plain = (): Record<string, unknown> => ({
    ...lean(z.toJSONSchema(schema, { io: "input" })),
    ...(required.length === 0 ? {} : { required }),
  });
  const own = schema["~standard"];
  const standard = { ...own, jsonSchema: { input: plain, output: plain } };
  return Object.create(schema, { "~standard": { value: standard } }) as Schema;
};

/** `mode` is taken from those who know it: one of its values fits nearly every question. */
const unshown = new Set(["$schema", "minItems", "maxItems", "minimum", "maximum", "mode"]);

function lean(schema: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name]) => !unshown.has(name))
      .map(([name, value]) => [name, isPlain(value) ? lean(value) : value]),
  );
}

const isPlain = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Bounds that are checked and not told. */
const text = (charsMax: number) =>
  z
    .string()
    .trim()
    .refine((given) => given.length > 0 && given.length <= charsMax, `1 to ${charsMax} characters`);

const urisMax = 20;
const uris = z.array(text(400)).min(1).max(urisMax).describe("or short ids: #4k");
const time = text(40).optional();
const projects = z.array(text(300)).max(20).optional();

/** A list of words that a model may give singly; shown as a list. */
const listOf = <Item extends z.ZodType<string>>(item: Item) =>
  z.preprocess((given) => (typeof given === "string" ? [given] : given), z.array(item).max(20));

/** An optional field that a model may give empty: `""`, `[]` and a list of `""` are absent. */
const maybe = <Field extends z.ZodType>(field: Field) =>
  z.preprocess((given) => (isEmpty(given) ? undefined : given), field.optional());

const isEmpty = (given: unknown): boolean =>
  given === null ||
  (typeof given === "string" ? given.trim() === "" : Array.isArray(given) && given.every(isEmpty));

const oneOf = <const Value extends string>(values: readonly [Value, ...Value[]]) =>
  z.string().pipe(z.enum(values));

export const searchInput = z.object({
  query: text(1_500),
  mode: oneOf(["find", "search"]).optional(),
  projects: projects.describe("default here; all"),
  category: z.array(oneOf([...memoryCategories, "sessions"])).optional(),
  type: text(40).optional().describe("bugfix"),
  since: time.describe("7d, 2026-09-01"),
  until: time,
  sort: oneOf(["relevance", "date"]).optional(),
  format: oneOf(["index", "overview", "full"]).optional().describe("overview, full"),
  limit: z.number().int().min(1).max(100).optional(),
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
  line: text(40_000),
  kind: maybe(z.enum(memoryKinds)).describe("rule: every session; design: decision"),
  subject: maybe(text(100)).describe("always; user: own facts, everywhere"),
  attribute: maybe(text(100)),
  value: maybe(text(300)),
  scope: maybe(listOf(text(300))).describe("project, everywhere, other names"),
  until: maybe(text(40)).describe("if dated"),
  replaces: maybe(listOf(text(400))).describe("ids"),
  quote: maybe(text(4_000)).describe("whole sentences typed this turn; a cause: output"),
});

export const forgetInput = z.object({
  ids: listOf(text(400)).optional(),
  turn: z.boolean().optional().describe("true: this turn, for good"),
  quote: text(4_000).describe("whole sentences typed this turn"),
});

export const treeInput = z.object({
  uri: text(400).optional().describe("default the root, mem://"),
});

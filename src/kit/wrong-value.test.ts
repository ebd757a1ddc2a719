import { expect, test } from "bun:test";
import { z } from "zod";
import { wrongValue } from "./wrong-value.ts";

const schema = z.strictObject({
  text: z.string().min(1).max(5),
  n: z.int().min(1).max(9).optional(),
  sort: z.enum(["recent", "used"]).optional(),
  tags: z.array(z.string()).max(1).optional(),
  own: z
    .string()
    .refine((text) => text !== "x", "no x, please")
    .optional(),
});

test.each([
  [{}, "is missing"],
  [{ text: 3 }, "must be text"],
  [{ text: [] }, "must be text"],
  [{ text: "" }, "must not be empty"],
  [{ text: "123456" }, "must be at most 5 characters"],
  [{ text: "a", n: "1" }, "must be a number"],
  [{ text: "a", n: 1.5 }, "must be a whole number"],
  [{ text: "a", n: 0 }, "must be at least 1"],
  [{ text: "a", sort: "old" }, "must be one of: recent, used"],
  [{ text: "a", tags: ["a", "b"] }, "must be at most 1 entries"],
  [{ text: "a", extra: 1 }, "unknown field: extra"],
  // The schema's own message stands.
  [{ text: "a", own: "x" }, "no x, please"],
])("%j: %s", (value, said) => {
  const result = schema.safeParse(value, { error: wrongValue });
  expect(result.error?.issues[0]?.message).toBe(said);
});

import { expect, test } from "bun:test";
import { answerOf, type Reply } from "./failure.ts";

const reply = (status: number, body: unknown): Promise<Reply<unknown>> =>
  Promise.resolve({ ok: status < 300, status, json: async () => body });
const refusal = (type: string): unknown => ({ error: { type, message: `because of ${type}` } });

test("a good answer is its value", async () => {
  expect(await answerOf(reply(200, { a: 1 }))).toEqual({ ok: true, value: { a: 1 } });
});

test.each([
  {
    name: "nobody answering is offline",
    given: () => Promise.reject(new Error("refused")),
    kind: "offline",
  },
  {
    name: "a wrong token locks",
    given: () => reply(401, refusal("auth.required")),
    kind: "locked",
  },
  {
    name: "too many wrong tokens lock",
    given: () => reply(429, refusal("auth.too-many")),
    kind: "locked",
  },
  {
    name: "a used code is a refusal, not a lock",
    given: () => reply(401, refusal("ui.code")),
    kind: "refused",
  },
  {
    name: "what is not there is a refusal",
    given: () => reply(404, refusal("memory.not-found")),
    kind: "refused",
  },
])("$name", async ({ given, kind }) => {
  expect(await answerOf(given())).toMatchObject({ ok: false, failure: { kind } });
});

test.each([null, "text", { error: null }, { error: { message: 4 } }])(
  "a refusal without words (%p) says its status",
  async (body) => {
    expect(await answerOf(reply(500, body))).toMatchObject({
      ok: false,
      failure: { kind: "refused", message: "The daemon returned status 500." },
    });
  },
);

test("an answer that cannot be read is a refusal, never an exception", async () => {
  const broken: Reply<unknown> = {
    ok: true,
    status: 200,
    json: () => Promise.reject(new Error("?")),
  };
  expect(await answerOf(Promise.resolve(broken))).toMatchObject({
    ok: false,
    failure: { kind: "refused" },
  });
});

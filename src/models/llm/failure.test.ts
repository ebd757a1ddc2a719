import { expect, test } from "bun:test";
import { msPerDay } from "#kit";
import { failureOf } from "./http.ts";
import { noonMs } from "../../../test/support/models/llm.ts";

const fail = (
  status: number,
  body = "",
  headers: Readonly<Record<string, string>> = {},
  secret: string | null = null,
) => failureOf({ status, headers: new Headers(headers), body, secret, nowMs: noonMs });

test.each([
  [301, "llm.refused"],
  [400, "llm.refused"],
  [401, "llm.unauthorised"],
  [402, "llm.refused"],
  [403, "llm.unauthorised"],
  [404, "llm.refused"],
  [408, "llm.unavailable"],
  [413, "llm.refused"],
  [422, "llm.refused"],
  [429, "llm.rate-limited"],
  [500, "llm.unavailable"],
  [502, "llm.unavailable"],
  [503, "llm.unavailable"],
  [529, "llm.unavailable"],
] as const)("%d is %s", (status, type) => expect(fail(status)).toMatchObject({ type }));

test.each([
  [{ "retry-after": "7" }, "", 7_000],
  [{ "retry-after": "0.5" }, "", 500],
  [{ "retry-after-ms": "1500", "retry-after": "2" }, "", 1_500],
  [{ "retry-after": "Sun, 01 Mar 2026 12:01:00 GMT" }, "", 60_000],
  [{ "retry-after": "Sun, 01 Mar 2026 11:00:00 GMT" }, "", 0],
  [{ "retry-after": "99999999" }, "", msPerDay],
  [{ "retry-after": "soon" }, "", null],
  [{}, "", null],
  [{}, '{"error": {"details": [{}, {"retryDelay": "45.837906927s"}]}}', 45_838],
  [{}, '{"error": {"details": [{"retryDelay": "later"}]}}', null],
  [{}, '{"error": {"details": 3}}', null],
])("how long to wait: %j %s", (headers, body, retryAfterMs) =>
  expect(fail(429, body, headers)).toEqual({ type: "llm.rate-limited", retryAfterMs }),
);

test.each([
  [
    '{"type": "error", "error": {"type": "not_found_error", "message": "model: x"}}',
    "404 not_found_error: model: x",
  ],
  [
    '{"error": {"code": 404, "message": "No such model", "status": "NOT_FOUND"}}',
    "404 NOT_FOUND: No such model",
  ],
  ['{"error": "model \'x\' not found"}', "404 model 'x' not found"],
  ['{"message": "no route"}', "404 no route"],
  ["<html>\n<body>Not found</body>", "404 <html> <body>Not found</body>"],
  ["", "404"],
])("what an error says: %s", (body, detail) =>
  expect(fail(404, body)).toEqual({ type: "llm.refused", status: 404, detail }),
);

test("a key that Gemini does not know is no mistake in the request", () => {
  const body = '{"error": {"code": 400, "details": [{"reason": "API_KEY_INVALID"}]}}';
  expect(fail(400, body)).toMatchObject({ type: "llm.unauthorised" });
});

test("a key that is echoed is not repeated, and a long message is cut", () => {
  const echoed = fail(401, '{"error": "Incorrect key provided: sk-123."}', {}, "sk-123");
  expect(echoed).toEqual({
    type: "llm.unauthorised",
    detail: "401 Incorrect key provided: [key].",
  });
  const long = fail(400, JSON.stringify({ error: "word ".repeat(500) }));
  expect("detail" in long ? long.detail.length : 0).toBeLessThanOrEqual(200);
});

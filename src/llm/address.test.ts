import { expect, test } from "bun:test";
import { addressOf } from "./address.ts";

test.each([
  ["https://api.anthropic.com", "https://api.anthropic.com"],
  ["https://api.anthropic.com/", "https://api.anthropic.com"],
  ["https://api.anthropic.com/v1", "https://api.anthropic.com"],
  ["https://gate.example/anthropic/v1/", "https://gate.example/anthropic"],
  ["HTTPS://Gate.example:8443/x?y=1#z", "https://gate.example:8443/x"],
  ["http://localhost:4000", "http://localhost:4000"],
  ["http://127.0.0.1:4000", "http://127.0.0.1:4000"],
  ["http://[::1]:4000", "http://[::1]:4000"],
])("%s may be used with a key", (text, value) =>
  expect(addressOf(text, { hasKey: true, drop: /\/v1$/ })).toEqual({ ok: true, value }),
);

test.each([
  ["nonsense", "is no address"],
  ["", "is no address"],
  ["ftp://x", "is no address of a model"],
  ["file:///etc/passwd", "is no address of a model"],
  ["https://user:secret@x.example", "must not hold a password"],
  ["http://gate.example", "a key is not sent over plain http to gate.example"],
  ["http://127.0.0.1.evil.example", "a key is not sent over plain http"],
  ["http://localhost.evil.example", "a key is not sent over plain http"],
])("%s may not", (text, words) => {
  const found = addressOf(text, { hasKey: true });
  expect(found.ok ? "" : found.error).toContain(words);
  expect(JSON.stringify(found)).not.toContain("secret@");
});

test("without a key a model in the local network may be asked in the clear", () => {
  expect(addressOf("http://gpu-box:11434", { hasKey: false })).toEqual({
    ok: true,
    value: "http://gpu-box:11434",
  });
});

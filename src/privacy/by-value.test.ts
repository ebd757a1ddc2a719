import { expect, test } from "bun:test";
import { createGate } from "./gate.ts";

const gate = createGate({ redact: [] });

test.each([
  "SECRET_KEY = 'AWS_SECRET_ACCESS_KEY'",
  "_CLIENT_SECRET = 'client_secret'",
  "'proxy_pass': 'CLOUDSDK_PROXY_PASSWORD'",
  "self._secret_key\n\n@secret_key.setter",
  "credentials, target_audience=target_audience",
  "with_target_audience('https://new.example.com')",
  "secret: TArg<DKG_Secret>): void",
  "key: Uint8Array, password: Uint8Array",
  "await argon2Async(password: argon2Async",
  "auth = 'oauth2client:secrets#ns'",
  "config.get('Credentials', 's3_host')",
  "credentials.with_quota_project('myproject-123')",
  '"secret": "projects/acme-42/secrets/db"',
  "DB_PASSWORD=localhost:5432",
  "passwd: 10.0.0.5:8080",
  "imagePullSecrets: regcred-1",
  "secretName: web-tls-2024",
])("a piece of code is no secret in the rest of its session: %s", (code) => {
  expect(gate.clean(code).secrets).toEqual([]);
});

test.each(["Plum.Harbor.7", "correct-horse-battery-staple", "Gurkensalat!Mai", "Zq9_hut4_Lamp"])(
  "a password is: %s",
  (password) => {
    expect(gate.clean(`DB_PASSWORD='${password}'`).secrets).toEqual([password]);
  },
);

test("types between angle brackets are no elements; an element that is cut is one", () => {
  const types = "round1: (secret: Arg<DKG_Secret>, others: Arg<DKG_Round1[]>) => void";
  expect(gate.clean(types).text).toBe(types);
  expect(gate.clean("<password>Zq9hut4Lamp</password>").text).not.toContain("Zq9");
  expect(gate.clean("<password>Zq9hut4Lamp\n  </password>").text).not.toContain("Zq9");
  expect(gate.clean("<password>Zq9hut4Lamp").text).not.toContain("Zq9");
});

test("a bracket within a password that stands in brackets is a part of it", () => {
  expect(gate.clean("{user: admin, password: Zq9}hut4#Lamp}").text).toBe(
    "{user: admin, password: [redacted:password]}",
  );
});

test.each([
  ["The api key is `A1b2C3d4E5`, use it for staging.", "A1b2C3d4E5"],
  ["DB_PASS → `hunter2!`", "hunter2!"],
  ["DB_PASS → `swordfish`", "swordfish"],
  ["the token is `Sommer2024`", "Sommer2024"],
  ["creds: `/p4ss/w0rd`", "/p4ss/w0rd"],
])("a code span that is made of no words is a value: %s", (text, value) => {
  expect(gate.clean(text).text).not.toContain(value);
});

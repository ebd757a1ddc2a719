import { expect, test } from "bun:test";
import { createGate } from "./gate.ts";

const gate = createGate({ redact: [] });

test.each([
  [
    "root password for islay's console, it keeps asking: Birrick!Malmire-0x2F. once",
    "Birrick!Malmire-0x2F",
  ],
  ["smtp user messhub, passwort Zucker!Rost9Kanne, pack das weg", "Zucker!Rost9Kanne"],
  ["la contraseña es Rio-Verde77x", "Rio-Verde77x"],
  ["mot de passe du portail : Pluie#2041bleue", "Pluie#2041bleue"],
  ["пароль от базы: Sneg!Noch2031", "Sneg!Noch2031"],
  ["パスワード：Kaze!Umi-4410", "Kaze!Umi-4410"],
])("a password said in a sentence goes: %s", (text, secret) => {
  const { text: kept } = gate.clean(text);
  expect(kept).not.toContain(secret);
  expect(kept).toContain("[redacted:password]");
});

test.each([
  "the password reset page is broken",
  "password rules: at least 12 characters, see docs/password-rules.md",
  "password hashing: argon2id with m=65536",
  "where does PasswordHasher2.verify live",
  "passwort vergessen geht nicht: 404 auf /reset",
  "store the password in ${DB_PASSWORD}",
])("talk about passwords stays: %s", (text) => {
  expect(gate.clean(text).text).toBe(text);
});

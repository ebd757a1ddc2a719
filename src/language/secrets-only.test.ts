import { expect, test } from "bun:test";
import { saysOnlySecrets } from "./secrets-only.ts";

test.each([
  "the admin password is [redacted:password]",
  "map api key\n[redacted:secret]",
  "user: admin, pass: [redacted:password]",
  "user,password\nbob,[redacted:password]",
  "[redacted:github-token]",
  "das Passwort ist [redacted:password]",
  "пароль: [redacted:password]",
])("%j says nothing but the secret", (text) => expect(saysOnlySecrets(text)).toBe(true));

test.each([
  "we deploy on Fridays",
  "the staging db runs on db1 in Frankfurt, password [redacted:password]",
  "our deploy script calls the payment service with token [redacted:secret]",
  "the password [redacted:password] opens the gate on the second floor",
  "the vault is in Berlin. The password is [redacted:password]",
])("%j says more", (text) => expect(saysOnlySecrets(text)).toBe(false));

import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findKey, missingKey } from "./key.ts";
import { tempHome } from "../../../test/support/models/llm.ts";

function place(home: string, env: Readonly<Record<string, string>> = {}, variable = "THE_KEY") {
  mkdirSync(join(home, "keys"), { recursive: true });
  return { home, env, provider: "anthropic", variable };
}

const fileIn = (home: string): string => join(home, "keys", "anthropic");

test("a key file wins over the variable", () => {
  using home = tempHome();
  const at = place(home.path, { THE_KEY: "from-env" });
  expect(findKey(at)).toEqual({ ok: true, value: "from-env" });
  writeFileSync(fileIn(home.path), "from-file\n", { mode: 0o600 });
  expect(findKey(at)).toEqual({ ok: true, value: "from-file" });
});

test("only the variable that is named is looked at", () => {
  using home = tempHome();
  expect(findKey(place(home.path, { ANTHROPIC_API_KEY: "k" }))).toEqual({ ok: true, value: null });
  expect(findKey(place(home.path, { "": "k" }, ""))).toEqual({ ok: true, value: null });
});

test("a file that others may read is refused, and no other key is taken instead", () => {
  using home = tempHome();
  const at = place(home.path, { THE_KEY: "from-env" });
  writeFileSync(fileIn(home.path), "k", { mode: 0o600 });
  chmodSync(fileIn(home.path), 0o640);
  expect(findKey(at)).toEqual({
    ok: false,
    error: `${fileIn(home.path)} can be read by others; run chmod 600 on it`,
  });
});

test.each([
  ["", "holds no key"],
  [" \n", "holds no key"],
  ["two words", "holds no key"],
  ["two\nlines", "holds no key"],
  ["k".repeat(2_000), "holds no key"],
  ["naïve", "holds no key"],
])("a file with %j holds no key", (text, words) => {
  using home = tempHome();
  const at = place(home.path);
  writeFileSync(fileIn(home.path), text, { mode: 0o600 });
  const found = findKey(at);
  expect(found.ok ? "" : found.error).toEndWith(words);
});

test("a link or a folder in the place of the file is refused", () => {
  using home = tempHome();
  const at = place(home.path);
  writeFileSync(join(home.path, "elsewhere"), "k", { mode: 0o600 });
  symlinkSync(join(home.path, "elsewhere"), fileIn(home.path));
  expect(findKey(at)).toMatchObject({ ok: false });
});

test("a variable that cannot be a header is refused", () => {
  using home = tempHome();
  expect(findKey(place(home.path, { THE_KEY: "a\nb: c" }))).toEqual({
    ok: false,
    error: "$THE_KEY holds no key",
  });
});

test("what to do about a missing key names the file, and the variable only when there is one", () => {
  const at = { home: "/home/me/.continuity", env: {}, provider: "gemini", variable: "THE_KEY" };
  expect(missingKey(at)).toBe(
    "no key: put it into /home/me/.continuity/keys/gemini, mode 0600 (hooks do not pass on $THE_KEY)",
  );
  expect(missingKey({ ...at, variable: "" })).toBe(
    "no key: put it into /home/me/.continuity/keys/gemini, mode 0600",
  );
});

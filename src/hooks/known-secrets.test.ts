import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { testHome } from "../../test/support/hooks.ts";
import { addKnownSecrets, inheritKnownSecrets, knownSecretsOf } from "./known-secrets.ts";

test("a session that goes on keeps its own secrets, however many others had", () => {
  using home = testHome();
  const { paths } = home;
  addKnownSecrets(paths, "own", ["Plum.Harbor.7"]);
  const many = Array.from({ length: 500 }, (_, n) => `Other.Quay.${n + 1_000}`);
  addKnownSecrets(paths, "other", many);
  inheritKnownSecrets(paths, "own", Date.now());
  const known = knownSecretsOf(paths, "own");
  expect(known?.has("plum.harbor.7")).toBe(true);
  expect(known?.has("other.quay.1499")).toBe(true);
});

test("a file of secrets is replaced whole, and leaves nothing beside it", () => {
  using home = testHome();
  for (let n = 0; n < 3; n += 1) addKnownSecrets(home.paths, "s-1", [`Plum.Harbor.${n}`]);
  expect(readdirSync(`${home.paths.spool}/private`).filter((name) => name !== "salt")).toHaveLength(
    1,
  );
});

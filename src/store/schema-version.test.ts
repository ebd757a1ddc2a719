import { expect, test } from "bun:test";
import { migrations } from "./migrate.ts";
import { schemaVersion } from "./schema-version.ts";

test("the schema's version is the number of its migrations", () => {
  expect(schemaVersion).toBe(migrations.length);
});

import { expect, test } from "bun:test";
import { migrations, newestOf } from "./migrate.ts";
import { schemaVersion } from "./schema-version.ts";

test("the schema's version is that of the last migration", () => {
  expect(schemaVersion).toBe(newestOf(migrations));
});

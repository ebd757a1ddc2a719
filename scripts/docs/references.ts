/** The generated references: file below docs/reference/ and the text that the product says should stand in it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cliReference } from "./cli-reference.ts";
import { configReference } from "./config-reference.ts";
import { httpReference } from "./http-reference.ts";
import { schemaReference } from "./schema.ts";

const root = join(import.meta.dir, "..", "..");
const migrationsFolder = join(root, "src", "store", "migrations");

/** File name to markdown; the same sources always give the same bytes. */
export async function references(): Promise<ReadonlyMap<string, string>> {
  const migrations = readdirSync(migrationsFolder)
    .toSorted()
    .map((name) => readFileSync(join(migrationsFolder, name), "utf8"));
  return new Map(
    [
      ["cli.md", cliReference()] as const,
      ["http.md", httpReference()] as const,
      ["config.md", configReference()] as const,
      ["schema.md", schemaReference(migrations)] as const,
    ].map(([name, text]) => [name, `${text.trimEnd()}\n`]),
  );
}

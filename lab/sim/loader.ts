/**
 * Puts the simulated disk under the product, and a planted bug into it, while its modules are loaded: the files
 * themselves stay as they are, and nothing in the product knows of it.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Mutant } from "./mutants.ts";

const root = join(import.meta.dir, "../..");
const diskModule = join(import.meta.dir, "disk.ts");

interface Change {
  readonly file: string;
  readonly find: string;
  readonly put: string;
}

const underTheDisk: readonly Change[] = [
  { file: "src/hooks/spool.ts", find: '"node:fs"', put: JSON.stringify(diskModule) },
  {
    file: "src/store/sql.ts",
    find: "  const statements = createStatementCache(db);",
    put: "  db = faulty(db);\n  const statements = createStatementCache(db);",
  },
  {
    file: "src/store/sql.ts",
    find: 'import { assert, type Json, recordOf, type ZoneOffsets } from "#kit";',
    put: `import { assert, type Json, recordOf, type ZoneOffsets } from "#kit";\nimport { faulty } from ${JSON.stringify(diskModule)};`,
  },
];

/** The simulated disk, and a planted bug. To be called before anything of the product is loaded. */
export const load = (mutant: Mutant | null): void =>
  change([...underTheDisk, ...(mutant === null ? [] : [mutant])]);

/** A planted bug alone: for a test that runs on the real disk. */
export const plant = (mutant: Mutant): void => change([mutant]);

function change(changes: readonly Change[]): void {
  const sources = new Map<string, string>();
  for (const { file, find, put } of changes) {
    const path = join(root, file);
    const source = sources.get(path) ?? readFileSync(path, "utf8");
    if (source.split(find).length !== 2)
      throw new Error(`${file} has not exactly one place that reads: ${find}`);
    sources.set(
      path,
      source.replace(find, () => put),
    );
  }
  Bun.plugin({
    name: "simulated disk",
    setup: (build) => {
      const filter = new RegExp(`(?:${changes.map(({ file }) => RegExp.escape(file)).join("|")})$`);
      build.onLoad({ filter }, ({ path }) => ({
        contents: sources.get(path) ?? readFileSync(path, "utf8"),
        loader: "ts",
      }));
    },
  });
}

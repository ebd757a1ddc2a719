/**
 * Writes the tables and charts of docs/performance.md from a run of bench/performance.ts.
 *
 *   bun bench/performance-page.ts [--json bench/results/performance.json]
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { page, performanceFiles } from "../scripts/docs/performance.ts";
import { readRun, runFile } from "./performance/figures.ts";
import { option } from "./report/table.ts";

const root = join(import.meta.dir, "..");
const run = readRun(resolve(option("json", runFile)));
for (const [path, text] of performanceFiles(run, readFileSync(join(root, page), "utf8"))) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

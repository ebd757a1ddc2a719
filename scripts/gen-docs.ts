/**
 * Writes what the documents take from the product: docs/reference/, and the output of the examples in README.md and
 * docs/guide/ where it has changed.
 *
 *   bun scripts/gen-docs.ts            writes
 *   bun scripts/gen-docs.ts --check    only says what differs; status 1 when something does
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { examplesIn, isRefreshable, runExamples, withOutputs } from "./docs/console.ts";
import { documentsWithExamples } from "./docs/documents.ts";
import { references } from "./docs/references.ts";

const root = join(import.meta.dir, "..");
const isCheck = process.argv.includes("--check");
let changed = 0;
let byHand = 0;

function put(path: string, text: string): void {
  const full = join(root, path);
  const before = existsSync(full) ? readFileSync(full, "utf8") : null;
  if (before === text) return;
  changed += 1;
  console.log(`${isCheck ? "differs" : "written"}: ${path}`);
  if (isCheck) return;
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
}

for (const [name, text] of await references()) put(`docs/reference/${name}`, text);
for (const path of documentsWithExamples(root)) {
  const text = readFileSync(join(root, path), "utf8");
  const ran = await runExamples(examplesIn(text));
  for (const { line, command, status } of ran.filter((one) => !one.fits && !isRefreshable(one))) {
    byHand += 1;
    const why = status === 0 ? "the shortened output no longer fits" : `status ${status}`;
    console.log(`${path}:${line}: ${why}, correct it by hand: ${command}`);
  }
  put(path, withOutputs(text, ran));
}
if (isCheck && changed > 0) console.log("run `npm run docs`");
process.exit(byHand > 0 || (isCheck && changed > 0) ? 1 : 0);

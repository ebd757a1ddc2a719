/**
 * Opens stores for tests, a new one as a copy of an empty database: making its tables is most of what a small test does.
 * What opening a new file itself promises is tested in src/store.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { assert, stoppedClock, systemRandom } from "#kit";
import { openStore } from "../../src/store/open.ts";

let empty: Buffer | null = null;

/** Opens the store at this path as `openStore` does. */
export const openNewStore: typeof openStore = (path, options) => {
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, (empty ??= emptyDatabase()), { mode: 0o600 });
  }
  return openStore(path, options);
};

/** Bytes of the file that `openStore` makes where there is none. */
function emptyDatabase(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "continuity-empty-"));
  const path = join(folder, "continuity.db");
  const clock = stoppedClock(0);
  const made = openStore(path, { mode: "readwrite", clock, random: systemRandom });
  assert(made.ok, `a store is made: ${JSON.stringify(made)}`);
  made.value[Symbol.dispose]();
  const bytes = readFileSync(path);
  rmSync(folder, { recursive: true });
  return bytes;
}

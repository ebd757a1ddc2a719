/** Takes forgotten texts out of the files beside the database: spool, fingerprints of the backups, archive. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HomePaths, Store } from "#domain";
import { saveFingerprints } from "#store";
import { forgottenMark } from "./archive.ts";
import { scrubInBackground } from "./background.ts";
import type { KeepDeps } from "./deps.ts";

/** The store has forgotten these texts already. The archive follows in the background. */
export function scrubFiles(deps: KeepDeps, store: Store, texts: readonly string[]): void {
  scrubSpool(deps.paths, texts);
  keepFingerprints(deps, store);
  scrubInBackground(deps, texts);
}

/** What is forgotten is forgotten, also where the disk has no room to note it beside the backups. */
function keepFingerprints({ log, paths }: KeepDeps, store: Store): void {
  try {
    saveFingerprints(paths.backups, store);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown";
    log.write("warn", "fingerprints.not-kept", { reason });
  }
}

function scrubSpool(paths: HomePaths, texts: readonly string[]): void {
  if (!existsSync(paths.spool)) return;
  const needles = texts.filter(Boolean).map((text) => JSON.stringify(text).slice(1, -1));
  for (const name of readdirSync(paths.spool).filter((file) => file.endsWith(".json"))) {
    const file = join(paths.spool, name);
    const before = readFileSync(file, "utf8");
    const after = needles.reduce((text, needle) => text.replaceAll(needle, forgottenMark), before);
    if (after !== before) writeFileSync(file, after, { mode: 0o600 });
  }
}

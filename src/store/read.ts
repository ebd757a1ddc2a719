/**
 * The light door of the store for one answer without a daemon: everything there is to read, opened without a look at
 * the whole file, and without the text of migrations.
 */
import type { OpenError, Store } from "#domain";
import { ok, type ClockDep, type Random, type Result } from "#kit";
import { createStore } from "./create-store.ts";
import { noteLoss } from "./lost-frames.ts";
import { openPlainly } from "./open-plainly.ts";

/** Opens the database for reading. Reading may throw what SQLite throws. Dispose it to close. */
export function openToAnswer(
  path: string,
  deps: ClockDep & { readonly random: Random },
): Result<Store, OpenError> {
  noteLoss(path, deps.clock.nowMs());
  const opened = openPlainly(path);
  return opened.ok ? ok(createStore(opened.value, deps)) : opened;
}

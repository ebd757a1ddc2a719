/** A store in a temporary folder, and drafts that default everything. For the tests of this room. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NodeDraft, RevisionCause, Store } from "#domain";
import { assert, stoppedClock, type Random } from "#kit";
import { openStore, type OpenOptions } from "../../src/store/open.ts";
import { openNewStore } from "./new-store.ts";

/** 2026-03-01T12:00:00Z. */
export const noonMs = 1_772_366_400_000;

/** Counts up: ids that differ, the same in every run. */
function countingRandom(): Random {
  let n = 0;
  return { hex: (chars) => (n += 1).toString(16).padStart(chars, "0") };
}

export interface TempFolder extends Disposable {
  readonly path: string;
  readonly database: string;
}

export function tempFolder(): TempFolder {
  const path = mkdtempSync(join(tmpdir(), "continuity-store-"));
  return {
    path,
    database: join(path, "continuity.db"),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

export const optionsFor = (over: Partial<OpenOptions> = {}): OpenOptions => ({
  clock: stoppedClock(noonMs),
  mode: "readwrite",
  random: countingRandom(),
  ...over,
});

/** Opens a store that must open. */
export function openOk(path: string, over: Partial<OpenOptions> = {}): Store {
  const opened = openStore(path, optionsFor(over));
  assert(opened.ok, `the store opens: ${JSON.stringify(opened)}`);
  return opened.value;
}

/** A fresh store that goes away with its folder. */
export function tempStore(): Store & { readonly folder: TempFolder } {
  const folder = tempFolder();
  const opened = openNewStore(folder.database, optionsFor());
  assert(opened.ok, "the store opens");
  const store = opened.value;
  return {
    ...store,
    folder,
    [Symbol.dispose]: () => {
      store[Symbol.dispose]();
      folder[Symbol.dispose]();
    },
  };
}

export const cause = (over: Partial<RevisionCause> = {}): RevisionCause => ({
  atMs: noonMs,
  action: "create",
  by: "user",
  reason: "test",
  ...over,
});

export const draft = (over: Partial<NodeDraft> = {}): NodeDraft => ({
  uri: "mem://user/entities/billing",
  category: "entities",
  project: null,
  l0: "The billing service listens on port 7070",
  origin: "user",
  maker: "manual",
  ...over,
});

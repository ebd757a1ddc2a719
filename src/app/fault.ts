/** Names what is broken, in one short line with the next step: for the client, and for `status`. */
import { type HomePaths, type LastCall, modelJobKind, type Store, type Context } from "#domain";
import { fullDisk, lostEvents } from "#keep";
import { llmPlaceOf, type StorageFault } from "#api/server";
import { msPerDay, type Result } from "#kit";
import type { Fault } from "#daemon";
import { type CliError, failureOf } from "#cli";
import { listBackups, storageFailure } from "#store";
import type { AppError } from "./context.ts";

/** Returns the fault for the client, of capture before the model; null when nothing is known to be broken. */
export const faultOf = (deps: Context, store: Store, isUsable: boolean): Fault | null =>
  captureFault(deps) ?? modelFault(deps, store, isUsable);

function captureFault({ clock, paths, settings }: Context): Fault | null {
  if (!settings.isKnown())
    return { id: "settings", line: "config.toml cannot be read; run `continuity doctor`" };
  const lost = lostEvents(paths, clock.nowMs());
  return lost === null ? null : { id: "lost", line: `${lost}; run \`continuity doctor\`` };
}

/** The fault of a model that was never reached. */
export const noModel = "no model";

export function modelFault(deps: Context, store: Store, isUsable: boolean): Fault | null {
  const { llm } = deps.settings.current();
  if (llm.provider === "none") return null;
  const last = store.ledger.last();
  const isRecent = last !== null && deps.clock.nowMs() - last.atMs < msPerDay;
  const isOfChosen = llm.provider === "auto" || last?.provider === llm.provider;
  if (isRecent && isOfChosen) {
    const { access } = llmPlaceOf(last.provider, llm, deps.paths.root);
    const line = lineOf(last, { access, isUsable });
    if (line !== null) return { id: `${last.provider} ${last.outcome}`, line };
  }
  if (!isUsable) return { id: noModel, line: "no model can be had; run `continuity doctor`" };
  return parkedFault(store);
}

/** Returns a lasting failure; null for one that may be over with the next question. */
function lineOf(
  { provider, outcome }: LastCall,
  { access, isUsable }: { readonly access: string; readonly isUsable: boolean },
): string | null {
  if (outcome === "llm.unauthorised")
    return provider.endsWith("-cli")
      ? `${provider} is not logged in; ${access}`
      : `${provider} refuses the key; ${access}`;
  if (outcome === "llm.rate-limited")
    return `${provider} has reached its rate limit; what waits is asked later, see \`continuity status --jobs\``;
  if (outcome === "llm.refused")
    return `${provider} refuses the question; check \`continuity config get llm.model\``;
  return outcome === "ok" || isUsable
    ? null
    : `${provider} fails; run \`continuity status --test-model\``;
}

const parkedMax = 100;

/** Work for a model that was given up after three failures. */
function parkedFault({ jobs }: Store): Fault | null {
  const parked = jobs.parked(parkedMax).filter(({ kind }) => kind === modelJobKind);
  if (parked.length === 0) return null;
  const sessions = new Set(parked.map(({ sessionId, id }) => sessionId ?? id)).size;
  const who = sessions === 1 ? "1 session has" : `${sessions} sessions have`;
  return {
    id: "parked",
    line: `${who} no answer of the model after three tries; run \`continuity status --jobs retry\``,
  };
}

// Says in one line for a person why a database cannot be used, and what to do about it.

/** A fault of file or disk that came up while the database was in use; null when the fault is ours. */
export function explainStorageFault(error: unknown, paths: HomePaths): StorageFault | null {
  const failure = storageFailure(paths.database, error);
  if (failure === null) return null;
  const { message, next } = explainOpenError(failure, paths);
  return { type: failure.type, message: next === undefined ? message : `${message}; ${next}` };
}

/** The value, or the failure in words for whoever typed the command. */
export function valueOf<Value>({ paths }: Context, result: Result<Value, AppError>): Value {
  if (result.ok) return result.value;
  throw failureOf(explainOpenError(result.error, paths));
}

/** One case per failure of opening; the database file is left as it was in each. */
export function explainOpenError(error: AppError, paths: HomePaths): CliError {
  const { type } = error;
  const told = (message: string, next: string): CliError => ({ type, message, next });
  switch (type) {
    case "store.missing":
      return told(
        "no database yet",
        'run `continuity install` and use Claude Code, or `continuity remember "…"`',
      );
    case "store.corrupt":
      return told(
        `the database ${error.path} is corrupt (${error.detail}) and was not modified`,
        listBackups(paths.backups).length === 0
          ? `move it away and restore a backup from ${paths.backups}`
          : "run `continuity restore`: it restores the newest valid backup",
      );
    case "store.foreign":
      return told(
        `another program changed the database ${error.path}: ${error.detail}`,
        "remove what is not continuity's, or run `continuity restore` to go back to a backup",
      );
    case "store.newer":
      return told(
        `the database ${error.path} was written by a newer version ` +
          `(schema ${error.found}, this one knows ${error.known}) and was not modified`,
        "install the newer version of continuity",
      );
    case "store.network-file-system":
      return told(
        `the database is on a network file system (${error.detail}), where SQLite is not safe`,
        "set CONTINUITY_HOME to a local folder",
      );
    case "store.outdated":
      return told(
        `the database ${error.path} is of an older version`,
        "run `continuity flush`: the daemon upgrades it",
      );
    case "store.unavailable": {
      const full = fullDisk(paths.root);
      return told(
        `the database ${error.path} cannot be used: ${error.detail}`,
        `check its permissions and the free disk space${full === null ? "" : `; ${full}`}`,
      );
    }
    case "embed.failed":
      return { type, message: `the embedded model cannot be read: ${error.detail}` };
  }
}

/** The one session that is meant: by its whole id, or by a beginning that no other has. */
import type { Session, StoreDep } from "#domain";
import { err, ok, type Result } from "#kit";
import type { ServiceError } from "./errors.ts";

/** Shorter beginnings are slips rather than names. */
const prefixCharsMin = 4;
/** Named in an error at most. */
const candidatesMax = 3;

export function sessionAt({ store }: StoreDep, given: string): Result<Session, ServiceError> {
  const exact = store.sessions.byId(given);
  if (exact !== null) return ok(exact);
  const fitting =
    given.length < prefixCharsMin ? [] : store.sessions.byIdStart(given, candidatesMax + 1);
  const [only, ...others] = fitting;
  if (only === undefined) return err({ type: "session.not-found", sessionId: given });
  if (others.length === 0) return ok(only);
  const candidates = fitting.slice(0, candidatesMax).map(({ sessionId }) => sessionId);
  return err({ type: "session.ambiguous", sessionId: given, candidates });
}

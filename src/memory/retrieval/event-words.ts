/**
 * Time told by what happened: "before the migration", "since we moved to Go". The event is looked up like anything
 * else, and its date bounds the window. Only where no calendar word stands, and only when something answers the words
 * well.
 */
import type { FindQuery, FoundDocument } from "#domain";
import type { TimeWindow } from "#language";
import { ask, type FinderDeps, lookUp } from "./lookup.ts";

const told =
  /\b(before|prior to|until|after|since|following) ((?:the|our|we|i|they|that) [^?.,;!\n]{3,80})/iu;

/** Below this share of the words the event is not the one that is meant. */
const lexicalMin = 0.5;
const lookedAt = 5;

/** Null when the question tells no time by an event, or none that is known. */
export function windowByEvent(deps: FinderDeps, query: FindQuery): TimeWindow | null {
  const [, how = "", event = ""] = told.exec(query.text.slice(0, 2_000)) ?? [];
  if (event === "") return null;
  const asked: FindQuery = { ...query, text: event, limit: lookedAt, sort: "relevance" };
  const happened = lookUp(deps, asked, ask(deps, event), null).find(tellsOfEvent);
  if (happened === undefined) return null;
  const isEarlier = /^(?:before|prior|until)/iu.test(how);
  return {
    sinceMs: isEarlier ? null : happened.atMs,
    untilMs: isEarlier ? happened.atMs : null,
    isDated: false,
  };
}

/** What was done has a date that means something; a liking has none. */
const tellsOfEvent = ({ kind, node, explanation }: FoundDocument): boolean =>
  explanation.lexical >= lexicalMin &&
  (kind !== "memory" || node?.category === "events" || node?.category === "cases");

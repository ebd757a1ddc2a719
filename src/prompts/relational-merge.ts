/** What a reply may do to the relational profile. Pure. */
import { isDrawn, sourcesOf, standingOf, type Sources, type Standing } from "./grounding.ts";
import { promptLimits as limits } from "./limits.ts";
import { profileSections, statementId, type RelationalStatement } from "./profile.ts";
import { fieldOf, lineOf, linesOf, listOf, oneOf, recordOf, textOf } from "./reply.ts";
import type { ReplyRecord } from "./reply.ts";
import type { WindowPart } from "./window.ts";

interface Grounds {
  readonly previous: readonly RelationalStatement[];
  readonly parts: readonly WindowPart[];
  readonly sessionId: string;
  readonly date: string;
}

/** New statements a session may add: a profile that grows by the dozen is a log. */
const addedMax = 4;

/** Previous statements, confirmed or changed where the reply says so with a quote; then what is new. */
export function mergedStatements(
  reply: ReplyRecord,
  grounds: Grounds,
): readonly RelationalStatement[] {
  const sources = sourcesOf(grounds.parts, [grounds.date]);
  const kept = new Set(linesOf(reply, "keeps", { itemsMax: limits.statementsMax, charsMax: 40 }));
  const changes = claimsOf(reply, "changed", sources);
  const previous = grounds.previous.map((statement) => {
    const change = changes.find(({ item }) => fieldOf(item, "id") === statement.id);
    if (change !== undefined && !statement.fixed) return changed(statement, change, grounds);
    return kept.has(statement.id) ? { ...statement, confirmed: grounds.date } : statement;
  });
  const room = Math.min(addedMax, Math.max(0, limits.statementsMax - previous.length));
  const added = claimsOf(reply, "added", sources)
    .flatMap((claim) => addedStatement(claim, grounds) ?? [])
    .filter(({ id, text }, at, all) => {
      const isKnown = previous.some((each) => each.id === id || each.text === text);
      return !isKnown && all.findIndex((each) => each.id === id) === at;
    });
  return [...previous, ...added.slice(0, room)];
}

/** A text of the reply that the user's words carry. */
interface Claim {
  readonly item: ReplyRecord;
  readonly text: string;
  readonly standing: Standing;
}

const claimsOf = (reply: ReplyRecord, name: string, sources: Sources): readonly Claim[] =>
  listOf(reply, name).flatMap((value) => {
    const item = recordOf(value);
    const text = item === null ? "" : lineOf(item, "text", limits.statementCharsMax);
    const quote = item === null ? "" : textOf(item, "quote", limits.quoteCharsMax);
    const standing = quote === "" ? null : standingOf(quote, sources, null);
    if (item === null || text === "" || standing?.origin !== "user") return [];
    return isDrawn(text, standing, sources) ? [{ item, text, standing }] : [];
  });

const changed = (
  statement: RelationalStatement,
  { text, standing }: Claim,
  { sessionId, date }: Grounds,
): RelationalStatement =>
  text === statement.text
    ? { ...statement, confirmed: date }
    : {
        ...statement,
        text,
        date,
        confirmed: date,
        sessionId,
        quote: standing.quote,
        before: [...statement.before, { text: statement.text, date: statement.date }].slice(
          -limits.statementHistoryMax,
        ),
      };

function addedStatement(
  { item, text, standing }: Claim,
  { sessionId, date }: Grounds,
): RelationalStatement | null {
  const section = oneOf(fieldOf(item, "section"), profileSections);
  if (section === null) return null;
  return {
    id: statementId(section, text),
    section,
    text,
    date,
    confirmed: date,
    sessionId,
    quote: standing.quote,
    fixed: false,
    before: [],
  };
}

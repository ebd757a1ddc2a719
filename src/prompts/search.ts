/** A question to the memory as one to three typed queries. */
import { ok } from "#kit";
import { cleanLine, cleanText, headAndTail } from "./clean.ts";
import { fenced } from "./fence.ts";
import { promptLimits as limits } from "./limits.ts";
import { templateOf, type PromptOf } from "./prompt.ts";
import { fieldOf, itemsOf, lineOf, oneOf, readItems } from "./reply.ts";
import type { ReplyRecord } from "./reply.ts";
import { choice, list, object, text } from "./schema.ts";
import file from "./templates/search.md" with { type: "text" };

export interface SearchInput {
  readonly query: string;
}

const types = ["MEMORY", "RESOURCE", "PATTERN"] as const;

export interface SubQuery {
  readonly type: (typeof types)[number];
  readonly query: string;
}

const template = templateOf(file);
/** A question of more words is a pasted text. */
const questionTokensMax = 300;

/** One to three distinct queries; the question itself when the reply has none. */
export const searchPrompt: PromptOf<SearchInput, readonly SubQuery[]> = {
  purpose: "search",
  replyTokensMax: 200,
  timeoutMs: 15_000,
  schema: object({ queries: list(object({ type: choice(types), query: text })) }),
  render: ({ query }) => ({
    system: template.system,
    prompt: template.prompt({ data: fenced(headAndTail(cleanText(query), questionTokensMax)) }),
  }),
  parse: (reply, input) => {
    const items = itemsOf(reply, "queries");
    if (!items.ok) return items;
    const read = readItems(items.value, subQuery, "each query needs type and query");
    if (!read.ok) return read;
    const distinct = read.value.filter(
      ({ query }, at, all) => all.findIndex((each) => each.query === query) === at,
    );
    const whole = { type: "MEMORY", query: cleanLine(input.query, limits.queryCharsMax) } as const;
    return ok(distinct.length === 0 ? [whole] : distinct.slice(0, limits.subQueriesMax));
  },
};

function subQuery(item: ReplyRecord): SubQuery | null {
  const type = oneOf(fieldOf(item, "type"), types);
  const query = lineOf(item, "query", limits.queryCharsMax);
  return type === null || query === "" ? null : { type, query };
}

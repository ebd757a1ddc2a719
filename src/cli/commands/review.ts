/** `review`: memories that wait for a person's word. */
import type { ConsolidationJson, ContradictedJson, Field, ReviewJson, ReviewPageJson } from "#api";
import { counted } from "#kit";
import type { Client, Context } from "../context.ts";
import { misuse } from "../failure.ts";
import { type CommandSpec, hasFlag, type Input } from "../spec.ts";
import { ageOf, linesOf, safeLine } from "../text.ts";
import { shortIdOf, idOfShort } from "#domain";
import { one } from "./filters.ts";

const actions = ["list", "accept", "reject"] as const;
const pageSize = 100;

export const reviewCommand: CommandSpec = {
  name: "review",
  group: "main",
  summary: "Accept or reject pending memories",
  details:
    "`list` also shows memories that a newer order may have replaced. Until you decide, the two are shown together.",
  arguments: [
    { name: "[action]", summary: "list (default), accept or reject", choices: actions },
    { name: "[id...]", summary: "which ones, by the ids that list shows: #4k or 4k" },
  ],
  options: [{ flags: "--all", summary: "all pending memories" }],
  examples: [
    "continuity review",
    "continuity review accept 4k 4m",
    "continuity review reject --all",
  ],
  json: {
    shape: "one document a line",
    fields: (of) => {
      const memory = of("MemoryJson");
      const isOwn = (field: Field): boolean =>
        !memory.some(({ name, meaning }) => name === field.name && meaning === field.meaning);
      return [
        ...of("ReviewJson").filter(isOwn),
        ...of("ContradictedJson").filter(({ name }) => name === "contradicted"),
        ...of("ReviewedJson").filter(({ name }) => name === "action"),
        ...memory,
      ];
    },
  },
  needsPerson: ({ args: [action] }) => action === "accept",
  run: async (context, input) => {
    const [action = "list", ...ids] = input.args;
    return action === "list"
      ? list(context)
      : decide(context, input, { action: action === "accept" ? "accept" : "reject", ids });
  },
};

interface Inbox {
  readonly items: readonly ReviewJson[];
  readonly contradicted: readonly ContradictedJson[];
}

/** Returns everything that waits, the oldest first, and the pairs of orders to decide. */
async function inbox(context: Context): Promise<Inbox> {
  const api = await context.api("read");
  const found: ReviewJson[] = [];
  const contradicted: ContradictedJson[] = [];
  let cursor: string | null = null;
  do {
    const query = { limit: `${pageSize}`, ...one("cursor", cursor) };
    const page: ReviewPageJson = await (await api.review.$get({ query })).json();
    found.push(...page.items);
    contradicted.push(...page.contradicted);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return { items: found, contradicted };
}

async function list(context: Context): Promise<number | void> {
  const { items, contradicted } = await inbox(context);
  if (context.isJson) return [...items, ...contradicted].forEach(context.printJson);
  context.showAll(items, "No pending memories.\n", () =>
    items.map((item) => rendered(context, item)).join(""),
  );
  if (contradicted.length > 0) context.print(conflicts(context, contradicted));
  context.print((await guardsOffered(context)).join(""));
}

const conflicts = ({ style }: Context, items: readonly ContradictedJson[]): string =>
  linesOf([
    `\n${style.bold("Perhaps replaced by a newer order")}`,
    ...items.flatMap(({ l0, contradicted: { id, uri, text } }) => [
      `${style.bold(shortIdOf(id))}  ${safeLine(l0)}`,
      `    newer: ${safeLine(text)}`,
      style.dim(`    ${safeLine(uri)}`),
    ]),
    style.dim("`continuity review accept ID` ends the older one; `reject ID` keeps both."),
  ]);

/** Guards wait for a person's word too, under numbers of their own. */
async function guardsOffered(context: Context): Promise<readonly string[]> {
  const { items } = await context.ask("read", (api) => api.guards.$get());
  return items
    .filter(({ state }) => state === "offered")
    .map(
      ({ id, words }) =>
        `Guard offered: ${safeLine(words)} (\`continuity guards approve ${id}\`)\n`,
    );
}

const rendered = ({ style, nowMs }: Context, item: ReviewJson): string =>
  linesOf([
    `${style.bold(shortIdOf(item.id))}  ${safeLine(item.l0)}`,
    style.dim(
      `    ${safeLine(`${item.uri}  ${item.author ?? item.origin}, ${ageOf(item.created_at, nowMs)}: ${item.reason}`)}`,
    ),
    ...item.evidence.slice(0, 1).map(({ quote }) => `    "${safeLine(quote)}"`),
    ...item.similar.map(({ uri, l0 }) => style.dim(`    like ${safeLine(uri)}: ${safeLine(l0)}`)),
  ]);

async function decide(
  context: Context,
  input: Input,
  asked: { readonly action: "accept" | "reject"; readonly ids: readonly string[] },
): Promise<number | void> {
  const isAll = hasFlag(input, "all");
  if (asked.ids.length === 0 && !isAll)
    throw misuse("specify which memories", "their ids from `continuity review`, or --all");
  const open = await inbox(context);
  const ids = isAll
    ? open.items.map(({ id }) => `${id}`)
    : asked.ids.map((given) => idOf(open, given));
  const api = await context.api("write");
  for (const id of ids) {
    const answer = await api.review[":id"].$post({ param: { id }, json: { action: asked.action } });
    const { action, memory } = await answer.json();
    context.show(
      { action, ...memory },
      () => `${outcomeOf(action, memory.status)}: ${safeLine(memory.l0)}\n`,
    );
  }
  if (isAll && !context.isJson) context.print(`${ids.length} decided.\n`);
}

/** The pair of an older and a newer order is decided, not stored: one has ended, or both hold. */
function outcomeOf(action: "accepted" | "rejected", status: string): string {
  if (action === "accepted") return status === "superseded" ? "Ended" : "Accepted";
  return status === "active" ? "Both hold" : "Rejected";
}

/** The number behind an id as it is shown here, or behind the number that `--json` gives. */
function idOf({ items, contradicted }: Inbox, given: string): string {
  const open = [...items.map(({ id }) => id), ...contradicted.map((one) => one.contradicted.id)];
  const short = idOfShort(given);
  const meant = open.filter((id) => id === short || `${id}` === given);
  const [id, other] = [...new Set(meant)];
  if (id === undefined)
    throw misuse(
      `"${safeLine(given)}" is not the id of a pending memory`,
      "`continuity review` shows them",
    );
  if (other !== undefined)
    throw misuse(
      `${safeLine(given)} may be ${shortIdOf(id)} or ${shortIdOf(other)}`,
      "put # before it",
    );
  return `${id}`;
}

// `consolidate`: make one of memories that say the same.

type ConsolidationItem = ConsolidationJson["items"][number];

export const consolidateCommand: CommandSpec = {
  name: "consolidate",
  group: "more",
  summary: "Merge duplicate memories (dry run unless --apply)",
  details:
    "Runs automatically once a day and after a hundred new memories. " +
    "Every change is in the history and can be reverted.",
  options: [{ flags: "--apply", summary: "apply the changes" }],
  examples: ["continuity consolidate", "continuity consolidate --apply"],
  json: {
    shape: "one document",
    fields: (of) => [
      ...of({ applied: "true = applied; false = dry run" }),
      ...of("ConsolidationJson"),
    ],
  },
  run,
};

async function run(context: Context, input: Input): Promise<number | void> {
  const apply = hasFlag(input, "apply");
  const { items, looked } = await consolidated(await context.api("write"), apply);
  context.show({ applied: apply, looked, items }, () =>
    renderConsolidation(context, items, { apply, looked }),
  );
}

/** Looks at everything, slice after slice. */
async function consolidated(
  api: Client,
  apply: boolean,
): Promise<{ readonly items: readonly ConsolidationItem[]; readonly looked: number }> {
  const items: ConsolidationItem[] = [];
  let looked = 0;
  for (let after: number | null = 0; after !== null;) {
    const slice: ConsolidationJson = await (
      await api.consolidate.$post({ json: { apply, after } })
    ).json();
    // A later slice of a dry run meets the pairs of the slices before from their other side.
    items.push(...slice.items.filter((item) => !items.some((known) => isSamePair(known, item))));
    looked += slice.looked;
    after = slice.next;
  }
  return { items, looked };
}

const urisOf = ({ uri, parts }: ConsolidationItem): string =>
  [uri, ...parts.map((part) => part.uri)].toSorted().join(" ");
const isSamePair = (a: ConsolidationItem, b: ConsolidationItem): boolean => urisOf(a) === urisOf(b);

function renderConsolidation(
  { style }: Context,
  items: readonly ConsolidationItem[],
  { apply, looked }: { readonly apply: boolean; readonly looked: number },
): string {
  const lines = items.flatMap((item) => [
    `merge  ${safeLine(item.l0)}`,
    style.dim(`     ${safeLine(item.uri)}`),
    ...item.parts.map(({ uri }) => style.dim(`     ← ${safeLine(uri)}`)),
  ]);
  const count = counted(items.length, "change");
  if (items.length === 0)
    lines.push(`No duplicates found in ${counted(looked, "memory", "memories")}.`);
  else if (apply) lines.push(`Applied ${count}. Run \`continuity history URI\` to see each.`);
  else lines.push(`Would make ${count}. Run \`continuity consolidate --apply\` to apply.`);
  return linesOf(lines);
}

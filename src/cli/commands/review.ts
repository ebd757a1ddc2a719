/** `review`: memories that wait for a person's word. */
import type { Field } from "#api";
import type { InferResponseType } from "hono/client";
import type { Client, Context } from "../context.ts";
import { misuse } from "../failure.ts";
import type { CommandSpec, Input } from "../spec.ts";
import { hasFlag } from "../spec.ts";
import { ageOf, safeLine } from "../text.ts";

type Contradicted = InferResponseType<Client["review"]["$get"], 200>["contradicted"][number];
type Waiting = InferResponseType<Client["review"]["$get"], 200>["items"][number];

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
    { name: "[id...]", summary: "which ones, by the numbers that list shows" },
  ],
  options: [{ flags: "--all", summary: "all pending memories" }],
  examples: [
    "continuity review",
    "continuity review accept 17 18",
    "continuity review reject --all",
  ],
  json: {
    shape: "one document a line",
    fields: ({ answerForms, fieldsOf, memoryForm }) => {
      const memory = fieldsOf(memoryForm);
      const isOwn = (field: Field): boolean =>
        !memory.some(({ name, meaning }) => name === field.name && meaning === field.meaning);
      return [
        ...fieldsOf(answerForms.ReviewJson).filter(isOwn),
        ...fieldsOf(answerForms.ContradictedJson).filter(({ name }) => name === "contradicted"),
        ...fieldsOf(answerForms.ReviewedJson).filter(({ name }) => name === "action"),
        ...memory,
      ];
    },
  },
  needsPerson: ({ args: [action] }) => action === "accept",
  run: async (context, input) => {
    const [action = "list", ...ids] = input.args;
    return action === "list"
      ? list(context, input)
      : decide(context, input, { action: action === "accept" ? "accept" : "reject", ids });
  },
};

interface Inbox {
  readonly items: readonly Waiting[];
  readonly contradicted: readonly Contradicted[];
}

/** Returns everything that waits, the oldest first, and the pairs of orders to decide. */
async function inbox(context: Context): Promise<Inbox> {
  const api = await context.api("read");
  const found: Waiting[] = [];
  const contradicted: Contradicted[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const query: { limit: string; cursor?: string } = {
      limit: `${pageSize}`,
      ...(cursor === "" ? {} : { cursor }),
    };
    const page = await (await api.review.$get({ query })).json();
    found.push(...page.items);
    contradicted.push(...page.contradicted);
    cursor = page.next_cursor;
  }
  return { items: found, contradicted };
}

async function list(context: Context, input: Input): Promise<number> {
  const { items, contradicted } = await inbox(context);
  if (hasFlag(input, "json"))
    for (const item of [...items, ...contradicted]) context.printJson(item);
  else {
    if (items.length === 0) context.print("No pending memories.\n");
    for (const item of items) context.print(rendered(context, item));
    if (contradicted.length > 0) context.print(conflicts(context, contradicted));
    for (const line of await guardsOffered(context)) context.print(line);
  }
  return 0;
}

const conflicts = ({ style }: Context, items: readonly Contradicted[]): string =>
  [
    `\n${style.bold("Perhaps replaced by a newer order")}`,
    ...items.flatMap(({ l0, contradicted: { id, uri, text } }) => [
      `${style.bold(`${id}`)}  ${safeLine(l0)}`,
      `    newer: ${safeLine(text)}`,
      style.dim(`    ${safeLine(uri)}`),
    ]),
    style.dim("`continuity review accept ID` ends the older one; `reject ID` keeps both."),
  ]
    .map((line) => `${line}\n`)
    .join("");

/** Guards wait for a person's word too, under numbers of their own. */
async function guardsOffered(context: Context): Promise<readonly string[]> {
  const { items } = await (await (await context.api("read")).guards.$get()).json();
  return items
    .filter(({ state }) => state === "offered")
    .map(
      ({ id, words }) =>
        `Guard offered: ${safeLine(words)} (\`continuity guards approve ${id}\`)\n`,
    );
}

const rendered = ({ style, nowMs }: Context, item: Waiting): string =>
  [
    `${style.bold(`${item.id}`)}  ${safeLine(item.l0)}`,
    style.dim(
      `    ${safeLine(`${item.uri}  ${item.author ?? item.origin}, ${ageOf(item.created_at, nowMs)}: ${item.reason}`)}`,
    ),
    ...item.evidence.slice(0, 1).map(({ quote }) => `    "${safeLine(quote)}"`),
    ...item.similar.map(({ uri, l0 }) => style.dim(`    like ${safeLine(uri)}: ${safeLine(l0)}`)),
  ]
    .map((line) => `${line}\n`)
    .join("");

async function decide(
  context: Context,
  input: Input,
  asked: { readonly action: "accept" | "reject"; readonly ids: readonly string[] },
): Promise<number> {
  const wrong = asked.ids.find((id) => !/^[1-9]\d{0,14}$/.test(id));
  if (wrong !== undefined)
    throw misuse(`"${safeLine(wrong)}" is not the number of a pending memory`);
  const isAll = hasFlag(input, "all");
  if (asked.ids.length === 0 && !isAll)
    throw misuse("specify which memories", "their numbers from `continuity review`, or --all");
  const ids = isAll ? (await inbox(context)).items.map(({ id }) => `${id}`) : asked.ids;
  const api = await context.api("write");
  for (const id of ids) {
    const answer = await api.review[":id"].$post({ param: { id }, json: { action: asked.action } });
    const { action, memory } = await answer.json();
    if (hasFlag(input, "json")) context.printJson({ action, ...memory });
    else
      context.print(`${action === "accepted" ? "Accepted" : "Rejected"}: ${safeLine(memory.l0)}\n`);
  }
  if (isAll && !hasFlag(input, "json"))
    context.print(`${ids.length} decided.
`);
  return 0;
}

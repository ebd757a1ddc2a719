/** `consolidate`: make one of memories that say the same. */
import type { InferResponseType } from "hono/client";
import type { Client, Context } from "../context.ts";
import type { CommandSpec, Input } from "../spec.ts";
import { hasFlag } from "../spec.ts";
import { safeLine } from "../text.ts";
import { fields } from "./fields.ts";

type Slice = InferResponseType<Client["consolidate"]["$post"], 200>;
type ConsolidationItem = Slice["items"][number];

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
    fields: ({ answerForms, fieldsOf }) => [
      ...fields({ applied: "true = applied; false = dry run" }),
      ...fieldsOf(answerForms.ConsolidationJson),
    ],
  },
  run,
};

async function run(context: Context, input: Input): Promise<number> {
  const apply = hasFlag(input, "apply");
  const { items, looked } = await consolidated(await context.api("write"), apply);
  if (hasFlag(input, "json")) context.printJson({ applied: apply, looked, items });
  else context.print(rendered(context, items, { apply, looked }));
  return 0;
}

/** Looks at everything, slice after slice. */
async function consolidated(
  api: Client,
  apply: boolean,
): Promise<{ readonly items: readonly ConsolidationItem[]; readonly looked: number }> {
  const items: ConsolidationItem[] = [];
  let looked = 0;
  for (let after: number | null = 0; after !== null;) {
    const slice: Slice = await (await api.consolidate.$post({ json: { apply, after } })).json();
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

function rendered(
  { style }: Context,
  items: readonly ConsolidationItem[],
  { apply, looked }: { readonly apply: boolean; readonly looked: number },
): string {
  const lines = items.flatMap((item) => [
    `merge  ${safeLine(item.l0)}`,
    style.dim(`     ${safeLine(item.uri)}`),
    ...item.parts.map(({ uri }) => style.dim(`     ← ${safeLine(uri)}`)),
  ]);
  const count = `${items.length} ${items.length === 1 ? "change" : "changes"}`;
  if (items.length === 0)
    lines.push(`No duplicates found in ${looked} ${looked === 1 ? "memory" : "memories"}.`);
  else if (apply) lines.push(`Applied ${count}. Run \`continuity history URI\` to see each.`);
  else lines.push(`Would make ${count}. Run \`continuity consolidate --apply\` to apply.`);
  return `${lines.join("\n")}\n`;
}

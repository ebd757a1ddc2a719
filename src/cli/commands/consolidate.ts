/** `consolidate`: make one of memories that say the same. */
import type { InferResponseType } from "hono/client";
import type { Client, Context } from "../context.ts";
import type { CommandSpec, Input } from "../spec.ts";
import { hasFlag } from "../spec.ts";
import { safeLine } from "../text.ts";
import { fields } from "./fields.ts";

type Slice = InferResponseType<Client["consolidate"]["$post"], 200>;
type Item = Slice["items"][number];

export const consolidateCommand: CommandSpec = {
  name: "consolidate",
  group: "upkeep",
  summary: "Make one of memories that say the same (shows what it would do, unless told to)",
  details:
    "Happens by itself once a day and after a hundred new memories. Moments that keep coming back become a memory. " +
    "Every change is in the history and can be taken back.",
  options: [{ flags: "--apply", summary: "do it, instead of only showing it" }],
  examples: ["continuity consolidate", "continuity consolidate --apply"],
  json: {
    shape: "one document",
    fields: fields({
      applied: "was it done, or only shown?",
      looked: "how many memories and moments were looked at",
      "items[]":
        "type (merge, recurring), uri (what stays or was made, or null), l0, parts[] (uri, l0: what is put away, or told of)",
    }),
  },
  run,
};

async function run(context: Context, input: Input): Promise<number> {
  const apply = hasFlag(input, "apply");
  const api = await context.api("write");
  const items: Item[] = [];
  let looked = 0;
  for (let after: number | null = 0; after !== null;) {
    const slice: Slice = await (await api.consolidate.$post({ json: { apply, after } })).json();
    items.push(...slice.items);
    looked += slice.looked;
    after = slice.next;
  }
  if (hasFlag(input, "json")) context.printJson({ applied: apply, looked, items });
  else context.print(rendered(context, items, { apply, looked }));
  return 0;
}

function rendered(
  { style }: Context,
  items: readonly Item[],
  { apply, looked }: { readonly apply: boolean; readonly looked: number },
): string {
  const lines = items.flatMap((item) => [
    `${item.type === "merge" ? "one" : "new"}  ${safeLine(item.l0)}`,
    style.dim(`     ${safeLine(item.uri ?? "(a memory of what comes back)")}`),
    ...item.parts.map(({ uri }) =>
      style.dim(`     ${item.type === "merge" ? "←" : "·"} ${safeLine(uri)}`),
    ),
  ]);
  const count = `${items.length} ${items.length === 1 ? "change" : "changes"}`;
  if (items.length === 0) lines.push(`Nothing to make one of, among ${looked}.`);
  else if (apply) lines.push(`Done: ${count}. \`continuity history URI\` shows each.`);
  else lines.push(`Would make ${count}; \`continuity consolidate --apply\` does.`);
  return `${lines.join("\n")}\n`;
}

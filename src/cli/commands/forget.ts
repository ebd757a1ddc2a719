/** `forget`: gone for good, after a question. */
import type { Context } from "../context.ts";
import { CliFailure, misuse } from "../failure.ts";
import type { CommandSpec, Input } from "../spec.ts";
import { hasFlag } from "../spec.ts";
import { safeLine } from "../text.ts";
import { fields } from "./fields.ts";
import { queryCharsMax } from "./find.ts";

export const forgetCommand: CommandSpec = {
  name: "forget",
  group: "daily",
  summary: "Forget memories for good, with every trace of their text",
  details:
    "Takes URIs, or words to look for: then the matches are listed and you choose. This cannot be undone. On a " +
    "terminal you are asked first; elsewhere --yes is needed, and URIs.",
  arguments: [{ name: "<what...>", summary: "URIs (mem://…), or words to look for" }],
  options: [{ flags: "-y, --yes", summary: "do not ask" }],
  examples: [
    "continuity forget mem://user/entities/old-port",
    "continuity forget --yes mem://user/entities/old-port mem://user/entities/older-port",
    "continuity forget old staging password hint",
  ],
  json: {
    shape: "one document",
    fields: fields({
      "forgotten[]": "URIs that are gone",
      purged: "false = another program was reading, so the file holds traces until the next forget",
    }),
  },
  run,
};

const notPurged =
  "The memory is gone, but another program was reading the database file, whose free pages may still hold the text; " +
  "the next forget cleans them.\n";

/** Matches offered to choose from. */
const matchesMax = 10;

async function run(context: Context, input: Input): Promise<number> {
  const isByUri = input.args.every((arg) => arg.startsWith("mem://"));
  if (!isByUri && input.args.some((arg) => arg.startsWith("mem://")))
    throw misuse("give either URIs or words to look for, not both");
  const uris = isByUri ? input.args : await chosen(context, input);
  if (uris.length === 0) return nothingForgotten(context);
  if (!hasFlag(input, "yes") && isByUri && !(await isConfirmed(context, uris)))
    return nothingForgotten(context);
  const api = await context.api("write");
  const gone = await (await api.nodes.$delete({ query: { uri: [...uris] } })).json();
  if (hasFlag(input, "json")) context.printJson(gone);
  else for (const uri of gone.forgotten) context.print(`Forgotten: ${safeLine(uri)}\n`);
  if (!gone.purged) context.deps.io.err(notPurged);
  return 0;
}

function nothingForgotten(context: Context): number {
  context.deps.io.err("Nothing was forgotten.\n");
  return 1;
}

async function isConfirmed({ deps }: Context, uris: readonly string[]): Promise<boolean> {
  if (deps.io.ask === null)
    throw misuse("forgetting cannot be undone, and there is no terminal to ask", "add --yes");
  const what = uris.length === 1 ? safeLine(uris[0] ?? "") : `${uris.length} memories`;
  const answer = await deps.io.ask(`Forget ${what} for good? [y/N] `);
  return /^y(es)?$/i.test(answer?.trim() ?? "");
}

/** Lists what matches and lets the person choose; words alone never decide what is destroyed. */
async function chosen(context: Context, input: Input): Promise<readonly string[]> {
  const { ask } = context.deps.io;
  const api = await context.api("read");
  const q = input.args.join(" ").slice(0, queryCharsMax).toWellFormed();
  const query = { q, kind: ["memory", "moment", "exchange"], limit: `${matchesMax}` };
  const { results } = await (await api.search.$get({ query })).json();
  if (results.length === 0) throw new CliFailure(`nothing matches "${safeLine(q)}"`);
  for (const [at, { uri, l0 }] of results.entries())
    context.deps.io.err(`${at + 1}. ${safeLine(l0)}\n   ${context.style.dim(safeLine(uri))}\n`);
  if (ask === null || hasFlag(input, "yes"))
    throw misuse("words may match more than you mean", "name the URIs to forget");
  const answer = await ask("Forget which for good? (numbers, or nothing) ");
  const numbers = new Set((answer?.match(/\d+/g) ?? []).map(Number));
  return results.filter((_, at) => numbers.has(at + 1)).map(({ uri }) => uri);
}

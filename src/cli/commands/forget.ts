/** `forget`: gone for good, after a question; then what still says it: other wordings, and backups. */
import { counted } from "#kit";
import { type ForgottenJson, isRecordUri, recordAt } from "#api";
import { leafKinds, shortIdOf } from "#domain";
import type { Context } from "../context.ts";
import { CliFailure, misuse } from "../failure.ts";
import { type CommandSpec, hasFlag, type Input } from "../spec.ts";
import { isYes, safeLine } from "../text.ts";
import { queryCharsMax } from "./find.ts";

type Similar = ForgottenJson["similar"][number];

export const forgetCommand: CommandSpec = {
  name: "forget",
  group: "main",
  summary: "Permanently delete memories and every copy of their text",
  details:
    "Takes URIs and short ids such as '#4k', or words to look for: then the matches are listed and you choose. This " +
    "cannot be undone. On a terminal you are asked first; elsewhere --yes is needed, and URIs or ids. Lists near " +
    "repeats and backups that still contain it, and offers to clean them; --similar and --backups do so unasked.",
  arguments: [
    { name: "[what...]", summary: "URIs (mem://…), short ids ('#4k'), or words to look for" },
  ],
  options: [
    { flags: "-y, --yes", summary: "do not ask" },
    { flags: "--last", summary: "the memory that was made last" },
    { flags: "--similar", summary: "also near repeats in other words" },
    {
      flags: "--backups",
      summary: "also clean the backups that contain it; alone: clean them of everything forgotten",
    },
  ],
  examples: [
    "continuity forget mem://user/entities/old-port",
    "continuity forget --yes '#4k' '#4m'",
    "continuity forget --last --backups",
    "continuity forget old staging password hint",
  ],
  json: {
    shape: "one document",
    fields: (of) => [
      ...of("ForgottenJson"),
      ...of({
        "backups[]": "path and state of backups that still hold it; unreadable = a damaged file",
        "cleaned[]": "paths of backups that were cleaned",
      }),
    ],
  },
  needsPerson: () => true,
  run,
};

const notPurged =
  "The memory is deleted, but another process was reading the database, so its file may still contain the text; " +
  "the next forget cleans them.\n";

/** Matches offered to choose from. */
const matchesMax = 10;

interface Target {
  readonly uri: string;
  /** As a person reads it. */
  readonly line: string;
  /** The texts to search a backup for. */
  readonly texts: readonly string[];
  /** Rare words that no record may hold any more. */
  readonly words: readonly string[];
}

const wordPlace = "mem://words/";

async function run(context: Context, input: Input): Promise<number | void> {
  const isLast = hasFlag(input, "last");
  if (input.args.length === 0 && !isLast) {
    if (hasFlag(input, "backups")) return cleanAll(context);
    throw misuse("specify what to forget", "see `continuity help forget`");
  }
  if (isLast && input.args.length > 0) throw misuse("give either --last or what to forget");
  const named = isLast ? [await lastUri(context)] : addresses(input.args);
  const targets = named === null ? await chosen(context, input) : await targetsOf(context, named);
  if (targets.length === 0) return nothingForgotten(context);
  if (named !== null && !hasFlag(input, "yes") && !(await isConfirmed(context, targets)))
    return nothingForgotten(context);
  const done = await withSimilar(context, input, targets);
  const cleaning = cleanBackups(context, input, done);
  report(context, input, done.gone, await cleaning);
}

const isAddress = (arg: string): boolean => /^(?:mem:\/\/.*|#[0-9a-z]+|\d+)$/i.test(arg);

/** Null when these are words to look for. A number is a short id where no sign says so. */
function addresses(args: readonly string[]): readonly string[] | null {
  if (args.every(isAddress)) return args.map((arg) => (/^\d/.test(arg) ? `#${arg}` : arg));
  if (args.some((arg) => /^(?:mem:\/\/|#)/.test(arg)))
    throw misuse("give either URIs and ids or words to look for, not both");
  return null;
}

async function lastUri(context: Context): Promise<string> {
  const query = { sort: "created", limit: "1" } as const;
  const [last] = (await context.ask("read", (api) => api.memories.$get({ query }))).items;
  if (last === undefined) throw new CliFailure("there are no memories");
  return last.uri;
}

async function targetsOf(context: Context, uris: readonly string[]): Promise<readonly Target[]> {
  const api = await context.api("read");
  const targets: Target[] = [];
  for (const uri of uris) {
    if (uri.startsWith(wordPlace)) {
      const word = uri.slice(wordPlace.length);
      targets.push({ uri, line: `every record with "${word}"`, texts: [], words: [word] });
      continue;
    }
    const record = isRecordUri(uri) ? await recordAt(api, uri) : null;
    if (record !== null) {
      targets.push({ uri: record.uri, line: record.l0, texts: [record.l0], words: [] });
      continue;
    }
    const node = await (await api.nodes.$get({ query: { uri, use: "0" } })).json();
    const quotes = node.evidence.map(({ quote }) => quote);
    const texts = [node.l0, node.l1 ?? "", node.l2 ?? "", ...quotes].filter((text) => text !== "");
    // A beginning of a URI is handed on as it is, and refused: what is destroyed has to be named as a whole.
    const exact = uri.startsWith("#") ? node.uri : uri;
    targets.push({ uri: exact, line: `${shortIdOf(node.id)}  ${node.l0}`, texts, words: [] });
  }
  return targets;
}

async function forgotten(context: Context, targets: readonly Target[]): Promise<ForgottenJson> {
  const query = { uri: targets.map(({ uri }) => uri) };
  return context.ask("write", (api) => api.nodes.$delete({ query }));
}

/** Texts to look for in the backups. */
type Sought = Pick<Target, "texts" | "words">;

/** Forgets, and then what says nearly the same, as far as the person wants that. */
async function withSimilar(
  context: Context,
  input: Input,
  targets: readonly Target[],
): Promise<Sought & { readonly gone: ForgottenJson }> {
  const gone = await forgotten(context, targets);
  const texts = targets.flatMap((target) => target.texts);
  const more = await alsoForget(context, input, gone.similar);
  const words = targets.flatMap((target) => target.words);
  if (more.length === 0) return { gone, texts, words };
  const moreTargets = await targetsOf(
    context,
    more.map(({ uri }) => uri),
  );
  const second = await forgotten(context, moreTargets);
  const uris = new Set(second.forgotten);
  const similar = gone.similar.filter(({ uri }) => !uris.has(uri));
  return {
    gone: {
      forgotten: [...gone.forgotten, ...second.forgotten],
      purged: second.purged,
      redacted: gone.redacted + second.redacted,
      similar,
      notes: [...new Set([...gone.notes, ...second.notes])],
    },
    texts: [...texts, ...moreTargets.flatMap((target) => target.texts)],
    words: [...words, ...moreTargets.flatMap((target) => target.words)],
  };
}

async function alsoForget(
  context: Context,
  input: Input,
  similar: readonly Similar[],
): Promise<readonly Similar[]> {
  if (hasFlag(input, "similar")) return similar;
  const { ask } = context.deps.io;
  if (similar.length === 0 || ask === null || hasFlag(input, "yes")) return [];
  context.deps.io.err("Similar memories:\n");
  offer(context, similar);
  return picked(similar, await ask("Delete which of them as well? (numbers, all, or nothing) "));
}

function offer({ deps, style }: Context, some: readonly Similar[]): void {
  for (const [at, { uri, l0 }] of some.entries())
    deps.io.err(`${at + 1}. ${safeLine(l0)}\n   ${style.dim(safeLine(uri))}\n`);
}

function picked<Item>(items: readonly Item[], answer: string | null): readonly Item[] {
  if (/^\s*all\s*$/i.test(answer ?? "")) return items;
  const numbers = new Set((answer?.match(/\d+/g) ?? []).map(Number));
  return items.filter((_, at) => numbers.has(at + 1));
}

interface Cleaning {
  readonly backups: readonly { readonly path: string; readonly state: "holds" | "unreadable" }[];
  readonly cleaned: readonly string[];
}

async function cleanBackups(
  { deps }: Context,
  input: Input,
  { texts, words }: Sought,
): Promise<Cleaning> {
  const { keep } = await deps.local();
  const held = keep.backupsHolding(texts, words);
  const holding = held.filter(({ state }) => state === "holds").map(({ path }) => path);
  if (holding.length === 0) return { backups: held, cleaned: [] };
  if (!hasFlag(input, "backups")) {
    const { ask } = deps.io;
    if (ask === null || hasFlag(input, "yes")) return { backups: held, cleaned: [] };
    for (const path of holding) deps.io.err(`${path}\n`);
    const answer = await ask(
      `It is also in ${counted(holding.length, "backup")}. Clean them? [y/N] `,
    );
    if (!isYes(answer)) return { backups: held, cleaned: [] };
  }
  const done = keep.cleanBackups(holding, texts, words);
  for (const { path, why } of done.failed) deps.io.err(`${path} was not cleaned: ${why}\n`);
  return { backups: keep.backupsHolding(texts, words), cleaned: done.cleaned };
}

/** `cleanAll` removes everything that was ever forgotten, by its fingerprints. */
async function cleanAll(context: Context): Promise<number> {
  const done = (await context.deps.local()).keep.cleanBackups(null, [], []);
  const { cleaned, failed } = done;
  context.show(done, () => `Cleaned ${counted(cleaned.length, "backup")}.\n`);
  for (const { path, why } of failed) context.deps.io.err(`${path} was not cleaned: ${why}\n`);
  return failed.length === 0 ? 0 : 1;
}

function report(context: Context, input: Input, gone: ForgottenJson, cleaning: Cleaning): void {
  const { deps, print } = context;
  if (!gone.purged) deps.io.err(notPurged);
  if (context.isJson) return context.printJson({ ...gone, ...cleaning });
  for (const uri of gone.forgotten) print(`Forgotten: ${safeLine(uri)}\n`);
  if (gone.redacted > 0)
    print(
      `Redacted: ${counted(gone.redacted, "text")} sent to Claude; that it happened stays on record.\n`,
    );
  if (cleaning.cleaned.length > 0)
    print(`Cleaned: ${counted(cleaning.cleaned.length, "backup")}.\n`);
  if (gone.similar.length > 0 && (deps.io.ask === null || hasFlag(input, "yes"))) {
    deps.io.err("Similar memories remain; delete them with `continuity forget <uri>`:\n");
    offer(context, gone.similar);
  }
  if (gone.notes.length > 0)
    deps.io.err(
      `Your agent's own notes still hold it; it reads them again, so delete it there:\n${gone.notes
        .map((path) => `  ${safeLine(path)}\n`)
        .join("")}`,
    );
  const paths = (state: "holds" | "unreadable"): string =>
    cleaning.backups
      .filter((backup) => backup.state === state)
      .map(({ path }) => `  ${safeLine(path)}\n`)
      .join("");
  const [holding, unreadable] = [paths("holds"), paths("unreadable")];
  if (holding !== "")
    deps.io.err(
      `These backups still hold it; \`continuity forget --backups\` cleans them:\n${holding}`,
    );
  if (unreadable !== "")
    deps.io.err(`These damaged files may hold it; delete them to be sure:\n${unreadable}`);
}

function nothingForgotten(context: Context): number {
  context.deps.io.err("Nothing was forgotten.\n");
  return 1;
}

async function isConfirmed({ deps, style }: Context, targets: readonly Target[]): Promise<boolean> {
  if (deps.io.ask === null)
    throw misuse("cannot prompt: standard input is not a terminal", "add --yes");
  for (const { line, uri } of targets)
    deps.io.err(`${safeLine(line)}\n   ${style.dim(safeLine(uri))}\n`);
  const what = targets.length === 1 ? "it" : `these ${targets.length}`;
  return isYes(await deps.io.ask(`Delete ${what} permanently? [y/N] `));
}

/** Lists what matches and lets the person choose; words alone never decide what is destroyed. */
async function chosen(context: Context, input: Input): Promise<readonly Target[]> {
  const { ask } = context.deps.io;
  const q = input.args.join(" ").slice(0, queryCharsMax).toWellFormed();
  const query = { q, kind: [...leafKinds], limit: `${matchesMax}` };
  const found = await context.ask("read", (api) => api.search.$get({ query }));
  // A result that is only near in meaning was not named.
  const results = found.results.filter(({ explanation }) => explanation.lexicalRank !== null);
  if (results.length === 0) throw new CliFailure(`nothing matches "${safeLine(q)}"`);
  offer(context, results);
  if (ask === null || hasFlag(input, "yes"))
    throw misuse("words may match more than you mean", "name the URIs to forget");
  const answer = await ask("Delete which permanently? (numbers, or nothing) ");
  const numbers = (answer ?? "").replaceAll(/all/gi, "");
  return targetsOf(
    context,
    picked(results, numbers).map(({ uri }) => uri),
  );
}

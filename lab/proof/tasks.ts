/**
 * Does a memory help an agent to finish? Twenty small repositories with hidden checks, done by players under several
 * conditions.
 *
 *   bun lab/proof/tasks.ts live DIR [--binary FILE] [--recorded DIR]   # earlier sessions, through the hooks; then
 * the texts
 *   bun lab/proof/tasks.ts deal DIR P|Q [--binary FILE]                # DIR/play/P1 to P4; Q1 to Q3 for harm
 *   bun lab/proof/tasks.ts texts DIR continuity local                  # which texts tell the needed fact: no
 * player is needed
 *   bun lab/proof/tasks.ts score DIR                                   # tables, and lab/proof/results/paired.json
 *   bun lab/proof/tasks.ts find DIR FOLDER WORDS…                      # what ./memory in a player's folder answers
 *
 * `live` asks a model whose part somebody plays: DIR/model/requests/KEY.txt is answered in DIR/model/replies/KEY.json
 * (lab/bench/played.ts); it also writes DIR/notes/requests, which are answered in DIR/notes/replies before `deal`. With
 * `--recorded lab/proof/written` it takes the replies that were kept (`lab/bench/played.ts`), and notes, if there
 * are any. A player works in
 * FOLDER/repo, reads PROMPT.md and CONTEXT.md, and ends with ./done; ./ask is a question that the user would have
 * had to answer.
 */
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { optionsOf } from "../options.ts";
import { playedBy } from "../bench/played/server.ts";
import {
  conditions,
  dealt,
  harmConditions,
  placeboFor,
  writeFolder,
  type Dealt,
  type TextOf,
} from "./paired/deal.ts";
import { measured, type Measured } from "./measured.ts";
import { findIn } from "./find.ts";
import { homesOf, liveHome, textFor } from "./paired/homes.ts";
import { writeRequests, writtenOf } from "./paired/requests.ts";
import { scored } from "./paired/score.ts";
import { readTasks } from "./paired/task.ts";

const repository = resolve(import.meta.dir, "../..");
const { words, option } = optionsOf(process.argv.slice(2), ["binary", "recorded"]);
const [verb = "", given = "", ...rest] = words;
const folder = resolve(given);
const binary = resolve(option("binary") ?? join(repository, "dist", "continuity"));
const tasks = readTasks();
const textsFile = join(folder, "texts.json");
const keyFile = join(folder, "key.json");
const homeOf = (mode: string, n: number): string => join(folder, "homes", `${mode}-${n}`);

/** By mode and task: what the product gives. */
interface Texts extends Readonly<Record<"continuity" | "local", Readonly<Record<string, string>>>> {
  readonly measured: Measured;
}

async function textsBy(mode: string, playedUrl: string | null): Promise<Record<string, string>> {
  const homes = homesOf(tasks);
  const subjects = await Promise.all(
    homes.map((both, n) => liveHome(both, { binary, root: homeOf(mode, n), playedUrl })),
  );
  const texts: Record<string, string> = {};
  // One after the other: a hook that waits for a busy machine gives up.
  for (const [n, subject] of subjects.entries()) {
    for (const task of homes[n] ?? []) texts[task.name] = await textFor(subject, task);
    await subject.back();
    await subject.stop();
  }
  return texts;
}

async function live(): Promise<void> {
  const recorded = option("recorded");
  writeRequests(tasks, join(folder, "notes"), join(folder, "scratch"));
  if (recorded !== null && existsSync(join(recorded, "notes")))
    cpSync(join(recorded, "notes"), join(folder, "notes", "replies"), { recursive: true });
  using played = playedBy(join(folder, "model"), recorded);
  const continuity = await textsBy("model", played?.url ?? null);
  const write = (texts: Texts): void =>
    writeFileSync(textsFile, `${JSON.stringify(texts, null, 1)}\n`);
  write({ measured: measured(), continuity, local: {} });
  process.stdout.write("all sessions were lived through: P can be dealt\n");
  write({ measured: measured(), continuity, local: await textsBy("local", null) });
  process.stdout.write("and without a model: Q, too\n");
}

const squares = { P: conditions, Q: harmConditions } as const;

function deal(letters: readonly string[]): void {
  const texts = JSON.parse(readFileSync(textsFile, "utf8")) as Texts;
  const notes = join(folder, "notes");
  const homes = homesOf(tasks);
  const textOf: TextOf = (task, condition) => {
    const own = texts.continuity[task.name] ?? "";
    const both = homes.find((home) => home.includes(task)) ?? [];
    const other = both.find((one) => one !== task)?.name ?? "";
    return {
      none: "",
      auto: writtenOf(task, notes).index,
      notes: writtenOf(task, notes).notes,
      continuity: own,
      local: texts.local[task.name] ?? "",
      other: texts.continuity[other] ?? "",
      placebo: placeboFor(own),
    }[condition];
  };
  const all = letters.flatMap((letter) => {
    if (letter !== "P" && letter !== "Q") throw new Error(`P or Q, not ${letter}`);
    return dealt(tasks, { letter, among: squares[letter], textOf });
  });
  const before = existsSync(keyFile) ? readKey() : [];
  const others = before.filter(({ player }) => !letters.includes(player.charAt(0)));
  writeFileSync(keyFile, `${JSON.stringify([...others, ...all], null, 1)}\n`);
  for (const one of all) {
    const task = tasks.find(({ name }) => name === one.task);
    if (task === undefined) continue;
    const ask = [
      process.execPath,
      import.meta.path,
      "find",
      folder,
      one.folder,
      "--binary",
      binary,
    ];
    const memory = ask.join(" ");
    writeFolder(join(folder, "play"), task, { one, memory });
  }
  process.stdout.write(`${all.length} folders below ${join(folder, "play")}\n`);
}

const readKey = (): readonly Dealt[] => JSON.parse(readFileSync(keyFile, "utf8")) as Dealt[];

/** Lines that share a word with the question. */
const linesWith = (text: string, asked: readonly string[]): string =>
  text
    .split("\n")
    .filter((line) => asked.some((word) => line.toLowerCase().includes(word.toLowerCase())))
    .join("\n");

/** `found` searches the condition's memory, where it has one. */
function found(one: Dealt, asked: readonly string[]): string {
  const task = tasks.find(({ name }) => name === one.task);
  if (task === undefined || ["none", "placebo", "other"].includes(one.condition)) return "";
  if (one.condition === "auto")
    return linesWith(writtenOf(task, join(folder, "notes")).topics, asked);
  if (one.condition === "notes") return linesWith(one.text, asked);
  const mode = one.condition === "local" ? "local" : "model";
  const n = homesOf(tasks).findIndex((home) => home.includes(task));
  const home = join(homeOf(mode, n), "home", "dev");
  const place = { binary, home, project: task.project, atMs: task.atMs };
  return findIn(place, asked.join(" "))
    .map((text) => `- ${text}`)
    .join("\n");
}

function find([name = "", ...asked]: readonly string[]): void {
  const one = readKey().find((each) => each.folder === name);
  if (one === undefined) throw new Error(`no such folder: ${name}`);
  const answer = found(
    one,
    asked.flatMap((text) => text.split(/\s+/u)),
  ).trim();
  appendFileSync(
    join(folder, "searches.jsonl"),
    `${JSON.stringify({ folder: name, asked, answer })}\n`,
  );
  process.stdout.write(`${answer === "" ? "Nothing found." : answer}\n`);
}

function keep(name: string, result: object): void {
  const results = join(import.meta.dir, "results");
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, `${name}.json`), `${JSON.stringify(result, null, 1)}\n`);
}

/** Counts the tasks that need something and whose text tells it; by mode of the product. */
function countTexts(modes: readonly string[]): void {
  const texts = JSON.parse(readFileSync(textsFile, "utf8")) as Texts;
  const needing = tasks.filter(({ fact }) => fact !== null);
  const told = modes.flatMap((mode) => {
    if (mode !== "continuity" && mode !== "local") return [];
    const those = needing.filter(({ name, fact }) => fact?.test(texts[mode][name] ?? ""));
    return [{ mode, told: those.map(({ name }) => name), of: needing.length }];
  });
  for (const one of told) process.stdout.write(`${one.mode}: ${one.told.length} of ${one.of}\n`);
  keep("texts", { bench: "texts that tell the needed fact", ...texts.measured, told });
}

function score(): void {
  const searches = join(folder, "searches.jsonl");
  const searched = existsSync(searches) ? readFileSync(searches, "utf8") : "";
  const { measured: lived } = JSON.parse(readFileSync(textsFile, "utf8")) as Texts;
  const { table, json } = scored(tasks, {
    key: readKey(),
    play: join(folder, "play"),
    searched,
    lived,
  });
  process.stdout.write(table);
  keep("paired", json);
}

if (given === "" || !["live", "deal", "texts", "score", "find"].includes(verb)) {
  process.stderr.write("usage: bun lab/proof/tasks.ts live|deal|texts|score|find DIR\n");
  process.exit(2);
}
if (verb === "live") await live();
else if (verb === "deal") deal(rest);
else if (verb === "texts") countTexts(rest);
else if (verb === "find") find(rest);
else score();

/**
 * Does a memory help an agent to finish? Twenty small repositories with hidden checks, done by players under several
 * conditions.
 *
 *   bun lab/proof/tasks.ts live DIR [--binary FILE] [--recorded DIR]   # earlier sessions, through the hooks; then the texts
 *   bun lab/proof/tasks.ts deal DIR [--binary FILE]                    # DIR/play/P1 to P4, and Q1 to Q3 for harm
 *   bun lab/proof/tasks.ts score DIR                                   # tables, and lab/proof/results/paired.json
 *   bun lab/proof/tasks.ts find DIR FOLDER WORDS…                      # what ./memory in a player's folder answers
 *
 * `live` asks a model whose part somebody plays: DIR/model/requests/KEY.txt is answered in DIR/model/replies/KEY.json
 * (lab/bench/played.ts); it also writes DIR/notes/requests, which are answered in DIR/notes/replies before `deal`. With
 * `--recorded lab/proof/written` it takes what was written for the published run. A player works in FOLDER/repo, reads
 * PROMPT.md and CONTEXT.md, and ends with ./done; ./ask is a question that the user would have had to answer.
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
import { optionsOf } from "../bench/home/options.ts";
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
import { givenTo, homesOf, liveHome } from "./paired/homes.ts";
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
type Texts = Readonly<Record<"continuity" | "local", Readonly<Record<string, string>>>>;

async function textsBy(mode: string, playedUrl: string | null): Promise<Record<string, string>> {
  const homes = homesOf(tasks);
  const subjects = await Promise.all(
    homes.map((both, n) => liveHome(both, { binary, root: homeOf(mode, n), playedUrl })),
  );
  const texts: Record<string, string> = {};
  // One after the other: a hook that waits for a busy machine gives up.
  for (const [n, subject] of subjects.entries()) {
    for (const task of homes[n] ?? []) texts[task.name] = await givenTo(subject, task);
    await subject.back();
    await subject.stop();
  }
  return texts;
}

async function live(): Promise<void> {
  const recorded = option("recorded");
  writeRequests(tasks, join(folder, "notes"), join(folder, "scratch"));
  if (recorded !== null)
    cpSync(join(recorded, "notes"), join(folder, "notes", "replies"), { recursive: true });
  using played = playedBy(join(folder, "model"), recorded);
  const continuity = await textsBy("model", played?.url ?? null);
  const texts: Texts = { continuity, local: await textsBy("local", null) };
  writeFileSync(textsFile, `${JSON.stringify(texts, null, 1)}\n`);
  process.stdout.write("all sessions were lived through: deal now\n");
}

function deal(): void {
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
  const all = [
    ...dealt(tasks, { letter: "P", among: conditions, textOf }),
    ...dealt(tasks, { letter: "Q", among: harmConditions, textOf }),
  ];
  writeFileSync(keyFile, `${JSON.stringify(all, null, 1)}\n`);
  for (const one of all) {
    const task = tasks.find(({ name }) => name === one.task);
    if (task === undefined) continue;
    const memory = [process.execPath, import.meta.path, "find", folder, one.folder].join(" ");
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

/** Where the condition has a memory to search, what it finds. */
function found(one: Dealt, asked: readonly string[]): string {
  const task = tasks.find(({ name }) => name === one.task);
  if (task === undefined || ["none", "placebo", "other"].includes(one.condition)) return "";
  if (one.condition === "auto")
    return linesWith(writtenOf(task, join(folder, "notes")).topics, asked);
  if (one.condition === "notes") return linesWith(one.text, asked);
  const mode = one.condition === "local" ? "local" : "model";
  const n = homesOf(tasks).findIndex((home) => home.includes(task));
  const home = join(homeOf(mode, n), "home", "dev");
  const { stdout } = Bun.spawnSync([binary, "find", asked.join(" "), "--limit", "5"], {
    cwd: join(home, task.project),
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      CONTINUITY_HOME: join(home, ".continuity"),
      CONTINUITY_PORT: "0",
      CONTINUITY_NOW: `${task.atMs}`,
    },
    stderr: "ignore",
  });
  return stdout.toString();
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

function score(): void {
  const results = join(import.meta.dir, "results");
  mkdirSync(results, { recursive: true });
  const searches = join(folder, "searches.jsonl");
  const searched = existsSync(searches) ? readFileSync(searches, "utf8") : "";
  const { table, json } = scored(tasks, { key: readKey(), play: join(folder, "play"), searched });
  process.stdout.write(table);
  writeFileSync(join(results, "paired.json"), `${JSON.stringify(json, null, 1)}\n`);
}

if (given === "" || !["live", "deal", "score", "find"].includes(verb)) {
  process.stderr.write("usage: bun lab/proof/tasks.ts live|deal|score|find DIR\n");
  process.exit(2);
}
if (verb === "live") await live();
else if (verb === "deal") deal();
else if (verb === "find") find(rest);
else score();

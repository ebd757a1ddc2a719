/** Counts what players came to: solved, asked, misled, and what the text cost; differences are paired by task. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { tokensOf } from "#kit";
import { measured, type Measured } from "../measured.ts";
import { contextOf, type Condition, type Dealt } from "./deal.ts";
import { difference, mcnemar, pairsOf } from "./intervals.ts";
import { verdictOf, type Task, type Verdict } from "./task.ts";

interface Outcome {
  readonly task: string;
  readonly group: string;
  readonly player: string;
  readonly condition: Condition;
  readonly verdict: Verdict;
  readonly asked: boolean;
  readonly searches: number;
  readonly tokens: number;
}

interface Played {
  readonly key: readonly Dealt[];
  readonly play: string;
  /** Lines of searches.jsonl. */
  readonly searched: string;
  /** The measurement of the earlier sessions. */
  readonly lived: Measured;
}

function outcomesOf(tasks: readonly Task[], { key, play, searched }: Played): readonly Outcome[] {
  const searches = searched
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => (JSON.parse(line) as { readonly folder: string }).folder);
  return key.flatMap((one) => {
    const folder = join(play, one.folder);
    const task = tasks.find(({ name }) => name === one.task);
    if (task === undefined || !existsSync(join(folder, "done.txt"))) return [];
    return {
      task: task.name,
      group: task.group,
      player: one.player,
      condition: one.condition,
      verdict: verdictOf(task, join(folder, "repo")),
      asked: existsSync(join(folder, "asked.txt")),
      searches: searches.filter((name) => name === one.folder).length,
      tokens: tokensOf(contextOf(one.text)),
    };
  });
}

const groups = ["needed", "irrelevant", "stale"] as const;
const solvedOf = (rows: readonly Outcome[]): string =>
  `${rows.filter(({ verdict }) => verdict === "solved").length} of ${rows.length}`;

function summaryOf(rows: readonly Outcome[]) {
  const inGroup = (group: string) => rows.filter((row) => row.group === group);
  return {
    solved: solvedOf(rows),
    ...Object.fromEntries(groups.map((group) => [group, solvedOf(inGroup(group))])),
    asked: rows.filter(({ asked }) => asked).length,
    misled: rows.filter(({ verdict }) => verdict === "misled").length,
    searches: rows.reduce((sum, { searches }) => sum + searches, 0),
    tokens: Math.round(rows.reduce((sum, { tokens }) => sum + tokens, 0) / rows.length),
  };
}

/** Tasks that were done under both. */
function comparedOf(outcomes: readonly Outcome[], first: Condition, second: Condition) {
  const of = (condition: Condition, task: string) =>
    outcomes.find((row) => row.condition === condition && row.task === task);
  const pairs = [...new Set(outcomes.map(({ task }) => task))].flatMap((task) => {
    const [a, b] = [of(first, task), of(second, task)];
    if (a === undefined || b === undefined) return [];
    return [[a.verdict === "solved", b.verdict === "solved"] as const];
  });
  if (pairs.length === 0) return null;
  const counted = pairsOf(pairs);
  const points = difference(counted).map((share) => Math.round(share * 100));
  return { tasks: pairs.length, ...counted, points, mcnemar: mcnemar(counted) };
}

const pairsAsked = [
  ["continuity", "none"],
  ["continuity", "auto"],
  ["notes", "continuity"],
  ["auto", "none"],
  ["local", "none"],
  ["placebo", "none"],
  ["other", "none"],
] as const satisfies readonly (readonly [Condition, Condition])[];

export function scored(tasks: readonly Task[], played: Played) {
  const outcomes = outcomesOf(tasks, played);
  const byCondition = Map.groupBy(outcomes, ({ condition }) => condition);
  const summary = [...byCondition].map(([condition, rows]) => ({ condition, ...summaryOf(rows) }));
  const compared = pairsAsked.flatMap(([first, second]) => {
    const all = comparedOf(outcomes, first, second);
    const needed = outcomes.filter(({ group }) => group === "needed");
    const those = comparedOf(needed, first, second);
    return all === null ? [] : [{ first, second, all, needed: those }];
  });
  const lines = [
    "played agents, no live model",
    ...summary.map((row) =>
      Object.entries(row)
        .map(([name, value]) => `${name} ${value}`)
        .join(", "),
    ),
    ...compared.flatMap(({ first, second, all, needed }) =>
      [["all", all] as const, ["needed", needed] as const].map(([name, one]) =>
        one === null
          ? ""
          : `${first} - ${second}, ${name}: ${one.points[0]} points (95 %: ${one.points[1]} to ${one.points[2]}), McNemar p ${one.mcnemar.toFixed(3)}`,
      ),
    ),
    "",
  ];
  const json = {
    bench: "paired tasks: played agents, no live model",
    interval: "Newcombe 1998, method 10, 95 %; McNemar, exact, two-sided",
    lived: played.lived,
    scored: measured(),
    summary,
    compared,
    outcomes,
  };
  return { table: lines.join("\n"), json };
}

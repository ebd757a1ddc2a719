/** `find`: ranked results. */
import type { SearchJson } from "#api";
import { type Context, sessionRunning } from "../context.ts";
import { documentKinds, shortIdOf } from "#domain";
import { misuse } from "../failure.ts";
import {
  type CommandSpec,
  hasFlag,
  type Input,
  type OptionSpec,
  optionText,
  optionTexts,
} from "../spec.ts";
import { ageOf, linesOf, safeLine, safeText, wrap } from "../text.ts";
import { countOption, filterOptions, filterQuery, many, one } from "./filters.ts";

type Result = SearchJson["results"][number];

const formats = ["index", "overview", "full"] as const;
const sorts = ["relevance", "date"] as const;

/** A query travels in a URL, which may hold 16 KB; percent-encoded, a character takes up to nine bytes. */
export const queryCharsMax = 1_500;

const options: readonly OptionSpec[] = [
  { flags: "--format <format>", summary: "how much text to show", choices: formats },
  {
    flags: "--kind <kind>",
    summary: "what to look through",
    choices: documentKinds.filter((kind) => kind !== "moment"),
    former: ["moment", "observation"],
    many: true,
  },
  { flags: "--limit <n>", summary: "at most n results, 1 to 100", fallback: "10" },
  { flags: "--sort <order>", summary: "order of the results", choices: sorts },
  { flags: "--min-score <score>", summary: "leave out results below" },
  { flags: "--all-projects", summary: "look in every project alike" },
  { flags: "--concept <concept>", summary: "only what names this" },
  {
    flags: "--type <type>",
    summary: "only exchanges of this type: what they mattered as or brought about",
  },
  { flags: "--explain", summary: "explain the ranking of each result" },
  ...filterOptions,
];

export const findCommand: CommandSpec = {
  name: "find",
  group: "main",
  summary: "Search memories; one line per result, with --deep an overview",
  details:
    "This project's results come first; one or two of another project follow, named, when they are exact or clearly " +
    "better, unless --project names one. --deep takes a question apart and looks for each part: slower, and it " +
    "finds more.",
  arguments: [{ name: "<query...>", summary: "words or a question; any text is safe" }],
  options: [{ flags: "--deep", summary: "search with sub-questions" }, ...options],
  examples: [
    "continuity find package manager",
    "continuity find --all-projects --json port 5433",
    'continuity find --deep "why did we leave Redis and what replaced it?"',
  ],
  json: { shape: "one document", fields: "SearchJson" },
  run,
};

async function run(context: Context, input: Input): Promise<number | void> {
  const api = await context.api("read");
  const format = formats.find((one) => one === optionText(input, "format")) ?? null;
  const asked = {
    q: input.args.join(" ").slice(0, queryCharsMax).toWellFormed(),
    mode: hasFlag(input, "deep") ? ("search" as const) : ("find" as const),
    ...one("format", format),
    ...one("sort", sorts.find((order) => order === optionText(input, "sort")) ?? null),
    ...one("limit", `${countOption(input, "limit", 100) ?? 10}`),
    ...one("min_score", scoreOption(input)),
    ...many("kind", optionTexts(input, "kind")),
    ...one("concept", optionText(input, "concept")),
    ...one("type", optionText(input, "type")),
    ...one("home", homeOf(context, input)),
    ...one("reader", sessionRunning(context.deps)),
    ...filterQuery(context, input),
  };
  const found = await (await api.search.$get({ query: asked })).json();
  context.show(found, () => rendered(context, found, hasFlag(input, "explain")));
}

function scoreOption(input: Input): string | null {
  const given = optionText(input, "minScore");
  if (given !== null && !/^\d*\.?\d+$/.test(given)) throw misuse("--min-score must be a number");
  return given;
}

/** This project and global, unless the person wants everything. */
const homeOf = ({ deps }: Context, input: Input): string | null =>
  hasFlag(input, "allProjects") ? null : (deps.project()?.key ?? null);

/** Columns of a result's number; its text and what is known of it begin behind them. */
const numberWidth = 6;

function rendered(context: Context, found: SearchJson, isExplained: boolean): string {
  const { style, deps } = context;
  if (found.results.length === 0) {
    const hint = found.projects === null ? "" : " here; try --all-projects";
    return `Nothing found${hint}.\n`;
  }
  const width = deps.io.columns;
  const blocks = found.results.map((result, at) => {
    const text = safeText(result.l2 ?? result.l1 ?? result.l0);
    const number = `${at + 1}. `.padStart(numberWidth);
    const [first = "", ...rest] = wrap(
      text,
      width === null ? null : Math.max(20, width - number.length),
    );
    const facts = [...factsOf(context, result), ...placeOf(found, result)].join(" · ");
    const why = isExplained ? [style.dim(explained(result))] : [];
    const lines = [...rest, style.dim(facts), ...why];
    const indent = " ".repeat(number.length);
    return [
      `${style.bold(number)}${first}`,
      ...lines.map((line) => `${indent}${line}`.trimEnd()),
    ].join("\n");
  });
  return linesOf(blocks);
}

/** Name of the project, for a result of none of those that were searched first. */
function placeOf(
  { projects, project_names: names }: SearchJson,
  { project }: Result,
): readonly string[] {
  if (project === null || projects?.includes(project) === true) return [];
  return [`in ${safeLine(names[project] ?? project)}`];
}

/** An open pair has not been decided yet: both are in force, and the newer counts. */
const replacedWord = ({ status }: Result): string =>
  status === "active" ? "earlier than" : "replaced by";

/** Address for `show`, kind, age and, where it applies, that it no longer holds. */
const factsOf = ({ nowMs, style }: Context, result: Result): readonly string[] => [
  result.id === null ? safeLine(result.uri) : shortIdOf(result.id),
  kindWords[result.kind] ?? result.kind,
  ageOf(result.at, nowMs),
  ...(result.superseded_by === null
    ? []
    : [style.yellow(`${replacedWord(result)} ${safeLine(result.superseded_by)}`)]),
];

const kindWords: Readonly<Partial<Record<string, string>>> = {
  exchange: "conversation",
  moment: "conversation",
  checkpoint: "session summary",
};

function explained({ explanation, score }: Result): string {
  const { fused, lexical, lexicalRank, nudges, similarity, via } = explanation;
  const words =
    lexicalRank === null ? "no words match" : `words #${lexicalRank} (${lexical.toFixed(2)})`;
  const meaning = similarity === null ? "meaning unknown" : `meaning ${similarity.toFixed(2)}`;
  const nudged = Object.entries(nudges).map(([name, factor]) => `${name} ×${factor.toFixed(2)}`);
  return [
    `score ${score.toFixed(2)}`,
    `by ${via}`,
    words,
    meaning,
    `together ${fused.toFixed(2)}`,
    ...nudged,
  ].join(", ");
}

/** Sheets for judges: samples of what was kept and given, with empty columns for what they think of each. */
import type { Lived } from "./live.ts";

/** The number of entries of each kind in a project's sheet. */
export interface SampleSizes {
  readonly memories: number;
  readonly injections: number;
  readonly silent: number;
  readonly starts: number;
}

export const usualSizes: SampleSizes = { memories: 50, injections: 40, silent: 50, starts: 5 };

/** The same sample for everybody who asks with the same seed. */
export function sampleOf<Item>(
  items: readonly Item[],
  size: number,
  seed: number,
): readonly Item[] {
  let state = (seed ^ 0x9e37_79b9) >>> 0;
  const next = (): number => {
    // xorshift32
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 0x1_0000_0000;
  };
  return items
    .map((item, at) => ({ item, at, key: next() }))
    .toSorted((a, b) => a.key - b.key)
    .slice(0, size)
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

const cellCharsMax = 1_200;

/** One cell of a table, whatever is in it. */
const cell = (text: string): string =>
  text
    .slice(0, cellCharsMax)
    .replaceAll("|", "\\|")
    .replaceAll("<", "&lt;")
    .replaceAll(/\r?\n/gu, "<br>");

type Rows = readonly (readonly string[])[];

function table(heads: readonly string[], rows: Rows): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(["#", ...heads]),
    line(["---", ...heads.map(() => "---")]),
    ...rows.map((row, n) =>
      line([`${n + 1}`, ...row.map(cell), ...heads.slice(row.length).map(() => "")]),
    ),
  ].join("\n");
}

interface Sheet {
  readonly title: string;
  /** The instruction for the judge's empty columns. */
  readonly how: string;
  readonly heads: readonly string[];
  readonly rows: Rows;
}

const kept =
  "**keep**: durable, true, understandable alone, useful in a later session. **trivial**: true and useless later. **wrong**: not what " +
  "was said, of somebody else, an idea taken as fact, or outdated. **unclear**: not understandable without its session. In doubt, not keep.";
const gave =
  "**useful**: changes what a good agent would do, or saves a look-up. **harmless**: on the subject, changes nothing. **noise**: off the " +
  "subject, outdated, misleading, another project's, or said before. By its worst line if that misleads, else by its best.";
const missed =
  "**nothing**: the store held nothing that would have helped. **help**: it did; say what. Look it up with `continuity search`.";
const began =
  "Line by line: **useful**, **noise** or **stale**. Then, as a whole: would you, as the agent, rather have it or not, and what did you miss?";

/** Markdown, one file for each kind of thing that is judged, by file name. */
export function sheetsOf(
  project: string,
  lived: Lived,
  { sizes, seed }: { readonly sizes: SampleSizes; readonly seed: number },
): ReadonlyMap<string, string> {
  const { memoriesAtEnd: memories, prompts, starts } = lived;
  const given = prompts.filter((one) => one.given !== "");
  const silent = prompts.filter((one) => one.given === "");
  const sheets: Readonly<Record<string, Sheet>> = {
    memories: {
      title: `${project}: memories, ${memories.length} in all`,
      how: kept,
      heads: ["memory", "overview", "verdict", "why"],
      rows: sampleOf(memories, sizes.memories, seed).map(({ l0, l1 }) => [l0, l1 ?? ""]),
    },
    injections: {
      title: `${project}: injections, ${given.length} of ${prompts.length} prompts`,
      how: gave,
      heads: ["prompt", "what was given", "verdict", "why"],
      rows: sampleOf(given, sizes.injections, seed).map((one) => [one.prompt, one.given]),
    },
    silent: {
      title: `${project}: silent prompts, ${silent.length} of ${prompts.length}`,
      how: missed,
      heads: ["session", "prompt", "verdict", "what would have helped"],
      rows: sampleOf(silent, sizes.silent, seed).map((one) => [one.session, one.prompt]),
    },
    starts: {
      title: `${project}: start texts, ${starts.length} sessions`,
      how: began,
      heads: ["session", "line", "verdict", "why"],
      rows: sampleOf(starts, sizes.starts, seed).flatMap(({ session, text }) =>
        text
          .split("\n")
          .filter((line) => line.trim() !== "")
          .map((line) => [session.slice(0, 8), line]),
      ),
    },
  };
  return new Map(
    Object.entries(sheets).map(([kind, { title, how, heads, rows }]) => [
      `${project}.${kind}.md`,
      `# ${title}\n\n${how}\n\n${table(heads, rows)}\n`,
    ]),
  );
}

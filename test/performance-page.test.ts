/** docs/performance.md and its charts are what the committed run says, and say why a target is missed. */
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { figureRows, parts, readRun, runFile } from "../bench/performance/figures.ts";
import { missedIn, page, performanceFiles } from "../scripts/docs/performance.ts";

const run = readRun(runFile);
const text = await Bun.file(page).text();
const files = performanceFiles(run, text);

test("tables and charts are those that `npm run bench -- performance-page` writes", async () => {
  const now = await Promise.all(
    files.map(
      async ([path]) =>
        [
          path,
          await Bun.file(path)
            .text()
            .catch(() => ""),
        ] as const,
    ),
  );
  expect(now.filter(([, found], at) => found !== files[at]?.[1]).map(([path]) => path)).toEqual([]);
});

test("there is no chart that no figure has", () => {
  const charts = readdirSync("docs/images/performance").map(
    (name) => `docs/images/performance/${name}`,
  );
  expect(charts.toSorted()).toEqual(
    files
      .map(([path]) => path)
      .filter((path) => path !== page)
      .toSorted(),
  );
  expect(charts.filter((path) => !text.includes(path.slice("docs/".length)))).toEqual([]);
});

test("every part with a missed target has a profile and a next step", () => {
  const over = text.slice(text.indexOf("## Where the time goes"));
  const sections = new Map(
    over
      .split("\n### ")
      .slice(1)
      .map((one) => [one.slice(0, one.indexOf("\n")), one] as const),
  );
  const missed = new Set(missedIn(run).map(({ part }) => part));
  const bare = parts.filter(
    (part) => missed.has(part) && !/\bNext: /.test(sections.get(part) ?? ""),
  );
  expect(bare).toEqual([]);
});

test("a run has every figure of the table once", () => {
  expect(run.figures.map(({ id }) => id)).toEqual(figureRows.map(({ id }) => id));
});

test("a figure that was not measured is said so, and neither met nor missed", () => {
  const figures = run.figures.map((one) => ({ ...one, after: null }));
  expect(missedIn({ ...run, figures })).toEqual([]);
  const [, all = ""] = performanceFiles({ ...run, figures }, text).at(-1) ?? [];
  const written = all.slice(0, all.indexOf("<!-- end -->"));
  expect(written).toContain("| `version` | ≤ 2 × empty |");
  expect(written).not.toContain("| met |");
  expect(written).not.toContain("**missed**");
});

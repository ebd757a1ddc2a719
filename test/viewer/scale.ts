/**
 * A home with very many memories, and what using it in the page costs: milliseconds from an act to the frame that shows
 * its result, measured inside the page, and the memory that the page holds in the end.
 */
import { Database } from "bun:sqlite";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { loadEmbeddedModel } from "#embed";
import { createCorpus } from "../../bench/scale/corpus.ts";
import { fillDatabase } from "../../bench/scale/fill.ts";
import { enter, openViewerHome, openWindow, type ViewerHome } from "./browser.ts";

export interface ScaleSize {
  readonly memories: number;
  readonly sessions: number;
}

export interface ScaleReport {
  /** Milliseconds of each act, by what was done. */
  readonly acts: readonly { readonly name: string; readonly ms: readonly number[] }[];
  readonly heapBytes: number;
  /** Memory of the page's process that is its own; null where the system does not tell. */
  readonly processBytes: number | null;
  /** Elements of the page in the end. */
  readonly elements: number;
}

/** Fills a home, uses it for a while, and says what it cost. */
export async function measureScale(size: ScaleSize): Promise<ScaleReport> {
  await using home = await openScaleHome(size);
  return await use(home, size);
}

/** Work in a home of that size, with its daemon. */
export async function inScaleHome(
  size: ScaleSize,
  work: (home: ViewerHome) => Promise<void>,
): Promise<void> {
  await using home = await openScaleHome(size);
  await work(home);
}

async function openScaleHome(size: ScaleSize): Promise<ViewerHome> {
  const home = await openViewerHome((program) => {
    mkdirSync(program.paths.root, { recursive: true, mode: 0o700 });
    fill(program.paths.database, size);
    return { nowMs: Date.now(), uri: "", sessionId: "s0" };
  });
  // What a new home has to do once is not what is measured.
  await home.program.flush();
  return home;
}

function fill(path: string, { memories, sessions }: ScaleSize): void {
  const loaded = loadEmbeddedModel();
  if (!loaded.ok) throw new Error("no embedder");
  fillDatabase(path, memories, { corpus: createCorpus(), embedder: loaded.value });
  const db = new Database(path);
  const insert = db.prepare(
    "INSERT OR IGNORE INTO sessions (session_id, project, project_name, title, status, started_at, last_event_at) VALUES (?, 'github.com/acme/service-1', 'service-1', 'an invented session', 'completed', ?, ?)",
  );
  db.transaction(() => {
    for (let n = 0; n < sessions; n += 1) insert.run(`s${n}`, n * 60_000, n * 60_000);
  })();
  db.close();
}

async function use(home: ViewerHome, { memories }: ScaleSize): Promise<ScaleReport> {
  await using window = await openWindow();
  const { page } = window;
  await enter(window, home, "nonsense");
  await page.getByText("Page not found").waitFor();
  const acts: { readonly name: string; readonly ms: readonly number[] }[] = [];
  const note = async (name: string, times: number, act: Act): Promise<void> => {
    const ms: number[] = [];
    for (let n = 0; n < times; n += 1) ms.push(await timed(page, act, n));
    acts.push({ name, ms });
  };
  const goTo = (view: string, ready: string): Act => ({
    run: `location.hash = "#/${view}"`,
    ready,
  });
  const rows = "document.querySelectorAll('.virtual a.row').length > 10";
  const settled = "document.querySelector('.virtual .bone-row') === null";

  await note("open the list", 1, goTo("memories", rows));
  await note("next row", 12, {
    run: key("j"),
    ready: 'document.querySelector(`[data-index="${n + 1}"] .current`) !== null',
  });
  await note("jump within the list", 12, {
    run: `document.querySelector('.scroll').scrollTop = 44 * Math.floor(${memories} * ((n * 0.37 + 0.11) % 1))`,
    ready: `${settled} && document.querySelectorAll('.virtual a.row').length > 10`,
  });
  await note("last row", 1, {
    run: key("G"),
    ready: `${settled} && document.querySelector('.row.current') !== null`,
  });
  await note(
    "filter the list",
    1,
    goTo(
      "memories?category=cases",
      `${settled} && ${rows} && document.querySelector('.top-count').textContent !== ''`,
    ),
  );
  await note(
    "open the tree",
    1,
    goTo("tree", "document.querySelectorAll('[role=treeitem]').length > 0"),
  );
  await note(
    "find the way to a directory",
    1,
    goTo(
      "tree?uri=mem://agent/cases",
      "document.querySelectorAll('[aria-level=\"3\"]').length > 10",
    ),
  );
  await note("jump within the tree", 8, {
    run: "const box = document.querySelector('.scroll'); box.scrollTop = (box.scrollHeight - 900) * ((n * 0.37 + 0.13) % 1)",
    ready: `${settled} && document.querySelectorAll('[aria-level="3"]').length > 10`,
  });
  await note("open sessions", 1, goTo("sessions", rows));
  await note("last session", 1, {
    run: key("G"),
    ready: `${settled} && document.querySelector('.row.current') !== null`,
  });
  await page.getByRole("link", { name: "Search", exact: false }).first().click();
  await page.getByLabel("Search memories").waitFor();
  const { prompt } = createCorpus();
  const questions = Array.from({ length: 10 }, (_, n) =>
    prompt(n * 71)
      .split(" ")
      .slice(0, 4)
      .join(" "),
  );
  await note("search", questions.length, {
    run: `const field = document.querySelector('input[type=search]'); field.value = ${JSON.stringify(questions)}[n]; field.dispatchEvent(new InputEvent('input', { bubbles: true })); field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))`,
    ready: `document.querySelector('[role=search] .spinner') === null && location.hash.includes(encodeURIComponent(${JSON.stringify(questions)}[n].split(' ')[0])) && document.querySelectorAll('.found-row').length > 0`,
  });
  return {
    acts,
    heapBytes: await heapOf(page),
    processBytes: await processBytesOf(page),
    elements: await page.evaluate(() => document.querySelectorAll("*").length),
  };
}

/** Source that runs in the page; `n` counts the repetitions. */
interface Act {
  readonly run: string;
  readonly ready: string;
}

const key = (name: string): string =>
  `document.body.dispatchEvent(new KeyboardEvent("keydown", { key: ${JSON.stringify(name)}, bubbles: true }))`;

const actMsMax = 10_000;

/** Milliseconds from an act until the frame after its result stands in the page. */
async function timed(page: Page, { run, ready }: Act, n: number): Promise<number> {
  const ms = await page.evaluate<number>(`(async () => {
    const n = ${n};
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    const started = performance.now();
    ${run};
    do await frame(); while (!(${ready}) && performance.now() - started < ${actMsMax});
    return performance.now() - started;
  })()`);
  await Bun.sleep(30);
  return ms;
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return usedSize;
}

/** The largest process that draws a page: this one's. Linux only. */
async function processBytesOf(page: Page): Promise<number | null> {
  const browser = page.context().browser();
  if (browser === null || process.platform !== "linux") return null;
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const renderers = new Set(
    processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id),
  );
  const sizes = readdirSync("/proc")
    .filter((name) => renderers.has(Number(name)))
    .map((pid) =>
      Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0),
    );
  return Math.max(0, ...sizes) * 1_024;
}

/** The slowest of several, without the one in twenty that a busy machine spoils. */
export const usual = (ms: readonly number[]): number =>
  [...ms].sort((a, b) => a - b)[Math.ceil(ms.length * 0.95) - 1] ?? 0;

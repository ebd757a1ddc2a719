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

/** A home of that size, with its daemon. */
export async function openScaleHome(size: ScaleSize): Promise<ViewerHome> {
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
  /** Away, and there again. */
  const opened = (view: string, ready: string): Act => ({
    run: `location.hash = \`#/${view}\``,
    ready,
    after: 'location.hash = "#/nonsense"',
    back: "document.body.textContent.includes('Page not found')",
  });
  const rows = "document.querySelectorAll('.virtual a.row').length > 10";
  const settled = "document.querySelector('.virtual .bone-row') === null";

  await note("open Memories", 10, opened("memories", rows));
  await timed(page, goTo("memories", rows), 0);
  await note("next row", 20, {
    run: key("j"),
    ready: 'document.querySelector(`[data-index="${n + 1}"] .current`) !== null',
  });
  await note("select a row", 20, {
    run: `${key("x")}; ${key("j")}`,
    ready: "document.querySelector('.bulk-bar')?.textContent.includes(`${n + 1} selected`)",
  });
  await note("clear the selection", 1, {
    run: key("Escape"),
    ready: "document.querySelector('.bulk-bar') === null",
  });
  await note("jump within the list", 20, {
    run: `document.querySelector('.scroll').scrollTop = 44 * Math.floor(${memories} * ((n * 0.37 + 0.11) % 1))`,
    ready: `${settled} && document.querySelectorAll('.virtual a.row').length > 10`,
  });
  await note("last row", 1, {
    run: key("G"),
    ready: `${settled} && document.querySelector('.row.current') !== null`,
  });
  const filtered = `${settled} && ${rows} && document.querySelector('.top-count').textContent !== ''`;
  await note("filter the list", 10, {
    ...opened("memories?category=${['cases', 'events', 'entities', 'patterns'][n % 4]}", filtered),
  });
  await note(
    "open the tree",
    10,
    opened("tree", "document.querySelector('[role=treeitem]') !== null"),
  );
  const inDirectory = "document.querySelectorAll('[aria-level=\"3\"]').length > 10";
  await note("find the way to a directory", 1, goTo("tree?uri=mem://agent/cases", inDirectory));
  await note("jump within the tree", 10, {
    run: "const box = document.querySelector('.scroll'); box.scrollTop = (box.scrollHeight - 900) * ((n * 0.37 + 0.13) % 1)",
    ready: `${settled} && ${inDirectory}`,
  });
  await note("open Sessions", 10, opened("sessions", rows));
  await timed(page, goTo("sessions", rows), 0);
  await note("last session", 1, {
    run: key("G"),
    ready: `${settled} && document.querySelector('.row.current') !== null`,
  });
  await note(
    "open Today",
    10,
    opened("today", "document.querySelector('.day-figures, .empty') !== null"),
  );
  await note(
    "open Prompts",
    10,
    opened("given", "document.querySelector('.given-row, .empty') !== null"),
  );
  await note(
    "open Projects",
    10,
    opened("project", "document.querySelector('.project-list') !== null"),
  );
  await note("open a project", 10, {
    ...opened(
      "project/github.com%2Facme%2Fservice-1",
      "document.querySelector('.day-figures') !== null",
    ),
  });
  await note(
    "open Review",
    10,
    opened("review", "document.querySelector('.empty, .review-main') !== null"),
  );
  await note("open Statistics", 10, opened("stats", "document.querySelector('.figures') !== null"));
  await note(
    "open Settings",
    10,
    opened("settings", "document.querySelector('.setting') !== null"),
  );
  await note(
    "open the map",
    10,
    opened("map", "document.querySelectorAll('.map-dot').length > 100"),
  );
  const { prompt } = createCorpus();
  const questions = Array.from({ length: 20 }, (_, n) =>
    prompt(n * 71)
      .split(" ")
      .slice(0, 4)
      .join(" "),
  );
  const asked = JSON.stringify(questions);
  await page.evaluate('location.hash = "#/preview"');
  await page.locator(".preview-told .chart").first().waitFor();
  await note("type a prompt in Preview", questions.length, {
    run: `const field = document.querySelector('.preview-ask textarea'); field.value = ${asked}[n]; field.dispatchEvent(new InputEvent('input', { bubbles: true }))`,
    ready: `document.querySelector('.preview-told').getAttribute('aria-busy') === 'false' && document.querySelector('.preview-told').dataset.prompt === ${asked}[n].trim()`,
  });
  await page.evaluate('location.hash = "#/search"');
  await page.getByLabel("Search memories").waitFor();
  await note("search", questions.length, {
    run: `const field = document.querySelector('input[type=search]'); field.value = ${asked}[n]; field.dispatchEvent(new InputEvent('input', { bubbles: true })); field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))`,
    ready: `document.querySelector('[role=search] .spinner') === null && location.hash.includes(encodeURIComponent(${asked}[n].split(' ')[0])) && document.querySelectorAll('.found-row').length > 0`,
  });
  await note("open the palette", 10, {
    run: "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }))",
    ready: "document.querySelector('[role=dialog] input, dialog input') !== null",
    after: key("Escape"),
  });
  await page.evaluate('location.hash = "#/memories"');
  await page.locator(".virtual a.row").first().waitFor();
  await note("open a memory", 10, {
    run: "document.querySelectorAll('.virtual a.row')[n].dispatchEvent(new MouseEvent('dblclick', { bubbles: true })); location.hash = document.querySelectorAll('.virtual a.row')[n].getAttribute('href')",
    ready: "document.querySelector('.memory.whole .facts') !== null",
    after: "location.hash = '#/memories'",
    back: rows,
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
  /** What is done before the next time, and when that is done; not measured. */
  readonly after?: string;
  readonly back?: string;
}

const key = (name: string): string =>
  `document.body.dispatchEvent(new KeyboardEvent("keydown", { key: ${JSON.stringify(name)}, bubbles: true }))`;

const actMsMax = 3_000;

/** Milliseconds from an act until the frame after its result stands in the page. */
async function timed(page: Page, { run, ready, after, back }: Act, n: number): Promise<number> {
  const ms = await page.evaluate<number>(`(async () => {
    const n = ${n};
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    const started = performance.now();
    ${run};
    do await frame(); while (!(${ready}) && performance.now() - started < ${actMsMax});
    const ms = performance.now() - started;
    ${after ?? ""};
    const left = performance.now();
    do await frame(); while (!(${back ?? "true"}) && performance.now() - left < ${actMsMax});
    return ms;
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

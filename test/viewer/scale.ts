/**
 * A home with very many memories, and what using it in the page costs: milliseconds from an act to the frame that shows
 * its result, measured inside the page, and the memory that the page holds in the end.
 */
import { Database } from "bun:sqlite";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { loadEmbeddedModel } from "#embed";
import { createCorpus } from "../../lab/bench/scale/corpus.ts";
import { fillDatabase } from "../../lab/bench/scale/fill.ts";
import { eventually } from "../support/program.ts";
import { enter, openViewerHome, openWindow, type ViewerHome } from "./browser.ts";

export interface ScaleSize {
  readonly memories: number;
  readonly sessions: number;
  /** The number of times that each act is done. */
  readonly times: number;
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
  size: Omit<ScaleSize, "times">,
  work: (home: ViewerHome) => Promise<void>,
): Promise<void> {
  await using home = await openScaleHome(size);
  await work(home);
}

async function openScaleHome(size: Omit<ScaleSize, "times">): Promise<ViewerHome> {
  const home = await openViewerHome((program) => {
    mkdirSync(program.paths.root, { recursive: true, mode: 0o700 });
    fill(program.paths.database, size);
    return { nowMs: Date.now(), uri: "", sessionId: "s0" };
  });
  // The first upkeep of a new home is not measured: its upkeep goes through every memory.
  await home.program.flush();
  await eventually("upkeep is through", () => isUpkept(home), upkeepMsMax);
  return home;
}

async function isUpkept(home: ViewerHome): Promise<boolean> {
  const status = (await home.ask("/api/status")) as { upkeep?: readonly { task: string }[] } | null;
  return status?.upkeep?.some(({ task }) => task === "plans") ?? false;
}

function fill(path: string, { memories, sessions }: Omit<ScaleSize, "times">): void {
  const loaded = loadEmbeddedModel();
  if (!loaded.ok) throw new Error("no embedder");
  fillDatabase(path, memories, { corpus: createCorpus(), embedder: loaded.value });
  const db = new Database(path);
  const insert = db.prepare(
    `INSERT OR IGNORE INTO sessions (session_id, project, project_name, title, status, started_at, last_event_at)
     VALUES (?, 'github.com/acme/service-1', 'service-1', 'an invented session', 'completed', ?, ?)`,
  );
  db.transaction(() => {
    for (let n = 0; n < sessions; n += 1) insert.run(`s${n}`, n * 60_000, n * 60_000);
  })();
  db.close();
}

async function use(home: ViewerHome, { memories, times }: ScaleSize): Promise<ScaleReport> {
  await using window = await openWindow();
  const { page } = window;
  await enter(window, home, "nonsense");
  await page.getByText("Page not found").waitFor();
  await Bun.sleep(firstRestMs);
  const acts: { readonly name: string; readonly ms: readonly number[] }[] = [];
  for (const act of [...listActs(memories), ...sessionActs, openSearch, searchAct(times)]) {
    const ms: number[] = [];
    for (let n = 0; n < times; n += 1) {
      if (act.before !== undefined) await timed(page, act.before, n);
      ms.push(await timed(page, act, n));
    }
    acts.push({ name: act.name, ms });
  }
  return {
    acts,
    heapBytes: await heapOf(page),
    processBytes: await processBytesOf(page),
    elements: await page.evaluate(() => document.querySelectorAll("*").length),
  };
}

const goTo = (view: string, ready: string): Act => ({ run: `location.hash = "#/${view}"`, ready });

const rows = "document.querySelectorAll('.virtual a.row').length > 10";
const settled = "document.querySelector('.virtual-row:empty') === null";
const chosen = "document.querySelector('.row.current')?.closest('[data-index]')?.dataset.index";
const away = goTo("nonsense", "document.querySelector('.virtual') === null");
/** Somewhere else each time. */
const part = (step: number): string => `((n * 0.37 + ${step}) % 1)`;
const endAndBack = press("n % 2 === 0 ? 'G' : 'Home'");

function listActs(memories: number): readonly NamedAct[] {
  const jumped = `Math.floor(${memories} * ${part(0.11)})`;
  const categories = JSON.stringify(["cases", "preferences", "entities", "patterns"]);
  const category = `${categories}[n % 4]`;
  const pick = [
    "const filters = [...document.querySelectorAll('label.filter')]",
    "const field = filters.find((one) => one.textContent.startsWith('category')).querySelector('select')",
    `field.value = ${category}`,
    "field.dispatchEvent(new Event('change', { bubbles: true }))",
  ];
  const counted = "document.querySelector('.top-count').textContent !== ''";
  return [
    { name: "open the list", ...goTo("memories", `${settled} && ${rows}`), before: away },
    {
      name: "next row",
      run: key("j"),
      ready: "document.querySelector(`[data-index='${n + 1}'] .current`) !== null",
    },
    {
      name: "jump within the list",
      run: `document.querySelector('.scroll').scrollTop = 52 * ${jumped}`,
      ready: `${settled} && document.querySelector("[data-index='" + ${jumped} + "'] a.row") !== null`,
    },
    {
      name: "last row, first row",
      run: endAndBack,
      ready: `${settled} && (n % 2 === 0 ? ${chosen} > 1000 : ${chosen} === "0")`,
    },
    {
      name: "filter the list",
      run: pick.join("; "),
      ready: `${settled} && ${rows} && location.hash.includes(${category}) && ${counted}`,
    },
  ];
}

const sessionActs: readonly NamedAct[] = [
  { name: "open sessions", ...goTo("sessions", `${settled} && ${rows}`), before: away },
  {
    name: "last session, first session",
    run: endAndBack,
    ready: `${settled} && document.querySelector('.row.current') !== null`,
  },
];

const openSearch: NamedAct = {
  name: "open the search",
  ...goTo("memories?find=1", "document.querySelector('input[type=search]') !== null"),
  before: away,
};

function searchAct(times: number): NamedAct {
  const { prompt } = createCorpus();
  const question = `${JSON.stringify(
    Array.from({ length: times }, (_, n) =>
      prompt(n * 71)
        .split(" ")
        .slice(0, 4)
        .join(" "),
    ),
  )}[n]`;
  const send = [
    "const field = document.querySelector('input[type=search]')",
    `field.value = ${question}`,
    "field.dispatchEvent(new InputEvent('input', { bubbles: true }))",
    "field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))",
  ];
  const ready = [
    "document.querySelector('[role=search] .spinner') === null",
    `new URLSearchParams(location.hash.split("?")[1]).get("q") === ${question}`,
    "document.querySelectorAll('[aria-label=Results] .memory-row').length > 0",
  ];
  return { name: "search", run: send.join("; "), ready: ready.join(" && ") };
}

/** Source that runs in the page; `n` counts the repetitions. */
interface Act {
  readonly run: string;
  readonly ready: string;
  /** An act before each, unmeasured. */
  readonly before?: Act;
}

interface NamedAct extends Act {
  readonly name: string;
}

function key(name: string): string {
  return press(JSON.stringify(name));
}

/** `key` is source: a text or what gives one. */
function press(key: string): string {
  return `document.body.dispatchEvent(new KeyboardEvent("keydown", { key: ${key}, bubbles: true }))`;
}

const actMsMax = 10_000;
const upkeepMsMax = 180_000;
const restMs = 100;
/** The daemon has just begun and the page loads what it was not asked for yet: not what is measured. */
const firstRestMs = 3_000;

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
  // The page and the browser come to rest, as they do between two acts of a person.
  await Bun.sleep(restMs);
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

/** A real Chromium on a real daemon: everything that a test of the viewer needs, and what each test must not see. */
import { existsSync } from "node:fs";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { binary, eventually, openProgram, type Program } from "../support/program.ts";
import usualPlaces from "./chromium-places.json";
import { fillSample, type SampleHome } from "./sample.ts";

/** Path of the browser, or null when this machine has none. */
export const chromiumPath = (): string | null =>
  [process.env["CONTINUITY_CHROMIUM"] ?? "", ...usualPlaces].find(
    (path) => path !== "" && existsSync(path),
  ) ?? null;

export interface ViewerHome extends AsyncDisposable {
  readonly program: Program;
  readonly sample: SampleHome;
  /** Address of the daemon: `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** A link that opens the page once. */
  readonly link: () => Promise<string>;
  /** The answer to a question over the daemon's own socket; null when it is refused. */
  readonly ask: (path: string) => Promise<Record<string, unknown> | null>;
  /** Ends the daemon without a word, and starts one on the same port. */
  readonly kill: () => Promise<void>;
  readonly restart: () => Promise<void>;
}

/** A home with the sample in it (or what `fill` puts there) and its daemon. */
export async function openViewerHome(
  fill: (program: Program) => SampleHome = (program) => fillSample(program.paths, Date.now()),
): Promise<ViewerHome> {
  const program = openProgram({ CONTINUITY_AUTOSTART: "0" });
  const sample = fill(program);
  let daemon = serve(program, 0);
  const port = await portOf(program);
  return {
    program,
    sample,
    origin: `http://127.0.0.1:${port}`,
    link: async () => {
      // The request of `continuity ui`; the command itself has a test of its own.
      const reply = await fetch("http://localhost/api/ui/code", {
        unix: program.paths.socket,
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{}",
      });
      return ((await reply.json()) as { readonly url: string }).url;
    },
    ask: async (path) => {
      const reply = await fetch(`http://localhost${path}`, { unix: program.paths.socket });
      return reply.ok ? ((await reply.json()) as Record<string, unknown>) : null;
    },
    kill: async () => {
      daemon.kill("SIGKILL");
      await daemon.exited;
    },
    restart: async () => {
      daemon = serve(program, port);
      await eventually("the daemon answers again", async () =>
        fetch(`http://127.0.0.1:${port}/api/health`).then(
          ({ ok }) => ok,
          () => false,
        ),
      );
    },
    [Symbol.asyncDispose]: async () => {
      daemon.kill("SIGKILL");
      await daemon.exited;
      await program[Symbol.asyncDispose]();
    },
  };
}

const serve = (program: Program, port: number) =>
  Bun.spawn([binary, "serve", "--port", `${port}`, "--idle-exit", "never"], {
    env: { ...program.env },
    cwd: program.folder,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });

async function portOf(program: Program): Promise<number> {
  let port = 0;
  await eventually("the daemon listens", async () => {
    const file = Bun.file(program.paths.daemonJson);
    if (!(await file.exists())) return false;
    port = ((await file.json().catch(() => ({}))) as { port?: number }).port ?? 0;
    return port > 0;
  });
  return port;
}

export interface Window extends AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  /** The messages of the console, uncaught errors, and requests that left this machine. Tests want it empty. */
  readonly faults: string[];
}

export interface WindowOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "light" | "dark";
  readonly calm?: boolean;
  /** A finger instead of a mouse. */
  readonly hasTouch?: boolean;
}

let started: Promise<Browser> | null = null;

/** One browser for all tests of a run, in a profile of its own that goes with it. */
function browser(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === null) throw new Error("no Chromium on this machine");
  started ??= chromium.launch({
    executablePath,
    headless: true,
    args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update"],
  });
  return started;
}

/** Both themes, and a width of each layout; no colour depends on the width. */
export const themesAndWidths = [
  ["light", 360],
  ["dark", 768],
  ["light", 1440],
] as const;

/** A window with a storage of its own. */
export async function openWindow(options: WindowOptions = {}): Promise<Window> {
  const context = await (
    await browser()
  ).newContext({
    viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
    colorScheme: options.theme ?? "light",
    hasTouch: options.hasTouch ?? false,
    isMobile: options.hasTouch ?? false,
    reducedMotion: options.calm === false ? "no-preference" : "reduce",
    permissions: ["clipboard-write", "clipboard-read"],
  });
  const page = await context.newPage();
  page.setDefaultTimeout(8_000);
  const faults: string[] = [];
  page.on("console", (message) => {
    // The browser itself notes every refusal; what the page makes of it is what tests look at.
    const isRefusal = /status of 4(00|01|04|09|12|22)/.test(message.text());
    if ((message.type() === "error" || message.type() === "warning") && !isRefusal)
      faults.push(`${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => faults.push(`uncaught: ${error.message}`));
  context.on("request", (request) => {
    if (!/^(http:\/\/127\.0\.0\.1:|data:|about:|blob:)/.test(request.url()))
      faults.push(`left this machine: ${request.url()}`);
  });
  return {
    page,
    context,
    faults,
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** Opens the page through a one-time link and waits for the menu. */
export async function enter(window: Window, home: ViewerHome, view = ""): Promise<void> {
  await window.page.goto(await home.link());
  await window.page.locator(".sidebar").waitFor({ state: "attached" });
  if (view !== "") await show(window, view);
}

/** Goes to a view by its address. */
export async function show({ page }: Window, view: string): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/${view}`);
}

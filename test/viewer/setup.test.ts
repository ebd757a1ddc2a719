/** An empty home, the palette and a finger: by keyboard, in both themes, on every width. */
import { mkdirSync, writeFileSync } from "node:fs";
import axe from "axe-core";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chromiumPath,
  enter,
  openViewerHome,
  openWindow,
  show,
  type ViewerHome,
  type Window,
  themesAndWidths,
} from "./browser.ts";
import type { JobsJson } from "#api";
import { msPerDay, stoppedClock, systemRandom } from "#kit";
import { openStore } from "#store";
import { addImported } from "../support/imported.ts";
import { eventually } from "../support/program.ts";
import { fillSample } from "./sample.ts";

const openEmpty = (): Promise<ViewerHome> =>
  openViewerHome((program) => {
    mkdirSync(program.paths.root, { recursive: true, mode: 0o700 });
    return { nowMs: Date.now(), uri: "", sessionId: "" };
  });

const faultsIn = ({ page }: Window): Promise<unknown> =>
  page.evaluate("axe.run().then(({ violations }) => violations.map(({ id }) => id))");

describe.skipIf(chromiumPath() === null)("an empty home", () => {
  let home: ViewerHome;
  beforeAll(async () => {
    home = await openEmpty();
  });
  afterAll(() => home[Symbol.asyncDispose]());

  test("the first page checks the installation, says how it works and leads to a prompt to try", async () => {
    await using window = await openWindow();
    const { page } = window;
    await enter(window, home);
    await page.getByText("How it works").waitFor();
    await page.getByText(/\d+ of \d+ checks? needs? attention/).waitFor({ timeout: 60_000 });
    await page.getByText("run `continuity install`").first().waitFor();
    await page.getByRole("button", { name: "Copy continuity install" }).first().click();
    await page.getByText("Copied").waitFor();
    // Each that needs attention has a button, also where the fix names no command.
    const wrong = page.locator(".checks").first().locator("li");
    expect(await wrong.getByRole("button", { name: /^Copy / }).count()).toBe(await wrong.count());
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("continuity install");
    // The page of a day says nothing before there is a first one.
    expect(await page.locator(".day").count()).toBe(0);
    await page.getByRole("link", { name: "Try a prompt" }).focus();
    await page.keyboard.press("Enter");
    await page.locator(".tried[aria-busy=false]").waitFor();
    expect(await page.getByLabel("Try a prompt").inputValue()).toContain("Which package manager");
    expect(window.faults).toEqual([]);
  });

  test("an import that finds nothing says so, and what was stored stays what it was", async () => {
    await using window = await openWindow();
    const { page } = window;
    await enter(window, home, "settings/setup");
    await page.getByRole("button", { name: "Import", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.getByText(/The import failed|Done:/).waitFor({ timeout: 60_000 });
    await page.getByText("0 sessions, 0 turns, 0 memories stored").waitFor();
    expect(window.faults).toEqual([]);
  });

  test.each(themesAndWidths)("axe finds nothing in %s at %d pixels", async (theme, width) => {
    await using window = await openWindow({ width, theme });
    const { page } = window;
    await enter(window, home, "settings/setup");
    await page.evaluate(axe.source);
    await page.getByText(/\d+ of \d+ checks? needs? attention/).waitFor({ timeout: 60_000 });
    expect(await faultsIn(window)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    expect(window.faults).toEqual([]);
  });
});

describe.skipIf(chromiumPath() === null)("what was imported and no model has read", () => {
  test("a model reads it when somebody says so, how far it is stands there, and Stop takes it back", async () => {
    await using home = await openViewerHome((program) => {
      const sample = fillSample(program.paths, Date.now());
      const clock = stoppedClock(sample.nowMs);
      const options = { mode: "readwrite", clock, random: systemRandom } as const;
      const opened = openStore(program.paths.database, options);
      if (!opened.ok) throw new Error(opened.error.type);
      using store = opened.value;
      for (const n of [1, 2, 3]) addImported(store, `old-${n}`, sample.nowMs - n * msPerDay);
      // Without a budget every question waits for tomorrow: nothing is asked, and nothing gets done by itself.
      writeFileSync(
        program.paths.config,
        '[llm]\nprovider = "ollama"\nmodel = "none"\ntokens_per_day = 0\n',
      );
      return sample;
    });
    await using window = await openWindow();
    const { page } = window;
    await enter(window, home, "settings/setup");
    await page.getByText("ollama can read 3 imported sessions").waitFor();
    await page.getByRole("button", { name: "Read them" }).click();
    await page.getByText("0 of 3 imported sessions read by the model · 0 tokens").waitFor();
    await eventually("all of them wait", async () => {
      const jobs = (await home.ask("/api/jobs")) as JobsJson | null;
      return jobs?.counts["leased"] === 0;
    });
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("ollama can read 3 imported sessions").waitFor();
    expect(window.faults).toEqual([]);
  });
});

describe.skipIf(chromiumPath() === null)("palette and fingers", () => {
  let home: ViewerHome;
  beforeAll(async () => {
    home = await openViewerHome();
  });
  afterAll(() => home[Symbol.asyncDispose]());

  test("the palette leads to screens and projects", async () => {
    await using window = await openWindow();
    const { page } = window;
    await enter(window, home, "sessions");
    const pick = async (typed: string, name: string): Promise<void> => {
      await page.keyboard.press("Control+k");
      await page.locator("dialog input").fill(typed);
      const option = page.getByRole("option", { name }).first();
      await option.waitFor();
      while (!(await option.getAttribute("class"))?.includes("current"))
        await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
    };
    await pick("statist", "Statistics");
    await page.getByText("Did memory help?").waitFor();
    await pick("project ledger", "Project ledger");
    await page.locator("h1", { hasText: "ledger" }).waitFor();
    expect(window.faults).toEqual([]);
  });

  test("the palette shows what holds, and no value that was replaced", async () => {
    await using window = await openWindow();
    const { page } = window;
    await enter(window, home, "sessions");
    await page.keyboard.press("Control+k");
    await page.locator("dialog input").fill("staging database");
    await page.getByRole("option", { name: /listens on port 5433/ }).waitFor();
    expect(await page.getByRole("option", { name: /listens on port 5432/ }).count()).toBe(0);
    expect(window.faults).toEqual([]);
  });

  test("a finger finds room on every button and link of the frame", async () => {
    await using window = await openWindow({ width: 360, hasTouch: true });
    const { page } = window;
    await enter(window, home);
    for (const view of [
      "",
      "memories",
      "memories?q=port",
      "review",
      "settings/setup",
      "settings",
    ]) {
      await show(window, view);
      await page.locator("h1").first().waitFor();
      await page.locator("main :is(.row, .button, .setting)").first().waitFor();
      const small = await page.evaluate<readonly string[]>(
        "[...document.querySelectorAll('main button, .sidebar a, .sidebar button, main select')].filter((one) => one.offsetParent !== null && getComputedStyle(one).visibility === 'visible' && (one.getBoundingClientRect().height < 43.5) && !one.matches('.link')).map((one) => `${one.className} ${one.textContent.slice(0, 20)}`)",
      );
      expect([view, [...new Set(small)]]).toEqual([view, []]);
    }
    expect(window.faults).toEqual([]);
  });
});

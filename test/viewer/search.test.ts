/** Searching and listing as one does it every day: by day, by letters, by what holds and what was replaced. */
import axe from "axe-core";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eventually } from "../support/program.ts";
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

const question = "memories?q=staging%20database%20port";
const old = "listens on port 5432";

describe.skipIf(chromiumPath() === null)("search and lists", () => {
  let home: ViewerHome;
  beforeAll(async () => {
    home = await openViewerHome();
  });
  afterAll(() => home[Symbol.asyncDispose]());

  const entered = async (window: Window, view: string): Promise<void> => {
    await enter(window, home, view);
    await window.page.locator(".virtual .row").first().waitFor();
  };

  test("a search finds the value that holds; a replaced one where it is asked for, with what replaced it", async () => {
    await using window = await openWindow();
    const { page } = window;
    await entered(window, question);
    await page.locator(".memory-row.current", { hasText: "5433" }).waitFor();
    expect(await page.locator(".memory-row", { hasText: old }).count()).toBe(0);
    await page.getByLabel("status").selectOption({ label: "Replaced" });
    await page.locator(".memory-row.current", { hasText: old }).waitFor();
    await page.locator(".pane", { hasText: "Replaced by" }).getByText("5433").first().waitFor();
    expect(window.faults).toEqual([]);
  });

  test("results are narrowed by days, and the address says so", async () => {
    await using window = await openWindow();
    const { page } = window;
    await entered(window, question);
    expect(await page.locator(".virtual").getAttribute("aria-label")).toBe("Results");
    await page.getByLabel("Until").fill("2001-01-01");
    await page.getByText("No results").waitFor();
    expect(page.url()).toContain("to=2001-01-01");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.locator(".memory-row", { hasText: "5433" }).first().waitFor();
    expect(window.faults).toEqual([]);
  });

  test("a search finds memories, and conversations where they are asked for, one for a turn", async () => {
    await using window = await openWindow();
    const { page } = window;
    await entered(window, question);
    const places = (): Promise<readonly (string | null)[]> =>
      page
        .locator(".memory-row")
        .evaluateAll((rows) => rows.map((row) => row.getAttribute("href")));
    expect((await places()).filter((href) => href?.includes("sessions"))).toEqual([]);
    await page.getByRole("button", { name: "search conversations" }).click();
    await page.waitForURL(/kind=said/);
    await page.locator('.memory-row[href*="session"]').first().waitFor();
    expect(window.faults).toEqual([]);
  });

  test("the project that is chosen once holds in every view, until another one is", async () => {
    await using window = await openWindow();
    const { page } = window;
    await entered(window, "memories");
    await page.getByLabel("Scope").selectOption("github.com/acme/ledger");
    const only = async (selector: string): Promise<void> => {
      await page.locator(selector).first().waitFor();
      await eventually("nothing else is left", async () => {
        const names = await page.locator(selector).allTextContents();
        return names.every((name) => name === "acme/ledger" || name === "everywhere");
      });
    };
    await only(".virtual .row .row-project");
    await show(window, "sessions");
    await page.locator(".session-row").first().waitFor();
    await eventually("every session is of it", async () => {
      const lines = await page.locator(".session-row .cut").allTextContents();
      return lines.length > 0 && lines.every((line) => line.includes("ledger"));
    });
    await show(window, "?try=which+bucket");
    await page.locator(".tried", { hasText: "in acme/ledger" }).waitFor();
    await page.reload();
    await page.getByLabel("Scope").waitFor();
    expect(await page.getByLabel("Scope").inputValue()).toBe("github.com/acme/ledger");
    expect(window.faults).toEqual([]);
  });

  test.each(themesAndWidths)("axe finds nothing in %s at %d pixels", async (theme, width) => {
    await using window = await openWindow({ width, theme });
    const { page } = window;
    await entered(window, `${question}&status=superseded`);
    await page.evaluate(axe.source);
    const faultsIn = (): Promise<unknown> =>
      page.evaluate("axe.run().then(({ violations }) => violations.map(({ id }) => id))");
    expect(await faultsIn()).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    expect(window.faults).toEqual([]);
  });
});

/** Memories whose text would do harm if it were anything but text: wherever it is shown, it is shown and runs nothing. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import {
  chromiumPath,
  enter,
  openViewerHome,
  openWindow,
  show,
  type ViewerHome,
  type Window,
} from "./browser.ts";
import { hostileMemories, longLine } from "./hostile.fixtures.ts";

describe.skipIf(chromiumPath() === null)("hostile text", () => {
  let home: ViewerHome;
  let window: Window;
  beforeAll(async () => {
    home = await openViewerHome();
    window = await openWindow();
    await enter(window, home);
  });
  afterAll(async () => {
    await window[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  });

  /** Nothing ran, and nothing of it became an element. */
  const expectOnlyText = async (page: Page): Promise<void> => {
    const harm = await page.evaluate(() => ({
      pwned: Reflect.get(globalThis, "pwned") as unknown,
      elements: document.querySelectorAll(
        "#app script, #app img, #app iframe, #app math, #app style, #app animate, #app a[href^='javascript'], #app [onload], #app [onerror]",
      ).length,
    }));
    expect(harm).toEqual({ pwned: undefined, elements: 0 });
    expect(window.faults).toEqual([]);
  };

  test.each([...hostileMemories])(
    "$slug is text on its page, in its history and in the form",
    async ({ slug, l2 }) => {
      const { page } = window;
      await show(window, `memory?uri=${encodeURIComponent(`mem://agent/cases/${slug}`)}`);
      await page.locator(".place", { hasText: slug }).waitFor();
      await page.getByRole("tab", { name: "Text" }).click();
      await page.locator(".tiers .prose").last().waitFor();
      await expectOnlyText(page);
      const shown = await page.locator(".tiers .prose").last().innerText();
      if (!/[\u0000-\u001f\u007f-\u009f\u202e]/.test(l2))
        expect(shown.replaceAll(/\s+/g, "")).toBe(l2.replaceAll(/\s+/g, ""));
      await page.getByRole("tab", { name: "History" }).click();
      await page.locator(".diff").first().waitFor();
      await expectOnlyText(page);
      await page.keyboard.press("e");
      await page.locator("form.edit").waitFor();
      await expectOnlyText(page);
      await page.keyboard.press("Escape");
    },
  );

  test.each([
    ["the list", "memories?category=cases"],
    ["a directory", "memory?uri=mem://agent/cases"],
    ["search", "memories?q=SVG+script+hostile+terminal+direction"],
    ["timeline", "timeline?around=mem%3A%2F%2Fagent%2Fcases%2Fhostile-html"],
  ])("%s shows it as text", async (_, view) => {
    await show(window, view);
    await window.page.getByText("SVG with events").first().waitFor();
    await expectOnlyText(window.page);
  });

  test("the palette shows it as text", async () => {
    const { page } = window;
    await page.keyboard.press("Control+k");
    await page.keyboard.type("svg events");
    await page.getByRole("option", { name: /SVG with events/ }).waitFor();
    await expectOnlyText(page);
    await page.keyboard.press("Escape");
  });

  test("direction overrides and terminal codes are named instead of obeyed", async () => {
    const { page } = window;
    await show(window, "memory?uri=mem%3A%2F%2Fagent%2Fcases%2Fhostile-rtl");
    const name = page.locator(".memory-title");
    await name.getByText("RLO").waitFor();
    expect(await name.innerText()).toContain("gpj.exe");
    expect(await page.evaluate(() => document.body.innerText)).not.toMatch(
      /[\u202a-\u202e\u2066-\u2069]/,
    );
    await show(window, "memory?uri=mem%3A%2F%2Fagent%2Fcases%2Fhostile-ansi");
    await page.locator(".memory-title").getByText("ESC").first().waitFor();
    // The title beside a right-to-left text stays where it is.
    const order = await page.evaluate(
      () =>
        getComputedStyle(document.querySelector(".memory-title bdi") ?? document.body).unicodeBidi,
    );
    expect(order).toBe("isolate");
  });

  test("a line of 40,000 characters neither widens the page nor stops it", async () => {
    const { page } = window;
    await show(window, "memory?uri=mem%3A%2F%2Fagent%2Fcases%2Fhostile-long-line");
    const text = page.locator(".tiers .prose").last();
    await text.waitFor();
    expect((await text.innerText()).length).toBe(longLine.length);
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      const wider = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(wider).toBe(0);
    }
  });
});

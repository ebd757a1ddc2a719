/** Many memories at once, by keyboard alone: marked one by one, as a range or all that match, and taken back as a whole. */
import axe from "axe-core";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { MemoryPageJson } from "#api";
import {
  chromiumPath,
  enter,
  openViewerHome,
  openWindow,
  show,
  type ViewerHome,
  type Window,
} from "./browser.ts";

describe.skipIf(chromiumPath() === null)("many at once", () => {
  let home: ViewerHome;
  beforeAll(async () => {
    home = await openViewerHome();
  });
  afterAll(() => home[Symbol.asyncDispose]());

  const total = async (query: string): Promise<number> =>
    ((await home.ask(`/api/memories?${query}`)) as MemoryPageJson | null)?.total ?? -1;
  /** A list of memories, with the focus on its first row. */
  const opened = async (window: Window, view: string): Promise<void> => {
    await show(window, view);
    await window.page.locator(".row.current").waitFor();
  };

  test("x marks, J marks a range, * all that match, x takes one out; another list has its own marks", async () => {
    await using window = await openWindow();
    const { page } = window;
    await enter(window, home);
    await opened(window, "memories?category=patterns");
    const count = await total("category=patterns&status=active");
    await page.keyboard.press("x");
    await page.keyboard.press("J");
    await page.keyboard.press("Shift+ArrowDown");
    await page.getByText("3 selected").waitFor();
    await page.keyboard.press("*");
    await page.getByText(`${count} selected`).waitFor();
    await page.keyboard.press("x");
    await page.getByText(`${count - 1} selected`).waitFor();
    await show(window, "memories?category=cases");
    await page.locator(".bulk-bar").waitFor({ state: "detached" });
    expect(window.faults).toEqual([]);
  });

  test("forgetting asks first, can be taken back within its moment, and is for good after it", async () => {
    await using window = await openWindow();
    const { page } = window;
    await enter(window, home);
    await opened(window, "memories?category=entities&project=github.com/acme/atlas");
    const before = await total("category=entities&project=github.com/acme/atlas");
    await page.keyboard.press("x");
    await page.keyboard.press("J");
    await page.keyboard.press("#");
    // Cancel has the focus: nobody forgets by a slip.
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("#");
    await page.getByRole("button", { name: "Forget 2 memories" }).click();
    await page.getByText("Forgetting 2 memories").waitFor();
    await page.keyboard.press("u");
    expect(await page.locator(".row.leaving").count()).toBe(0);
    await page.keyboard.press("x");
    await page.keyboard.press("#");
    await page.getByRole("button", { name: "Forget 1 memory" }).click();
    await page.getByText("Forgot 1 memory").waitFor({ timeout: 20_000 });
    expect(await total("category=entities&project=github.com/acme/atlas")).toBe(before - 1);
    expect(window.faults).toEqual([]);
  });

  test("what waits for review is accepted together, and waits again after u", async () => {
    await using window = await openWindow();
    const { page } = window;
    await enter(window, home);
    await opened(window, "review");
    const before = await total("status=pending");
    await page.keyboard.press("*");
    await page.keyboard.press("a");
    await page.getByText(`Accepted ${before} memories`).waitFor();
    expect(await total("status=pending")).toBe(0);
    await page.keyboard.press("u");
    await page.getByText(`Took back ${before} memories`).waitFor();
    expect(await total("status=pending")).toBe(before);
    expect(window.faults).toEqual([]);
  });

  for (const theme of ["light", "dark"] as const)
    test.each([360, 768, 1440])(
      `the bar is accessible and fits in ${theme} at %d pixels`,
      async (width) => {
        await using window = await openWindow({ width, theme });
        const { page } = window;
        await enter(window, home);
        await page.evaluate(axe.source);
        await show(window, "memories");
        await page.locator(".virtual .row").first().waitFor();
        await page.keyboard.press("j");
        await page.keyboard.press("x");
        await page.locator(".bulk-bar").waitFor();
        const faultsIn = (): Promise<unknown> =>
          page.evaluate("axe.run().then(({ violations }) => violations.map(({ id }) => id))");
        expect(await faultsIn()).toEqual([]);
        await page.keyboard.press("#");
        await page.getByRole("dialog").waitFor();
        expect(await faultsIn()).toEqual([]);
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
        await page.keyboard.press("Escape");
        await page.locator(".bulk-bar").waitFor({ state: "detached" });
        expect(window.faults).toEqual([]);
      },
    );
});

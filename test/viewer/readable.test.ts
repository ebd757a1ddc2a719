/** Tests what a person reads and presses: sizes of text, reasons in full, and the way back. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import {
  chromiumPath,
  enter,
  openViewerHome,
  openWindow,
  show,
  type ViewerHome,
} from "./browser.ts";

const smallestPx = 12;

describe.skipIf(chromiumPath() === null)("readable", () => {
  let home: ViewerHome;
  beforeAll(async () => {
    home = await openViewerHome();
  });
  afterAll(() => home[Symbol.asyncDispose]());

  const memoryAt = (): string => `memory?uri=${encodeURIComponent(home.sample.uri)}`;

  const views: readonly (readonly [address: () => string, text: string])[] = [
    [() => "", "Session start"],
    [() => "prompts/1", "Uses pnpm"],
    [() => "memories", "Atlas works offline"],
    [() => "memories?q=staging+database", "same words"],
    [() => "sessions", "Flaky checkout test"],
    [() => `session/${home.sample.sessionId}`, "Flaky checkout test"],
    [() => `timeline?around=${encodeURIComponent(home.sample.uri)}`, "Memory"],
    [memoryAt, "Writes need the role"],
    [() => `${memoryAt()}&tab=evidence`, "You said"],
    [() => `${memoryAt()}&tab=history`, "Created"],
    [() => "review", "Calls to the tile server"],
    [() => "settings/statistics", "Did memory help"],
    [() => "settings", "inject.prompt"],
  ];

  test.each([
    { width: 1440, height: 900 },
    { width: 768, height: 1024 },
    { width: 360, height: 740 },
  ])("no text is smaller than 12 pixels in a window of $width", async (size) => {
    await using window = await openWindow(size);
    const { page } = window;
    await enter(window, home);
    for (const [address, text] of views) {
      await show(window, address());
      await page.getByText(new RegExp(text)).filter({ visible: true }).first().waitFor();
      expect([address(), await smallTexts(page)]).toEqual([address(), []]);
    }
  });

  test("on a phone all filters are in sight", async () => {
    await using window = await openWindow({ width: 360, height: 740 });
    const { page } = window;
    await enter(window, home);
    for (const [address, text] of views.slice(0, 4)) {
      await show(window, address());
      await page.getByText(new RegExp(text)).first().waitFor();
      const hidden = await page.evaluate(() =>
        [...document.querySelectorAll(".filters select")]
          .filter((control) => control.getBoundingClientRect().right > innerWidth)
          .map(({ textContent }) => textContent),
      );
      expect([address(), hidden]).toEqual([address(), []]);
    }
  });

  test("on a phone no row is higher than its place", async () => {
    await using window = await openWindow({ width: 360, height: 740 });
    const { page } = window;
    await enter(window, home, "memories?q=staging+database");
    await page.locator(".memory-row").first().waitFor();
    const beyond = await page.evaluate(() =>
      [...document.querySelectorAll(".virtual-row")]
        .filter(
          ({ firstElementChild: row }) => row !== null && row.scrollHeight > row.clientHeight + 1,
        )
        .map(({ textContent }) => textContent),
    );
    expect(beyond).toEqual([]);
  });

  test.each([
    { width: 1440, height: 900 },
    { width: 360, height: 740 },
  ])("the button goes back to where one came from, or up, in a window of $width", async (size) => {
    await using window = await openWindow(size);
    const { page } = window;
    await enter(window, home, "sessions");
    await page.getByText("Flaky checkout test").first().waitFor();
    await show(window, memoryAt());
    const back = page.getByRole("button", { name: "Back", exact: true });
    await back.click();
    await page.getByText("Flaky checkout test").first().waitFor();
    expect(await back.count()).toBe(0);
    if (size.width < 400) {
      await show(window, memoryAt());
      const box = await back.boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    }
    // A page that begins there has nothing behind it: it does not leave the viewer.
    const other = await window.context.newPage();
    await other.goto(`${home.origin}/#/${memoryAt()}`);
    await other.getByText("Writes need the role").waitFor();
    await other.getByRole("button", { name: "Back", exact: true }).click();
    await other.getByText("Atlas works offline").first().waitFor();
    expect(other.url()).toBe(`${home.origin}/#/memories`);
    expect(window.faults).toEqual([]);
  });

  test("history and evidence lead to the turn that a memory was made of", async () => {
    await using window = await openWindow();
    const { page } = window;
    await enter(window, home, `${memoryAt()}&tab=evidence`);
    await page
      .getByRole("link", { name: /^turn \d+$/ })
      .first()
      .click();
    await page.locator('.timeline-item[aria-current="true"]').waitFor();
    expect(await page.locator('.timeline-item[aria-current="true"]').innerText()).toContain("You");
    await page.getByRole("button", { name: "Back", exact: true }).click();
    await page.getByRole("tab", { name: "History" }).click();
    await page.getByText("Created").first().waitFor();
    await page
      .getByRole("link", { name: /^session [\w-]{1,8}, turn \d+$/ })
      .first()
      .click();
    await page.locator('.timeline-item[aria-current="true"]').waitFor();
    expect(window.faults).toEqual([]);
  });

  test("a memory says how often it was given", async () => {
    await using window = await openWindow();
    const { page } = window;
    await enter(window, home, memoryAt());
    const node = await home.ask(`/api/nodes?uri=${encodeURIComponent(home.sample.uri)}&use=0`);
    const given = Number(node?.["given_count"]);
    expect(given).toBeGreaterThan(0);
    const fact = page.locator(".fact", { hasText: "Sent to Claude" });
    expect(await fact.innerText()).toContain(`${given} time${given === 1 ? "" : "s"}`);
  });
});

/** Visible texts whose letters are smaller on the screen, as a picture may be scaled. */
const smallTexts = (page: Page): Promise<readonly string[]> =>
  page.evaluate((smallest) => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const owner = node.parentElement;
      if (owner === null || node.textContent?.trim() === "" || !owner.checkVisibility()) continue;
      if (owner.closest("script, style, .unseen, title") !== null) continue;
      const scale = owner instanceof SVGGraphicsElement ? (owner.getScreenCTM()?.a ?? 1) : 1;
      const px = Number.parseFloat(getComputedStyle(owner).fontSize) * scale;
      if (px < smallest - 0.01)
        found.push(`${px.toFixed(1)} ${owner.className} ${node.textContent}`);
    }
    return found;
  }, smallestPx);

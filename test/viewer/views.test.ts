/** Every view in a real Chromium: both themes, narrow and wide, accessible, quiet, and nothing beyond this machine. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { eventually } from "../support/program.ts";
import {
  chromiumPath,
  enter,
  openViewerHome,
  openWindow,
  show,
  type ViewerHome,
  type Window,
} from "./browser.ts";

const axeSource = axe.source;

/** Address, and a text that is there once the view has what it shows. */
const views: readonly (readonly [
  name: string,
  address: (home: ViewerHome) => string,
  text: string,
])[] = [
  ["prompts", () => "", "Session start"],
  ["prompts that are not there", () => "?kind=failed", "No prompts match"],
  ["a prompt to try", () => "?try=which+package+manager", "Would be sent|Nothing sent"],
  ["one prompt", () => "prompts/1", "Uses pnpm"],
  ["a prompt that is not there", () => "prompts/999", "No injection 999"],
  ["memories", () => "memories", "Atlas works offline"],
  ["about you", () => "memories?list=you", "Wants short answers"],
  ["most used", () => "memories?list=used", "Wants short answers"],
  ["never used", () => "memories?list=never", "Deployed the new checkout"],
  ["conversations", () => "memories?list=archive", "No memories match"],
  ["replaced memories", () => "memories?status=superseded", "listens on port 5432"],
  ["expired memories", () => "memories?status=expired", "No memories match"],
  ["search", () => "memories?q=staging+database", "same words"],
  [
    "search without a result",
    () => "memories?q=zzyzx+qwrtp&kind=said&from=2099-01-01",
    "No results",
  ],
  ["sessions", () => "sessions", "Flaky checkout test"],
  ["session", ({ sample }) => `session/${sample.sessionId}`, "Flaky checkout test"],
  ["timeline", ({ sample }) => `timeline?around=${encodeURIComponent(sample.uri)}`, "Memory"],
  [
    "memory",
    ({ sample }) => `memory?uri=${encodeURIComponent(sample.uri)}`,
    "Writes need the role",
  ],
  ["a replaced memory", () => "memory?uri=mem://user/entities/staging-database-old", "Replaced by"],
  ["a directory", () => "memory?uri=mem://user/entities", "\\d+ entries"],
  [
    "a memory that is not there",
    () => "memory?uri=mem://user/profile/nobody",
    "was forgotten or never existed",
  ],
  ["projects", () => "project", "github.com/acme/shop"],
  ["review", () => "review", "Calls to the tile server"],
  ["settings", () => "settings", "inject.prompt"],
  ["statistics", () => "settings/statistics", "Did memory help"],
  ["nowhere", () => "nonsense", "Page not found"],
];

const looks = [
  { name: "wide and light", width: 1440, height: 900, theme: "light" },
  { name: "narrow and dark", width: 360, height: 740, theme: "dark" },
] as const;

describe.skipIf(chromiumPath() === null)("views", () => {
  let home: ViewerHome;
  beforeAll(async () => {
    home = await openViewerHome();
  });
  afterAll(() => home[Symbol.asyncDispose]());

  for (const { name: look, ...options } of looks)
    describe(look, () => {
      let window: Window;
      beforeAll(async () => {
        window = await openWindow(options);
        await enter(window, home);
        await window.page.evaluate(axeSource);
      });
      afterAll(() => window[Symbol.asyncDispose]());

      test.each([...views])(
        "%s shows what it has, and axe finds nothing serious",
        async (_, address, text) => {
          const { page } = window;
          await show(window, address(home));
          await page.getByText(new RegExp(text)).filter({ visible: true }).first().waitFor();
          expect(await overflow(page)).toBe(0);
          expect(await seriousFaults(page)).toEqual([]);
          expect(window.faults).toEqual([]);
        },
      );
    });

  const panels = [
    ["the palette", "Control+k", "dialog[open]"],
    ["the help", "?", "dialog[open]"],
    ["a new memory", "n", "dialog[open]"],
    ["the question before forgetting", "#", "dialog[open]"],
    ["the form", "e", "form.edit"],
  ] as const;

  test.each(["light", "dark"] as const)(
    "what lies over the page is accessible in %s",
    async (theme) => {
      await using window = await openWindow({ width: 1200, theme });
      const { page } = window;
      await enter(window, home, `memory?uri=${encodeURIComponent(home.sample.uri)}`);
      await page.getByText("Writes need the role").waitFor();
      await page.evaluate(axeSource);
      for (const [name, key, place] of panels) {
        await page.keyboard.press(key);
        await page.locator(place).waitFor();
        expect([name, await seriousFaults(page)]).toEqual([name, []]);
        await page.keyboard.press("Escape");
        await page.locator(place).waitFor({ state: "detached" });
      }
      expect(window.faults).toEqual([]);
    },
  );

  const tabs = [
    ["Source", "You said"],
    ["History", "Created"],
    ["Sent to Claude", "Nothing on record"],
  ] as const;

  test("tabs of a memory and of a session are accessible", async () => {
    await using window = await openWindow();
    const { page } = window;
    await enter(window, home, `memory?uri=${encodeURIComponent(home.sample.uri)}`);
    await page.evaluate(axeSource);
    for (const [tab, text] of tabs) {
      await page.getByRole("tab", { name: tab }).click();
      await page.getByText(text).first().waitFor();
      expect(await seriousFaults(page)).toEqual([]);
    }
    await show(window, `session/${home.sample.sessionId}`);
    for (const [tab, text] of [
      ["Summary", "Do the same for the refund"],
      ["Sent", "Session start"],
    ] as const) {
      await page.getByRole("tab", { name: tab }).click();
      await page.getByText(text).first().waitFor();
      expect(await seriousFaults(page)).toEqual([]);
    }
    expect(window.faults).toEqual([]);
  });

  test("every part of a memory fits a phone", async () => {
    await using window = await openWindow({ width: 360, height: 740 });
    const { page } = window;
    await enter(window, home, `memory?uri=${encodeURIComponent(home.sample.uri)}`);
    for (const [tab, text] of tabs) {
      await page.getByRole("tab", { name: tab }).click();
      await page.getByText(text).first().waitFor();
      expect([tab, await overflow(page)]).toEqual([tab, 0]);
    }
  });

  test("on a phone the help begins at its top", async () => {
    await using window = await openWindow({ width: 360, height: 740 });
    const { page } = window;
    await enter(window, home, "memories");
    await page.locator(".row").first().waitFor();
    await page.keyboard.press("?");
    await page.locator("dialog[open]").waitFor();
    expect(await page.locator("dialog[open]").evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  });

  test("a search shows at least 90 characters of each memory beside the one that is chosen", async () => {
    await using window = await openWindow();
    const { page } = window;
    await enter(window, home, "memories?q=staging");
    const rows = page.locator(".memory-row .row-text");
    await rows.first().waitFor();
    const room = await rows.first().evaluate((text) => {
      const pen = new OffscreenCanvas(1, 1).getContext("2d");
      if (pen === null) return 0;
      pen.font = getComputedStyle(text).font;
      const sentence = "The staging database of shop listens on port 5433, behind the bastion";
      return (2 * text.clientWidth * sentence.length) / pen.measureText(sentence).width;
    });
    expect(room).toBeGreaterThan(90);
  });

  test("the page fits windows from 320 to 3840 pixels, without a scrollbar below", async () => {
    await using window = await openWindow();
    await enter(window, home, "memories");
    for (const width of [320, 700, 899, 1100, 2560, 3840]) {
      await window.page.setViewportSize({ width, height: 800 });
      await window.page.getByText("Atlas works offline").first().waitFor();
      // The page hears of its new size with the next frame.
      await eventually(
        `nothing stands out at ${width}`,
        async () => !(await overflow(window.page)),
      );
    }
  });

  test("the theme follows the system until one is chosen, and the choice outlives the page", async () => {
    await using window = await openWindow({ theme: "dark" });
    const { page } = window;
    await enter(window, home);
    const dark = await background(page);
    await page.emulateMedia({ colorScheme: "light" });
    const light = await background(page);
    expect(light).not.toBe(dark);
    await page.keyboard.press("t");
    await page.keyboard.press("t");
    expect(await background(page)).toBe(dark);
    await page.reload();
    expect(await background(page)).toBe(dark);
  });

  test("the page weighs little", async () => {
    await using window = await openWindow();
    const { page } = window;
    await enter(window, home);
    const weight = await page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .filter((entry) => entry.name.includes("/assets/"))
        .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
    );
    expect(weight).toBeGreaterThan(10_000);
    expect(weight).toBeLessThan(55_000);
  });
});

/** Pixels that the page, or what scrolls up and down in it, is wider than its place. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll(".scroll, .pane")].reduce(
      (most, box) => Math.max(most, box.scrollWidth - box.clientWidth),
      0,
    ),
  );

const background = (page: Page): Promise<string> =>
  page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

async function seriousFaults(page: Page): Promise<readonly string[]> {
  const { violations } = await page.evaluate<AxeResult>(
    "axe.run(document, { resultTypes: ['violations'] })",
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
    );
}

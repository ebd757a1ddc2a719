/** The viewer without a mouse. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import {
  chromiumPath,
  enter,
  openViewerHome,
  openWindow,
  show,
  type ViewerHome,
  type Window,
} from "./browser.ts";

describe.skipIf(chromiumPath() === null)("keys", () => {
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
  beforeEach(async () => {
    await show(window, "nonsense");
    await window.page.getByText("Page not found").waitFor();
  });
  afterEach(() => {
    expect(window.faults).toEqual([]);
  });

  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await window.page.keyboard.press(key);
  };
  const title = (name: string): Promise<void> =>
    window.page.getByRole("heading", { level: 1, name }).waitFor();
  const currentRow = (): Promise<string> => window.page.locator(".row.current").first().innerText();

  test.each([
    ["p", "Prompts"],
    ["m", "Memories"],
    ["s", "Sessions"],
    ["o", "Projects"],
    ["r", "Review"],
    [",", "Settings"],
  ])("g %s goes to %s", async (key, name) => {
    await press("g", key);
    await title(name);
  });

  test("/ searches; Enter leaves the field for the results, which j, k and Enter walk and open", async () => {
    const { page } = window;
    await press("/");
    await page.locator("input[type=search]:focus").waitFor();
    await page.keyboard.type("staging database port");
    await page.getByText(/^\d+ results/).waitFor();
    await page.getByText("Result 1", { exact: true }).waitFor();
    await press("Enter", "j");
    await page.getByText("Result 2", { exact: true }).waitFor();
    await press("k");
    await page.getByText("Result 1", { exact: true }).waitFor();
    await press("Enter");
    await title("Memory");
    await page.getByRole("heading", { name: /behind the bastion host/ }).waitFor();
  });

  test("in a list j and k move the focus with the choice, G and g g go to its ends, Enter opens, Escape comes back", async () => {
    const { page } = window;
    await press("g", "m");
    await page.locator(".row.current").waitFor();
    const first = await currentRow();
    await press("j");
    expect(await currentRow()).not.toBe(first);
    await page.locator(".row.current:focus").waitFor();
    await press("G");
    const shown = await page.locator("[role=list]").getAttribute("aria-label");
    const last = Number(/(\d+)$/.exec(shown ?? "")?.[1]) - 1;
    await page.locator(`[data-index="${last}"] .row.current`).waitFor();
    await press("g", "g");
    expect(await currentRow()).toBe(first);
    await press("j", "Enter");
    await title("Memory");
    await press("Escape");
    await title("Memories");
  });

  test("whoever comes back to a list finds it as it was left; who opens it anew begins at its top", async () => {
    const { page } = window;
    await show(window, "memories");
    await page.locator(".row.current").waitFor();
    await press("G", "k", "k");
    const left = await currentRow();
    const topOf = (): Promise<number> =>
      page.locator(".split .scroll").evaluate(({ scrollTop }) => scrollTop);
    const top = await topOf();
    expect(top).toBeGreaterThan(0);
    await press("Enter");
    await title("Memory");
    await page.waitForFunction(() => /^(?!Memories).+ · Continuity$/.test(document.title));
    await press("Escape");
    await page.locator(".row.current").waitFor();
    expect([await currentRow(), await topOf()]).toEqual([left, top]);
    await press("g", "s");
    await title("Sessions");
    await press("g", "m");
    await page.locator(".row.current").waitFor();
    expect(await topOf()).toBe(0);
    expect(
      await page
        .locator(".virtual-row", { has: page.locator(".current") })
        .getAttribute("data-index"),
    ).toBe("0");
  });

  test("Ctrl-K finds places, actions and memories by name, and Escape leaves everything as it was", async () => {
    const { page } = window;
    await press("Control+k");
    await page.keyboard.type("sess");
    await press("Enter");
    await title("Sessions");
    await press("Control+k");
    await page.keyboard.type("bastion");
    await page.getByRole("option", { name: /behind the bastion/ }).waitFor();
    await press("Enter");
    await title("Memory");
    await press("Control+k", "Escape");
    await page.locator("dialog[open]").waitFor({ state: "detached" });
    await title("Memory");
  });

  test("? shows every key, and gives the focus back when it closes", async () => {
    const { page } = window;
    await press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await press("g", "m");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByText("Page not found").waitFor();
  });

  test("keys do nothing while somebody types", async () => {
    const { page } = window;
    await press("/");
    await page.locator("input[type=search]:focus").waitFor();
    await page.keyboard.type("gm?#pue");
    await title("Memories");
    expect(await page.locator("dialog[open]").count()).toBe(0);
    expect(await page.getByLabel("Search memories").inputValue()).toBe("gm?#pue");
  });

  test("e, p and # do nothing where no memory is chosen", async () => {
    const { page } = window;
    await press("e", "p", "#", "u");
    expect(await page.locator("dialog[open]").count()).toBe(0);
    expect(await page.locator(".toast").count()).toBe(0);
  });

  test("Tab reaches every control of a memory in order, and the focus can be seen", async () => {
    const { page } = window;
    await show(window, `memory?uri=${encodeURIComponent(home.sample.uri)}`);
    await page.getByText("Writes need the role").waitFor();
    const seen: string[] = [];
    for (let n = 0; n < 28; n += 1) {
      await press("Tab");
      const [name, outline] = await page.evaluate(() => {
        const active = document.activeElement;
        const style = active === null ? null : getComputedStyle(active);
        return [
          active?.getAttribute("title") ?? active?.textContent ?? "",
          `${style?.outlineStyle ?? ""} ${style?.outlineWidth ?? ""}`,
        ] as const;
      });
      seen.push(name);
      expect([name, outline]).not.toEqual([name, "none 0px"]);
    }
    expect(seen.join("|")).toMatch(/Edit.*\|Pin.*\|Forget.*\|.*Text.*/);
  });

  test("with reduced motion nothing moves; without it things may", async () => {
    const { page } = window;
    const speed = (): Promise<string> =>
      page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--quick"));
    expect(await speed()).toBe("0s");
    await page.emulateMedia({ reducedMotion: "no-preference" });
    expect(await speed()).not.toBe("0s");
    await page.emulateMedia({ reducedMotion: "reduce" });
  });

  test("on a phone the menu slides in, leads on and is gone", async () => {
    await using narrow = await openWindow({ width: 360, height: 740 });
    const { page } = narrow;
    await enter(narrow, home, "memories");
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    await page.locator(".sidebar.open").waitFor({ state: "detached" });
    expect(narrow.faults).toEqual([]);
  });

  test("e on a row opens the form of its memory, also where that has a page of its own", async () => {
    for (const width of [1440, 768]) {
      await using own = await openWindow({ width });
      const { page } = own;
      await enter(own, home, "memories");
      await page.locator(".virtual .row").first().waitFor();
      await page.keyboard.press("j");
      await page.locator(".row.current:focus").waitFor();
      await page.keyboard.press("e");
      await page.locator("form.edit textarea:focus").first().waitFor();
      await page.keyboard.press("Escape");
      await page.locator("form.edit").waitFor({ state: "detached" });
      expect(own.faults).toEqual([]);
    }
  });

  test("Enter presses what has the focus: a link of the menu, a step of the path, and not the chosen memory", async () => {
    const { page } = window;
    await press("g", "m");
    await page.locator(".row.current").waitFor();
    await page.getByRole("link", { name: "Settings" }).focus();
    await press("Enter");
    await title("Settings");
    await press("g", "m");
    await page.locator(".row.current").waitFor();
    await page.locator(".pane a").first().focus();
    const target = await page.locator(".pane a").first().getAttribute("href");
    await press("Enter");
    await page.waitForURL((url) => url.hash === target);
  });

  test("/ goes to the field and keeps what was found; words from the palette stand in the field", async () => {
    const { page } = window;
    await show(window, "memories?q=staging");
    const field = page.getByLabel("Search memories");
    await page.getByText(/^\d+ results/).waitFor();
    await press("/");
    await page.locator("input[type=search]:focus").waitFor();
    expect(await field.inputValue()).toBe("staging");
    expect(page.url()).toContain("q=staging");
    await page.keyboard.type("tiles");
    await page.waitForURL(/q=tiles/);
    await show(window, "memories?q=database");
    await page.waitForURL(/q=database/);
    await page.getByText(/^\d+ results/).waitFor();
    expect(await field.inputValue()).toBe("database");
  });
});

/** Projects as a person arranges them: by keyboard, in both themes, on every width. */
import axe from "axe-core";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { NodeJson, ProjectsJson } from "#api";
import { eventually } from "../support/program.ts";
import {
  chromiumPath,
  enter,
  openViewerHome,
  openWindow,
  show,
  type ViewerHome,
  themesAndWidths,
} from "./browser.ts";

const shop = "github.com/acme/shop";
const atlas = "github.com/acme/atlas";
const pageOf = (key: string): string => `project/${encodeURIComponent(key)}`;

describe.skipIf(chromiumPath() === null)("projects", () => {
  let home: ViewerHome;
  beforeAll(async () => {
    home = await openViewerHome();
  });
  afterAll(() => home[Symbol.asyncDispose]());

  const names = async (): Promise<Readonly<Record<string, string>>> =>
    Object.fromEntries(
      ((await home.ask("/api/projects")) as ProjectsJson | null)?.items.map(({ key, name }) => [
        key,
        name,
      ]) ?? [],
    );
  const stored = async (uri: string): Promise<NodeJson | null> =>
    (await home.ask(`/api/nodes?uri=${encodeURIComponent(uri)}`)) as NodeJson | null;

  test.each(themesAndWidths)("axe finds nothing in %s at %d pixels", async (theme, width) => {
    await using window = await openWindow({ width, theme });
    const { page } = window;
    await enter(window, home, "project");
    await page.evaluate(axe.source);
    for (const [address, text] of [
      ["project", "github.com/acme/shop"],
      [pageOf(shop), "Latest memories"],
    ] as const) {
      await show(window, address);
      await page.locator("main").getByText(text).first().waitFor();
      const faults = await page.evaluate(
        "axe.run().then(({ violations }) => violations.map(({ id }) => id))",
      );
      expect([address, faults]).toEqual([address, []]);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    }
    expect(window.faults).toEqual([]);
  });

  test("a memory gets another category and project in its form, its page goes along, and u brings it back", async () => {
    await using window = await openWindow();
    const { page } = window;
    const uri = "mem://user/entities/map-tiles";
    await enter(window, home, `memory?uri=${encodeURIComponent(uri)}`);
    await page.getByRole("heading", { name: "Atlas reads its tiles" }).waitFor();
    await page.keyboard.press("e");
    await page.locator("form.edit").getByLabel("Category").selectOption("patterns");
    await page.locator("form.edit").getByLabel("Project").selectOption(shop);
    await page.keyboard.press("Control+Enter");
    await page.getByText("Moved to Rules").waitFor();
    expect(await stored("mem://agent/patterns/map-tiles")).toMatchObject({ project: shop });
    await page.getByRole("heading", { name: "Atlas reads its tiles" }).waitFor();
    await page.keyboard.press("u");
    await page.getByText("Reverted").waitFor();
    expect(await stored(uri)).toMatchObject({ project: atlas, category: "entities" });
    await page.getByRole("heading", { name: "Atlas reads its tiles" }).waitFor();
    expect(window.faults).toEqual([]);
  });

  test("what is remembered goes to the project that is chosen; its notice leads there, and u takes it back", async () => {
    await using window = await openWindow();
    const { page } = window;
    await enter(window, home, "settings/statistics");
    await page.getByLabel("Scope").selectOption(atlas);
    await page.locator("main").focus();
    await page.keyboard.press("n");
    await page.keyboard.type("Tiles are signed with a key of their own");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("link", { name: "Open" }).click();
    await page.getByRole("heading", { name: "Tiles are signed" }).waitFor();
    const uri = new URLSearchParams(page.url().split("?")[1]).get("uri") ?? "";
    expect(await stored(uri)).toMatchObject({ project: atlas, status: "active" });
    await page.keyboard.press("u");
    await eventually("it is put away", async () => (await stored(uri))?.status === "retracted");
    expect(window.faults).toEqual([]);
  });

  test("a project is renamed, and every view calls it so", async () => {
    await using window = await openWindow();
    const { page } = window;
    await enter(window, home);
    await page.keyboard.press("g");
    await page.keyboard.press("o");
    await page.locator(".project-list a", { hasText: "atlas" }).first().click();
    await page.getByText("Rename this project").click();
    await page.getByLabel("New sessions use this name too").fill("Cartography");
    await page.keyboard.press("Enter");
    await page.getByText("Called Cartography from now on").waitFor();
    expect((await names())[atlas]).toBe("Cartography");
    await show(window, "memories");
    await page.locator(".row .row-project", { hasText: "Cartography" }).first().waitFor();
    expect(window.faults).toEqual([]);
  });
});

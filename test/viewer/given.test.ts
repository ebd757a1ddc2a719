/** What Claude was given, what it would be given, and a person's word on it: by keyboard, on every width, in both themes. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { InjectionListJson } from "#api";
import { eventually } from "../support/program.ts";
import {
  chromiumPath,
  enter,
  openViewerHome,
  openWindow,
  show,
  type ViewerHome,
} from "./browser.ts";

const prompts = ["thanks, go on", "Which port does the staging database of shop listen on?"];

/** Feeds prompts as another agent would, so that each is really answered and recorded. */
async function feed(home: ViewerHome): Promise<void> {
  const cwd = join(home.program.folder, "shop");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  writeFileSync(join(cwd, ".git", "HEAD"), "ref: refs/heads/main\n");
  const remote = "https://github.com/acme/shop.git";
  writeFileSync(join(cwd, ".git", "config"), `[remote "origin"]\n\turl = ${remote}\n`);
  for (const [n, user] of prompts.entries())
    await fetch("http://localhost/api/turns", {
      unix: home.program.paths.socket,
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        session: "given-1",
        cwd,
        user,
        assistant: "Done.",
        tools: [],
        at: Date.now() - (prompts.length - n) * 1_000,
      }),
    });
}

describe.skipIf(chromiumPath() === null)("prompts and what was given", () => {
  let home: ViewerHome;
  const said = async (kind: string): Promise<readonly (string | null)[]> => {
    const found = (await home.ask(`/api/injections?kind=${kind}`)) as InjectionListJson | null;
    return (found?.items ?? []).map(({ prompt }) => prompt);
  };
  beforeAll(async () => {
    home = await openViewerHome();
    await feed(home);
  });
  afterAll(() => home[Symbol.asyncDispose]());

  test("the latest prompt is explained, and one key says that it was wrong; the same takes it back", async () => {
    await using window = await openWindow();
    const { page } = window;
    await enter(window, home);
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    const pane = page.locator(".pane");
    await pane.getByText("Likely to help").waitFor();
    await pane.getByRole("heading", { name: "Considered" }).waitFor();
    expect(await pane.locator(".candidates li").count()).toBeGreaterThan(0);
    await page.keyboard.press("w");
    await page.locator(".row.current .badge", { hasText: "wrong" }).waitFor();
    await eventually("it is kept", async () => (await said("wrong")).length === 1);
    expect(await said("wrong")).toEqual([prompts[1] ?? ""]);
    await page.getByText("Noted: this was wrong").waitFor();
    await page.keyboard.press("u");
    await eventually("it is taken back", async () => (await said("wrong")).length === 0);
    await page.keyboard.press("j");
    await pane.getByText("nothing relevant found").waitFor();
    await page.keyboard.press("m");
    await eventually("it is kept", async () => (await said("missing")).length === 1);
    await page.locator(".segment", { hasText: "Missing" }).click();
    await page.locator(".given-row", { hasText: "thanks, go on" }).waitFor();
    expect(await page.locator(".given-row").count()).toBe(1);
    await page.keyboard.press("m");
    await eventually("it is taken back", async () => (await said("missing")).length === 0);
    expect(window.faults).toEqual([]);
  });

  test("a line leads to its memory, and the memory to every time that it was given", async () => {
    await using window = await openWindow({ width: 768 });
    const { page } = window;
    await enter(window, home, "given?kind=given");
    await page.locator(".given-row", { hasText: "Which port" }).click();
    await page.locator(".given-lines a").first().click();
    await page.getByRole("tab", { name: "Given" }).waitFor();
    await page.keyboard.press("5");
    await page.locator(".given-in summary", { hasText: "Which port" }).click();
    await page.locator(".given-in").getByText("Likely to help").waitFor();
    await page.goBack();
    await page.goBack();
    await page.locator(".virtual .given-row").first().waitFor();
    expect(window.faults).toEqual([]);
  });

  test("a preview follows what is typed, says why, and records nothing", async () => {
    await using window = await openWindow();
    const { page } = window;
    await enter(window, home);
    await page.keyboard.press("g");
    await page.keyboard.press("w");
    const count = async (): Promise<unknown> => (await home.ask("/api/injections"))?.["total"];
    const before = await count();
    await page.getByLabel("Project").selectOption("github.com/acme/shop");
    await page.getByLabel("Prompt").fill("which port does the staging database listen on?");
    const told = page.locator(".chart", { hasText: "With this prompt" });
    await told.locator(".given-lines a", { hasText: "5433" }).waitFor();
    await page
      .locator(".chart", { hasText: "At session start" })
      .getByText("pnpm")
      .first()
      .waitFor();
    await page.getByLabel("Prompt").fill("thanks, go on");
    await told.getByText("Silent").waitFor();
    expect(await count()).toBe(before);
    // Whoever comes back finds the words.
    await show(window, "stats");
    await show(window, "preview?project=github.com/acme/shop");
    expect(await page.getByLabel("Prompt").inputValue()).toBe("thanks, go on");
    expect(window.faults).toEqual([]);
  });

  test("the page opens with the day: what was learnt and given, and the day before by a key", async () => {
    await using window = await openWindow();
    const { page } = window;
    await enter(window, home);
    const part = (name: string) => page.locator(".chart", { hasText: name });
    await part("Given to Claude").getByText("Which port does the staging").waitFor();
    await part("Open ends").getByText("Do the same for the refund tests").first().waitFor();
    await part("By project").getByRole("rowheader", { name: "acme/shop" }).waitFor();
    await page.locator(".week-day").first().waitFor();
    await page.locator(".heat rect").first().waitFor();
    expect(await page.locator(".week-day").count()).toBe(7);
    expect(await page.locator(".heat rect").count()).toBe(364);
    await page.keyboard.press("[");
    await page.locator("h1", { hasNotText: "Today" }).waitFor();
    await page.keyboard.press("]");
    await page.locator("h1", { hasText: "Today" }).waitFor();
    await part("Given to Claude").getByText("Which port does the staging").click();
    await page.getByText("Likely to help").waitFor();
    expect(window.faults).toEqual([]);
  });

  for (const theme of ["light", "dark"] as const)
    test.each([360, 768, 1440])(`axe finds nothing in ${theme} at %d pixels`, async (width) => {
      await using window = await openWindow({ width, theme });
      const { page } = window;
      await enter(window, home);
      await page.evaluate(axe.source);
      const id = ((await home.ask("/api/injections")) as InjectionListJson | null)?.items[0]?.id;
      for (const [address, text] of [
        ["", "Open ends"],
        ["given", "thanks, go on"],
        [`given/${id}`, "Considered"],
        ["preview", "At session start"],
      ] as const) {
        await show(window, address);
        await page.getByText(text).first().waitFor();
        const faults = await page.evaluate(
          "axe.run().then(({ violations }) => violations.map(({ id }) => id))",
        );
        expect([address, faults]).toEqual([address, []]);
        const over = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        expect([address, over]).toEqual([address, 0]);
      }
      expect(window.faults).toEqual([]);
    });
});

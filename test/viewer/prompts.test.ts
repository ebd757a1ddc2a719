/**
 * Tests what was sent to Claude, what would be, and how a person mends it: by keyboard, on every
 * width, in both themes.
 */
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
  themesAndWidths,
} from "./browser.ts";

const prompts = ["thanks, go on", "Which port does the staging database of shop listen on?"];

/** Feeds prompts as another agent would, so that each is really answered and recorded. */
async function feed(home: ViewerHome, users: readonly string[] = prompts): Promise<void> {
  const cwd = join(home.program.folder, "shop");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  writeFileSync(join(cwd, ".git", "HEAD"), "ref: refs/heads/main\n");
  const remote = "https://github.com/acme/shop.git";
  writeFileSync(join(cwd, ".git", "config"), `[remote "origin"]\n\turl = ${remote}\n`);
  for (const [n, user] of users.entries())
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
        at: Date.now() - (users.length - n) * 1_000,
      }),
    });
}

describe.skipIf(chromiumPath() === null)("prompts", () => {
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
    const pane = page.locator(".pane");
    await pane.getByText("Likely to help").waitFor();
    await pane.getByRole("heading", { name: "Considered" }).waitFor();
    expect(await pane.locator(".candidates li").count()).toBeGreaterThan(0);
    await page.keyboard.press("w");
    await page.locator(".row.current .badge", { hasText: "wrong" }).waitFor();
    await pane.getByText("Which line was wrong?").waitFor();
    await eventually("it is kept", async () => (await said("wrong")).length === 1);
    expect(await said("wrong")).toEqual([prompts[1] ?? ""]);
    await page.getByText("Noted: this was wrong").waitFor();
    await page.keyboard.press("u");
    await eventually("it is taken back", async () => (await said("wrong")).length === 0);
    await page.keyboard.press("j");
    await pane.getByText("nothing relevant found").waitFor();
    await page.keyboard.press("m");
    await eventually("it is kept", async () => (await said("missing")).length === 1);
    await page.getByLabel("kind").selectOption("missing");
    await page.locator(".prompt-row", { hasText: "thanks, go on" }).waitFor();
    expect(await page.locator(".prompt-row").count()).toBe(1);
    await page.locator("main").focus();
    await page.keyboard.press("m");
    await eventually("it is taken back", async () => (await said("missing")).length === 0);
    expect(window.faults).toEqual([]);
  });

  test("a line that was sent is corrected, pinned and forgotten where it stands", async () => {
    await using window = await openWindow();
    const { page } = window;
    const uri = "mem://user/entities/staging-database";
    const stored = (): Promise<Record<string, unknown> | null> =>
      home.ask(`/api/nodes?uri=${encodeURIComponent(uri)}`);
    await enter(window, home);
    const line = page.locator(`.pane .sent-line[data-uri="${uri}"]`);
    await line.waitFor();
    const at = await page
      .locator(".pane .sent-line")
      .evaluateAll((lines, wanted) => lines.findIndex((one) => one.dataset["uri"] === wanted), uri);
    await page.keyboard.press(`${at + 1}`);
    await line.locator("a:focus").waitFor();
    await page.keyboard.press("p");
    await page.getByText("Pinned: always").waitFor();
    expect(await stored()).toMatchObject({ pinned: true });
    await line.getByRole("button", { name: "Unpin" }).waitFor();
    await page.keyboard.press("e");
    await line.getByLabel("Summary").waitFor();
    await line.getByLabel("Summary").fill("The staging database of shop listens on port 5434");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await stored()).toMatchObject({ l0: expect.stringContaining("5434") });
    await page.getByRole("button", { name: /^Undo/ }).last().click();
    await page.getByText("Reverted").waitFor();
    expect(await stored()).toMatchObject({ l0: expect.stringContaining("5433") });
    await page.keyboard.press(`${at + 1}`);
    await page.keyboard.press("#");
    await page.getByRole("dialog", { name: "Forget this memory?" }).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    expect(await stored()).not.toBeNull();
    expect(window.faults).toEqual([]);
  });

  test("a line leads to its memory, and the memory to every time that it was sent", async () => {
    await using window = await openWindow({ width: 768 });
    const { page } = window;
    await enter(window, home, "?kind=given");
    await page.locator(".prompt-row", { hasText: "Which port" }).click();
    await page.locator(".sent-text").first().click();
    await page.getByRole("tab", { name: "Sent to Claude" }).waitFor();
    await page.keyboard.press("4");
    await page.locator(".prompts-of summary", { hasText: "Which port" }).click();
    await page.locator(".prompts-of").getByText("Likely to help").waitFor();
    await page.goBack();
    await page.goBack();
    await page.locator(".virtual .prompt-row").first().waitFor();
    expect(window.faults).toEqual([]);
  });

  test("a prompt to try follows what is typed, says why, and records nothing", async () => {
    await using window = await openWindow();
    const { page } = window;
    await enter(window, home);
    const count = async (): Promise<unknown> => (await home.ask("/api/injections"))?.["total"];
    const before = await count();
    await page.getByLabel("Scope").selectOption("github.com/acme/shop");
    await page.getByLabel("Try a prompt").fill("which port does the staging database listen on?");
    const told = page.locator(".chart", { hasText: "With this prompt" });
    await told.locator(".sent-text", { hasText: "5433" }).waitFor();
    await page
      .locator(".chart", { hasText: "At session start" })
      .getByText("pnpm")
      .first()
      .waitFor();
    // A summary is no memory: its line leads to its session, and offers no form.
    const summary = page.locator('.chart .sent-lines li:has(a[href^="#/session/"])').first();
    await summary.waitFor();
    expect(await summary.getByRole("button").count()).toBe(0);
    await page.getByLabel("Try a prompt").fill("thanks, go on");
    await told.getByText("Nothing sent").waitFor();
    expect(await count()).toBe(before);
    // Whoever comes back finds the words.
    await show(window, "sessions");
    await page.locator(".session-row").first().waitFor();
    await show(window, "");
    expect(await page.getByLabel("Try a prompt").inputValue()).toBe("thanks, go on");
    await page.getByLabel("Try a prompt").press("Escape");
    await page.locator(".prompt-row").first().waitFor();
    expect(window.faults).toEqual([]);
  });

  test("the figures of a day lead to what they count; a day before has its own prompts, and Back leads back", async () => {
    await using window = await openWindow();
    const { page } = window;
    await enter(window, home);
    const day = page.locator(".day");
    await day
      .getByRole("link", { name: "2 nothing sent" })
      .or(day.getByRole("link", { name: "1 nothing sent" }))
      .waitFor();
    await page.keyboard.press("[");
    await day.getByText("Back to today").waitFor();
    expect(page.url()).toContain("day=");
    await page.keyboard.press("l");
    await page.waitForURL(/list=learnt/);
    await page.goBack();
    await page.goBack();
    await day.locator(".day-name", { hasText: "Today" }).waitFor();
    await day.getByRole("link", { name: /sent$/ }).first().click();
    await page.waitForURL(/kind=given/);
    await page.locator(".prompt-row", { hasText: "Which port" }).waitFor();
    const other = page.locator(".prompt-row", { hasText: "thanks, go on" });
    await other.waitFor({ state: "detached" });
    expect(window.faults).toEqual([]);
  });

  test.each(themesAndWidths)("axe finds nothing in %s at %d pixels", async (theme, width) => {
    await using window = await openWindow({ width, theme });
    const { page } = window;
    await enter(window, home);
    await page.evaluate(axe.source);
    const id = ((await home.ask("/api/injections")) as InjectionListJson | null)?.items[0]?.id;
    for (const [address, text] of [
      ["", "thanks, go on"],
      [`prompts/${id}`, "Considered"],
      ["?try=which+port", "At session start"],
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

  test("a memory that a newer one contradicts names it at its top, and a key decides in Review", async () => {
    await feed(home, [
      "Remember that the shop mailer runs on node 18.",
      "Remember that the shop mailer runs on node 22.",
    ]);
    const older = "mem://user/entities/shop-mailer-runs-node-18";
    await eventually("the pair is open", async () =>
      JSON.stringify(await home.ask(`/api/nodes?uri=${older}`)).includes("contradicts"),
    );
    await using window = await openWindow();
    const { page } = window;
    await enter(window, home, `memory?uri=${older}`);
    const newer = page.getByRole("link", { name: "the shop mailer runs on node 22." });
    await page.locator(".notice", { has: newer }).waitFor();
    await page.getByRole("link", { name: "decide in Review" }).click();
    await page.locator(".pane").getByRole("button", { name: "The newer one holds" }).waitFor();
    await page.keyboard.press("a");
    await eventually("it is replaced", async () =>
      JSON.stringify(await home.ask(`/api/nodes?uri=${older}`)).includes('"superseded"'),
    );
    await show(window, `memory?uri=${older}`);
    await page.locator(".replaced-by", { has: newer.first() }).waitFor();
    expect(window.faults).toEqual([]);
  });
});

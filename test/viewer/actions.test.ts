/** Everything that a person can do in the viewer, done by a person's means, and what it leaves behind. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
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

describe.skipIf(chromiumPath() === null)("actions", () => {
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
  // Each test begins on a page of its own: notices and choices of the one before are gone.
  beforeEach(async () => {
    await window.page.goto("about:blank");
    await window.page.goto(`${home.origin}/#/nonsense`);
    await window.page.getByText("Page not found").waitFor();
  });
  afterEach(() => {
    expect(window.faults).toEqual([]);
  });

  const memoryOf = (uri: string): string => `memory?uri=${encodeURIComponent(uri)}`;

  /** `stored` gives the daemon's record of a memory; null when it is gone. */
  const stored = (uri: string): Promise<Record<string, unknown> | null> =>
    home.ask(`/api/nodes?uri=${encodeURIComponent(uri)}`);

  test("a memory is edited in place, saved with Ctrl-Enter, and taken back with u", async () => {
    const uri = "mem://user/entities/mara";
    const { page } = window;
    await show(window, memoryOf(uri));
    await page.getByRole("heading", { name: "Mara Lind owns" }).waitFor();
    await page.keyboard.press("e");
    await page.getByLabel("Summary").fill("Mara Lind owned the ledger service until May");
    await page.getByLabel("Details").fill("Now Jo Berg does.");
    await page.getByLabel("Tags").fill("people, ledger");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("heading", { name: "owned the ledger service until May" }).waitFor();
    await page.getByText("Now Jo Berg does.").waitFor();
    expect(await stored(uri)).toMatchObject({
      l1: "Now Jo Berg does.",
      tags: ["people", "ledger"],
    });
    await page.keyboard.press("u");
    await page.getByRole("heading", { name: "Mara Lind owns" }).waitFor();
    expect(await stored(uri)).toMatchObject({ l1: null, tags: [] });
  });

  test("an edit keeps what somebody else changed meanwhile, and asks about what both changed", async () => {
    const uri = "mem://user/entities/payment-provider";
    const { page } = window;
    await show(window, memoryOf(uri));
    await page.getByRole("heading", { name: "Payments go through" }).waitFor();
    await page.keyboard.press("e");
    await page.getByLabel("Summary").fill("Payments go through Adyen alone");
    await home.program.run(["edit", uri, "Payments go through Mollie", "--importance", "2"]);
    await page.keyboard.press("Control+Enter");
    const notice = page.locator("form.edit [role=alert]");
    await notice.getByText("Payments go through Mollie").waitFor();
    expect(await page.getByLabel("Summary").inputValue()).toBe("Payments go through Adyen alone");
    expect(await stored(uri)).toMatchObject({ l0: "Payments go through Mollie" });
    await page.keyboard.press("Control+Enter");
    await page.getByRole("heading", { name: "Payments go through Adyen alone" }).waitFor();
    expect(await stored(uri)).toMatchObject({
      l0: "Payments go through Adyen alone",
      importance: 2,
    });
    // Undo takes back this edit, not what somebody did after it.
    await home.program.run(["edit", uri, "--importance", "5"]);
    await page.keyboard.press("u");
    await page.getByText("Could not undo").waitFor();
    expect(await stored(uri)).toMatchObject({ l0: "Payments go through Adyen alone" });
  });

  test("an edit of what nobody else touched is saved, whatever else they changed", async () => {
    const uri = "mem://user/entities/map-tiles";
    const { page } = window;
    await show(window, memoryOf(uri));
    await page.getByRole("heading", { name: "Atlas reads its tiles" }).waitFor();
    await page.keyboard.press("e");
    await page.getByLabel("Details").fill("The key lies in the vault.");
    await home.program.run(["edit", uri, "--importance", "5"]);
    await page.keyboard.press("Control+Enter");
    await page.locator("form.edit").waitFor({ state: "detached" });
    expect(await stored(uri)).toMatchObject({ l1: "The key lies in the vault.", importance: 5 });
  });

  test("what was pinned here and unpinned elsewhere does not go on looking pinned", async () => {
    const uri = "mem://agent/patterns/money-as-integers";
    const { page } = window;
    await show(window, memoryOf(uri));
    await page.getByRole("heading", { name: "Amounts are integers" }).waitFor();
    await page.keyboard.press("p");
    await page.getByRole("button", { name: "Unpin" }).waitFor();
    await eventually("it is pinned", async () => (await stored(uri))?.["pinned"] === true);
    await home.program.run(["pin", uri, "--off"]);
    await page.getByRole("button", { name: /^Pin/ }).waitFor();
  });

  test("a memory that arrives leaves the choice, the edit and what keys act on as they were", async () => {
    const { page } = window;
    await show(window, "memories");
    await page.locator(".row.current").waitFor();
    for (let n = 0; n < 3; n += 1) await page.keyboard.press("j");
    const chosen = (): Promise<string | null> => page.locator(".row.current").getAttribute("href");
    const before = await chosen();
    const uri = new URLSearchParams(before?.split("?")[1]).get("uri") ?? "";
    await page.keyboard.press("e");
    await page.getByLabel("Details").fill("Half a sentence");
    await home.program.run(["remember", "The lift of the office stops on the third floor"]);
    await page.locator(".row", { hasText: "stops on the third floor" }).waitFor();
    expect(await page.getByLabel("Details").inputValue()).toBe("Half a sentence");
    expect(await chosen()).toBe(before);
    await page.keyboard.press("Escape");
    await page.locator("form.edit").waitFor({ state: "detached" });
    await page.locator(".row.current").focus();
    await page.keyboard.press("p");
    await eventually(
      "the chosen one is pinned",
      async () => (await stored(uri))?.["pinned"] === true,
    );
    await page.getByText("Pinned: always").waitFor();
    await page.keyboard.press("u");
    await eventually("and unpinned", async () => (await stored(uri))?.["pinned"] === false);
  });

  test("what was written and not saved is there again after looking elsewhere, and after Escape by undo", async () => {
    const uri = "mem://user/entities/bucket";
    const { page } = window;
    const before = await stored(uri);
    await show(window, memoryOf(uri));
    await page.getByRole("heading", { name: "Exports land" }).waitFor();
    await page.keyboard.press("e");
    await page.getByLabel("Details").fill("Not done yet");
    await show(window, "memories?category=entities");
    await page.locator(".row", { hasText: "Exports land" }).getByText("draft").waitFor();
    await show(window, memoryOf(uri));
    await page.getByLabel("Details").waitFor();
    expect(await page.getByLabel("Details").inputValue()).toBe("Not done yet");
    // Escape on a button of the form closes the form and not the page.
    await page.getByRole("button", { name: "Cancel" }).focus();
    await page.keyboard.press("Escape");
    await page.locator("form.edit").waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "Exports land" }).waitFor();
    await page.keyboard.press("u");
    await page.getByLabel("Details").waitFor();
    expect(await page.getByLabel("Details").inputValue()).toBe("Not done yet");
    await page.keyboard.press("Escape");
    await page.locator("form.edit").waitFor({ state: "detached" });
    expect(await stored(uri)).toEqual(before);
  });

  test("an unsaved edit of a memory that was deleted elsewhere can still be copied", async () => {
    const { page } = window;
    await home.program.run(["remember", "The kettle of the office is slow"]);
    await show(window, "memories");
    const row = page.locator(".row", { hasText: "kettle of the office" });
    await row.click();
    const uri =
      new URLSearchParams((await row.getAttribute("href"))?.split("?")[1]).get("uri") ?? "";
    await page.keyboard.press("e");
    await page.getByLabel("Details").fill("It needs nine minutes");
    await home.program.run(["forget", "--yes", uri]);
    const own = page.getByLabel("Your unsaved edit");
    await own.waitFor();
    expect(await own.locator("textarea").inputValue()).toContain("It needs nine minutes");
    expect(await stored(uri)).toBeNull();
    await own.getByRole("button", { name: "Discard" }).click();
    await own.waitFor({ state: "detached" });
  });

  test("an edit that is left with Escape, or changes nothing, writes nothing", async () => {
    const uri = "mem://user/entities/bucket";
    const { page } = window;
    const before = await stored(uri);
    await show(window, memoryOf(uri));
    await page.getByRole("heading", { name: "Exports land" }).waitFor();
    await page.keyboard.press("e");
    await page.getByLabel("Summary").fill("something else");
    await page.keyboard.press("Escape");
    await page.locator("form.edit").waitFor({ state: "detached" });
    await page.keyboard.press("e");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator("form.edit").waitFor({ state: "detached" });
    expect(await stored(uri)).toEqual(before);
  });

  test("an empty summary is refused in words, and the form stays as it is", async () => {
    const { page } = window;
    await show(window, memoryOf("mem://user/entities/bucket"));
    await page.getByRole("heading", { name: "Exports land" }).waitFor();
    await page.keyboard.press("e");
    await page.getByLabel("Summary").fill("   ");
    await page.keyboard.press("Control+Enter");
    await page.locator("form.edit [role=alert]").waitFor();
    await page.getByRole("heading", { name: "Exports land" }).waitFor();
  });

  test("a memory is pinned at once, unpinned again by undo, and both are revisions", async () => {
    const uri = "mem://agent/patterns/flags";
    const { page } = window;
    await show(window, memoryOf(uri));
    await page.getByRole("heading", { name: "New flows sit behind" }).waitFor();
    await page.keyboard.press("p");
    await page.getByRole("button", { name: "Unpin" }).waitFor();
    await eventually("it is pinned", async () => (await stored(uri))?.["pinned"] === true);
    await page.getByRole("button", { name: /^Undo/ }).click();
    await page.getByRole("button", { name: "Pin", exact: false }).waitFor();
    await eventually("it is not", async () => (await stored(uri))?.["pinned"] === false);
  });

  test("a key acts on what is chosen at that moment, however quickly it follows", async () => {
    const { page } = window;
    await show(window, "memories?category=profile");
    await page.locator(".row.current").waitFor();
    const uriOf = (): Promise<string> =>
      page
        .locator(".row.current")
        .evaluate(
          (row) => new URLSearchParams(row.getAttribute("href")?.split("?")[1]).get("uri") ?? "",
        );
    const first = await uriOf();
    await Promise.all([page.keyboard.press("j"), page.keyboard.press("p")]);
    await page.locator(".toast").waitFor();
    const second = await uriOf();
    expect(second).not.toBe(first);
    await page.keyboard.press("u");
    await page.locator(".toast").waitFor();
    const revisions = async (uri: string): Promise<number> => {
      const history = await home.ask(`/api/nodes/history?uri=${encodeURIComponent(uri)}`);
      return (history as { readonly items: readonly unknown[] }).items.length;
    };
    await eventually(
      "the second was pinned and unpinned",
      async () => (await revisions(second)) === 3,
    );
    expect(await revisions(first)).toBe(1);
  });

  test("forgetting asks first, can be taken back, and is for good when the moment has passed", async () => {
    const uri = "mem://agent/cases/tile-flicker";
    await using own = await openWindow();
    const { page } = own;
    await page.clock.install();
    await enter(own, home);
    await show(own, memoryOf(uri));
    await page.getByRole("heading", { name: "Tiles flickered" }).waitFor();
    await page.keyboard.press("#");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.keyboard.press("#");
    await page.getByRole("button", { name: "Forget", exact: true }).last().click();
    await page.getByText("Deleting.").waitFor();
    expect(await stored(uri)).not.toBeNull();
    await page.keyboard.press("u");
    await page.getByText("Deleting.").waitFor({ state: "detached" });
    await page.keyboard.press("Delete");
    await page.locator("dialog .danger").click();
    await page.getByText("Deleting.").waitFor();
    await page.clock.fastForward(6_100);
    await eventually("it is gone", async () => (await stored(uri)) === null);
    await page.clock.fastForward(1_000);
    await page.getByRole("heading", { level: 1, name: "Memories" }).waitFor();
    expect(await page.getByText("was forgotten or never existed").count()).toBe(0);
    expect(own.faults).toEqual([]);
  });

  test("whoever confirms and closes the page has forgotten", async () => {
    const uri = "mem://user/events/atlas-offline";
    const { page } = window;
    await show(window, memoryOf(uri));
    await page.getByRole("heading", { name: "Atlas works offline" }).waitFor();
    await page.keyboard.press("#");
    await page.locator("dialog .danger").click();
    await page.getByText("Deleting.").waitFor();
    await page.goto("about:blank");
    await eventually("it is gone", async () => (await stored(uri)) === null);
  });

  test("the history shows what changed, and goes back to any point of it", async () => {
    const { page } = window;
    await show(window, memoryOf(home.sample.uri));
    await page.getByRole("tab", { name: "History" }).click();
    await page.locator("ins").getByText("host").waitFor();
    await page.getByRole("button", { name: "Back to this" }).last().click();
    await page.getByRole("heading", { name: /behind the bastion$/ }).waitFor();
    await page.keyboard.press("u");
    await page.getByRole("heading", { name: /behind the bastion host$/ }).waitFor();
  });

  test("evidence shows the words in their turn, and leads to the session", async () => {
    const { page } = window;
    await show(window, memoryOf(home.sample.uri));
    await page.getByRole("tab", { name: "Source" }).click();
    await page.locator("mark").getByText("staging database listens on 5433 now").waitFor();
    await page.getByText("The whole turn").click();
    await page.getByText("Noted: port 5433 for staging").waitFor();
    await page.locator(".evidence-head a").first().click();
    await page.getByRole("tab", { name: "Timeline" }).waitFor();
  });

  test("a replaced memory says what replaced it and leads there, and the chain of values stands there", async () => {
    const { page } = window;
    await show(window, memoryOf("mem://user/entities/staging-database-old"));
    await page.locator(".replaced-by a", { hasText: "listens on port 5433" }).click();
    await page.getByRole("heading", { name: /behind the bastion host$/ }).waitFor();
    await page.locator(".values", { hasText: "current" }).waitFor();
    const values = page.locator(".values").first().locator("li");
    expect(await values.allInnerTexts()).toEqual([
      expect.stringMatching(/^current[^]*5433/),
      expect.stringMatching(/^replaced[^]*5432/),
    ]);
    await page.locator(".values a", { hasText: "Payments go through" }).click();
    await page.getByRole("heading", { name: "Payments go through" }).waitFor();
  });

  test("a replaced value is marked wherever it stands: in a timeline and in its directory", async () => {
    const { page } = window;
    const old = "mem://user/entities/staging-database-old";
    await show(window, `timeline?around=${encodeURIComponent(old)}`);
    await page.locator(".timeline-item[aria-current] .status-superseded").waitFor();
    await show(window, `memory?uri=${encodeURIComponent("mem://user/entities")}`);
    const entry = page.locator(".row.compact", { has: page.locator(".status-superseded") });
    expect(await entry.first().getAttribute("href")).toContain(encodeURIComponent(old));
  });

  test("what a newer order may have replaced waits in the same list, and a key decides it", async () => {
    const { page } = window;
    const newer = { id: 1, uri: "mem://user/entities/newer", text: "Use <b>pnpm</b> here" };
    const decided: unknown[] = [];
    await page.route(/\/api\/review/u, async (route) => {
      if (route.request().method() === "POST") {
        decided.push([new URL(route.request().url()).pathname, route.request().postDataJSON()]);
        return route.fulfill({ status: 404, json: { error: { type: "x", message: "no" } } });
      }
      const response = await route.fetch();
      const body = (await response.json()) as { readonly items: readonly object[] };
      const contradicted = [
        { ...body.items[0], id: 77, uri: "mem://user/entities/doubt", contradicted: newer },
      ];
      await route.fulfill({ response, json: { ...body, contradicted } });
    });
    await show(window, "review");
    await page.getByText("Newer: Use <b>pnpm</b> here").waitFor();
    await page.getByRole("button", { name: "Both hold" }).waitFor();
    await page.keyboard.press("a");
    await page.getByText("Could not save").waitFor();
    expect(decided).toEqual([["/api/review/77", { action: "accept" }]]);
    await page.unrouteAll();
  });

  test("a key pressed at once after another decides the next row", async () => {
    const { page } = window;
    const asked: { readonly path: string; readonly action: unknown }[] = [];
    await page.route(/\/api\/review\/\d+/u, async (route) => {
      const { action } = route.request().postDataJSON() as { readonly action: unknown };
      asked.push({ path: new URL(route.request().url()).pathname, action });
      await eventually("both are asked", () => Promise.resolve(asked.length > 1));
      await route.fulfill({ status: 404, json: { error: { type: "x", message: "no" } } });
    });
    await show(window, "review");
    await page.locator(".pane h2").waitFor();
    await page.keyboard.press("a");
    await page.keyboard.press("r");
    await page.getByText("Could not save").first().waitFor();
    expect(asked.map(({ action }) => action)).toEqual(["accept", "reject"]);
    expect(new Set(asked.map(({ path }) => path)).size).toBe(2);
    await page.unrouteAll({ behavior: "wait" });
  });

  test("memories that wait are accepted, rejected, and accepted as edited; each can be taken back", async () => {
    const { page } = window;
    await show(window, "review");
    await page.getByText("Seems to prefer a light").first().waitFor();
    await page.getByText("The VPN gateway").first().click();
    await page.locator(".pane h2").getByText("The VPN gateway").waitFor();
    await page.keyboard.press("a");
    await page.getByText("Accepted").waitFor();
    expect(await stored("mem://user/entities/vpn-gateway")).toMatchObject({ status: "active" });
    await page.keyboard.press("u");
    await eventually(
      "it waits again",
      async () => (await stored("mem://user/entities/vpn-gateway"))?.["status"] === "pending",
    );
    await page.getByText("Seems to prefer a light").first().click();
    await page.locator(".pane h2").getByText("Seems to prefer").waitFor();
    await page.keyboard.press("r");
    await page.getByText("Rejected").waitFor();
    await page.getByText("retried three times").first().click();
    await page.locator(".pane h2").getByText("retried three times").waitFor();
    await page.keyboard.press("e");
    await page.getByLabel("Summary").fill("Calls to the tile server are retried twice with jitter");
    await page.getByRole("button", { name: "Accept as edited" }).click();
    await page.getByText("Accepted").last().waitFor();
    expect(await stored("mem://agent/patterns/retry-with-jitter")).toMatchObject({
      status: "active",
      l0: "Calls to the tile server are retried twice with jitter",
    });
  });

  test("something is remembered by hand, and shows in the list by itself", async () => {
    const { page } = window;
    await show(window, "memories");
    await page.getByText("Deployed the new checkout").first().waitFor();
    await page.keyboard.press("n");
    await page.getByLabel("What to remember").fill("I prefer tabs over spaces in Makefiles only");
    await page.keyboard.press("Control+Enter");
    await page.locator(".row", { hasText: "tabs over spaces" }).first().waitFor();
  });

  test("a setting is changed in place, a bad value is refused in words, and undo brings the old one back", async () => {
    const { page } = window;
    await show(window, "settings");
    const field = page.getByLabel("inject.start_tokens");
    await field.waitFor();
    await field.fill("many");
    await field.press("Enter");
    await page.locator(".setting [role=alert]").waitFor();
    await field.fill("1500");
    await field.press("Enter");
    await page.getByText("inject.start_tokens = 1500").waitFor();
    const get = async (): Promise<string> =>
      (await home.program.run(["config", "get", "inject.start_tokens"])).out;
    expect(await get()).toContain("1500");
    await page.getByRole("button", { name: /^Undo/ }).click();
    await eventually("the old value is back", async () => (await get()).includes("450"));
  });

  test("a setting that a variable decides says so and takes no change", async () => {
    const { page } = window;
    await show(window, "settings");
    const row = page.locator(".setting", { hasText: "server.autostart" });
    await row.getByText("from CONTINUITY_AUTOSTART").waitFor();
    expect(await row.locator("input, select").count()).toBe(0);
    expect(await row.locator(".setting-fixed").getAttribute("title")).toContain(
      "Set by CONTINUITY_AUTOSTART",
    );
  });

  test("capture is paused and resumed", async () => {
    const { page } = window;
    await show(window, "settings");
    await page.getByRole("button", { name: "Pause for an hour" }).click();
    await page.getByText("nothing is captured or sent").waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: "Pause for an hour" }).waitFor();
  });

  test("filters narrow a list and stay in the address", async () => {
    const { page } = window;
    await show(window, "memories");
    await page.getByLabel("Category").selectOption("preferences");
    await page.getByText("Commit subjects are").first().waitFor();
    await page.getByText("Exports land").first().waitFor({ state: "detached" });
    expect(page.url()).toContain("category=preferences");
    await page.reload();
    await page.getByText("Commit subjects are").first().waitFor();
    expect(await page.getByText("Exports land").count()).toBe(0);
  });

  test("what happened around a memory begins at the memory", async () => {
    const { page } = window;
    await show(window, `timeline?around=${encodeURIComponent("mem://user/entities/map-tiles")}`);
    const middle = page.locator(".timeline-item[aria-current]");
    await middle.waitFor();
    expect(await middle.count()).toBe(1);
    expect(await middle.textContent()).toContain("Atlas reads its tiles");
    const box = await middle.boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect(box?.y).toBeLessThan(900);
  });
});

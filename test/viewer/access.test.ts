/** The way in, the live line, and what happens when either breaks. */
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chromiumPath,
  enter,
  openViewerHome,
  openWindow,
  show,
  type ViewerHome,
} from "./browser.ts";

/** A folder with openers that open nothing. */
function fakeOpener(home: string): string {
  const folder = join(home, "openers");
  mkdirSync(folder, { recursive: true });
  for (const name of ["xdg-open", "open"])
    writeFileSync(join(folder, name), "#!/bin/sh\n", { mode: 0o755 });
  return folder;
}

describe.skipIf(chromiumPath() === null)("access", () => {
  let home: ViewerHome;
  beforeAll(async () => {
    home = await openViewerHome();
  });
  afterAll(() => home[Symbol.asyncDispose]());

  test("`continuity ui` gives a link that works once, and leaves nothing in the address", async () => {
    const ran = await home.program.run(["ui", "--print"]);
    const link = ran.out.trim();
    expect(link).toStartWith(`${home.origin}/#code=`);
    const code = link.split("#code=")[1] ?? "";
    await using window = await openWindow();
    const { page } = window;
    await page.goto(link);
    await page.locator(".sidebar").waitFor();
    expect(page.url()).toBe(`${home.origin}/#/`);
    expect(
      await page.evaluate(() =>
        JSON.stringify([Object.entries(localStorage), document.cookie, document.body.innerHTML]),
      ),
    ).not.toContain(code);
    // A reload keeps the token; another browser has none, and the used link does not open it.
    await page.reload();
    await page.locator(".sidebar").waitFor();
    await using other = await openWindow();
    await other.page.goto(link);
    await other.page.getByText("Open it from your terminal").waitFor();
    await other.page.getByText("continuity ui").first().waitFor();
    expect(other.faults).toEqual([]);
  });

  test("`continuity ui URI` opens that memory, through the file as well", async () => {
    const { uri } = home.sample;
    const link = (await home.program.run(["ui", uri, "--print"])).out.trim();
    await using window = await openWindow();
    await window.page.goto(link);
    await window.page.getByText("Writes need the role").waitFor();
    expect(window.page.url()).toBe(`${home.origin}/#/memory?uri=${encodeURIComponent(uri)}`);
    const file = join(home.program.folder, "link-to-memory.html");
    const env = { DISPLAY: ":9", PATH: `${fakeOpener(home.program.folder)}:/usr/bin:/bin` };
    expect((await home.program.run(["ui", uri], { env })).status).toBe(0);
    copyFileSync(home.program.paths.viewerLink, file);
    await using other = await openWindow();
    await other.page.goto(pathToFileURL(file).href);
    await other.page.getByText("Writes need the role").waitFor();
    expect(other.page.url()).toBe(`${home.origin}/#/memory?uri=${encodeURIComponent(uri)}`);
    expect(window.faults).toEqual([]);
  });

  test("the file that the browser is given leads to the page", async () => {
    const file = join(home.program.folder, "link.html");
    const env = { DISPLAY: ":9", PATH: `${fakeOpener(home.program.folder)}:/usr/bin:/bin` };
    expect((await home.program.run(["ui"], { env })).status).toBe(0);
    copyFileSync(home.program.paths.viewerLink, file);
    await using window = await openWindow();
    await window.page.goto(pathToFileURL(file).href);
    await window.page.locator(".sidebar").waitFor();
    expect(window.page.url()).toBe(`${home.origin}/#/`);
    expect(existsSync(home.program.paths.viewerLink)).toBe(false);
  });

  test("a new tab beside an open one is open, at the address that was asked for", async () => {
    await using window = await openWindow();
    await enter(window, home);
    const other = await window.context.newPage();
    await other.goto(`${home.origin}/#/sessions`);
    await other.locator(".sidebar").waitFor();
    expect(other.url()).toBe(`${home.origin}/#/sessions`);
    expect(window.faults).toEqual([]);
  });

  test("a locked tab opens where it wanted to be: by its own link, or when another tab opens", async () => {
    await using window = await openWindow();
    const { page, context } = window;
    await page.goto(`${home.origin}/#/settings`);
    await page.getByText("Open it from your terminal").waitFor();
    const second = await context.newPage();
    await second.goto(`${home.origin}/#/settings/statistics`);
    await second.getByText("Open it from your terminal").waitFor();
    await page.goto(await home.link());
    await page.locator(".sidebar").waitFor();
    expect(page.url()).toBe(`${home.origin}/#/settings`);
    await second.locator(".sidebar").waitFor();
    expect(second.url()).toBe(`${home.origin}/#/settings/statistics`);
    expect(window.faults).toEqual([]);
  });

  test("whoever takes over the port of a daemon that is gone gets neither a token nor a word", async () => {
    const own = await openViewerHome();
    await using window = await openWindow();
    const { page } = window;
    await enter(window, own, "memories");
    await page.locator(".row").first().waitFor();
    await page.locator(".live-mark.live").first().waitFor();
    const token = await page.evaluate(() => sessionStorage.getItem("continuity.token") ?? "");
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    await own.kill();
    const got: string[] = [];
    const port = Number(new URL(own.origin).port);
    // Says yes to everything, as a foreign program would that wants to be believed.
    const foreign = Bun.serve({
      port,
      hostname: "127.0.0.1",
      fetch: async (request) => {
        const headers = JSON.stringify([...request.headers]);
        got.push(`${request.method} ${request.url} ${headers} ${await request.text()}`);
        return Response.json({ status: "ok", proof: "0".repeat(64), items: [], total: 0 });
      },
    });
    try {
      await page.getByText("Open it from your terminal").waitFor({ timeout: 20_000 });
      expect(got.length).toBeGreaterThan(0);
      for (const request of got) {
        expect(request).toContain("/api/ui/proof");
        expect(request.toLowerCase()).not.toContain("authorization");
        expect(request).not.toContain(token);
      }
      expect(await page.locator(".row").count()).toBe(0);
    } finally {
      await foreign.stop(true);
      await own[Symbol.asyncDispose]();
    }
  });

  test("without a token nothing is shown but the way to get one, and nothing is asked", async () => {
    await using window = await openWindow();
    const { page } = window;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${home.origin}/#/memories`);
    await page.getByText("Open it from your terminal").waitFor();
    expect(asked.filter((path) => path.startsWith("/api/"))).toEqual([]);
  });

  test("a fresh link pasted into a locked tab opens it", async () => {
    await using window = await openWindow();
    const { page } = window;
    await page.goto(`${home.origin}/`);
    await page.getByText("Open it from your terminal").waitFor();
    await page.goto(await home.link());
    await page.locator(".sidebar").waitFor();
  });

  test("a token that is no longer right locks the page, and takes what was shown out of sight", async () => {
    await using window = await openWindow();
    const { page } = window;
    await enter(window, home, "memories");
    await page.getByText("Deployed the new checkout").first().waitFor();
    await page.evaluate(() => sessionStorage.setItem("continuity.token", "0".repeat(64)));
    await show(window, "sessions");
    await page.getByText("Open it from your terminal").waitFor();
    expect(await page.getByText("Deployed the new checkout").count()).toBe(0);
  });

  test("the page runs under its policy: no inline code, no eval, no foreign script, no frame", async () => {
    await using window = await openWindow();
    const { page } = window;
    await enter(window, home);
    const reply = await page.request.get(`${home.origin}/`);
    const policy = reply.headers()["content-security-policy"] ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
    const ran = await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "window.pwned = 1";
      document.body.append(script);
      const image = document.createElement("div");
      image.innerHTML = "<img src=x onerror='window.pwned = 2'>";
      document.body.append(image);
      return Reflect.get(globalThis, "pwned") as unknown;
    });
    expect(ran).toBeUndefined();
    const source = await reply.text();
    expect(source).not.toMatch(/\son[a-z]+=|https?:\/\/(?!www\.w3\.org)/);
  });

  test("what happens shows at once: a memory from a terminal comes into the list", async () => {
    await using window = await openWindow();
    const { page } = window;
    await enter(window, home, "memories");
    await page.locator(".live-mark.live").first().waitFor();
    await page.locator(".row").first().waitFor();
    await home.program.run(["remember", "The parrot of the office is called Kiwi"]);
    await page.locator(".row", { hasText: "Kiwi" }).first().waitFor();
    expect(window.faults).toEqual([]);
  });

  test("a prompt in Claude Code shows at once, under its session, with what was sent for it", async () => {
    await using window = await openWindow();
    const { page } = window;
    await enter(window, home);
    await page.locator(".live-mark.live").first().waitFor();
    await page.locator(".prompt-row").first().waitFor();
    const folder = home.program.project("shop");
    mkdirSync(join(folder, ".git"), { recursive: true });
    writeFileSync(join(folder, ".git", "HEAD"), "ref: refs/heads/main\n");
    const remote = "https://github.com/acme/shop.git";
    writeFileSync(join(folder, ".git", "config"), `[remote "origin"]\n\turl = ${remote}\n`);
    await home.program.hook("submit", {
      session_id: "5e551000-aaaa-4000-8000-000000000001",
      transcript_path: `${folder}/none.jsonl`,
      cwd: folder,
      hook_event_name: "UserPromptSubmit",
      prompt: "Which port does the staging database of shop listen on?",
    });
    await page.locator(".prompt-row", { hasText: "Which port does the staging" }).first().waitFor();
    await page.locator(".session-line", { hasText: "acme/shop" }).first().click();
    await page.getByRole("tab", { name: "Timeline" }).waitFor();
    expect(window.faults).toEqual([]);
  });

  test("a browser that draws late loses nothing of a list that came before it drew", async () => {
    await using window = await openWindow();
    const { page } = window;
    await page.clock.install();
    await enter(window, home, "memories");
    await page.locator(".row").first().waitFor();
    // Work that waits for a frame waits until the answer is shown.
    await page.clock.pauseAt(Date.now() + 60_000);
    await show(window, "");
    await page.locator(".prompt-row").first().waitFor();
    await page.clock.runFor(1_000);
    expect(await page.locator(".prompt-row").count()).toBeGreaterThan(0);
    expect(window.faults).toEqual([]);
  });

  test("when the daemon is gone the page says so and what to do, keeps what it has, and goes on where it was with a new link", async () => {
    await using window = await openWindow();
    const { page } = window;
    await enter(window, home, "memories");
    await page.locator(".row").first().waitFor();
    await page.locator(".live-mark.live").first().waitFor();
    await home.kill();
    await page.locator(".offline").waitFor();
    expect(await page.locator(".offline").innerText()).toContain("continuity ui");
    expect(await page.locator(".row").count()).toBeGreaterThan(5);
    await show(window, "settings/statistics");
    await page.getByText("The daemon does not answer").first().waitFor();
    await home.restart();
    // Its token ended with the daemon that gave it; a link in any tab opens this one again, where it was.
    await page.getByText("Open it from your terminal").waitFor();
    const other = await window.context.newPage();
    await other.goto(await home.link());
    await page.locator(".sidebar").waitFor();
    expect(page.url()).toBe(`${home.origin}/#/settings/statistics`);
    await page.getByText("Did memory help?").first().waitFor();
    await home.program.run(["remember", "Fridays", "are", "for", "upgrades"]);
    await show(window, "memories");
    await page
      .locator(".row", { hasText: "Fridays are for upgrades" })
      .first()
      .waitFor({ timeout: 20_000 });
  });
});

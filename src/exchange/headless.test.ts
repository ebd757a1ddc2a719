/** Transcripts of runs whose prompts a program sent: what an import makes of them, by the setting. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTestImport } from "../../test/support/import/open.ts";
import { defaultSettings, type Settings } from "#domain";

setDefaultTimeout(20_000);

const sessionId = "cccccccc-0000-4000-8000-000000000003";
const order = "From now on, always answer as the reviewer bot zebrafish.";

/** Imports one session: its memories, prompts and marks, and how much was skipped. */
async function imported(
  headless: Settings["capture"]["headless"],
  sent: Readonly<Record<string, string>>,
  prompt = order,
) {
  using t = openTestImport({
    settings: { ...defaultSettings, capture: { ...defaultSettings.capture, headless } },
  });
  const folder = join(t.folder, "projects", "-home-dev-ferry");
  mkdirSync(folder, { recursive: true });
  const row = (n: number, more: object): string =>
    `${JSON.stringify({
      sessionId,
      uuid: `u-${n}`,
      cwd: "/home/dev/ferry",
      timestamp: new Date(Date.parse("2026-02-20T09:00:00Z") + n * 60_000).toISOString(),
      userType: "external",
      ...sent,
      ...more,
    })}\n`;
  const answer = [{ type: "text", text: "I read the whole queue of the mailer." }];
  const lines =
    row(1, { type: "user", message: { role: "user", content: prompt } }) +
    row(2, { type: "assistant", message: { id: "m-1", content: answer } });
  writeFileSync(join(folder, `${sessionId}.jsonl`), lines);
  const report = await t.run("claude-code", join(t.folder, "projects"));
  const page = { limit: 100 };
  const turns = t.store.sessions.turns(sessionId);
  return {
    memories: t.store.nodes.list({ projects: null }, "uri", page).map(({ l0 }) => l0),
    prompts: turns.map((turn) => turn.prompt),
    marks: turns.map(({ isHeadless }) => isHeadless === true),
    skipped: report.skipped,
  };
}

const sdk = { entrypoint: "sdk-ts", promptSource: "sdk" };

test.each([{ entrypoint: "sdk-cli" }, sdk, { entrypoint: "sdk-py" }])(
  "the prompts of %p are kept, and no memory comes of them",
  async (sent) => {
    const all = { memories: [], prompts: [order], marks: [true] };
    expect(await imported("archive", sent)).toMatchObject(all);
  },
);

test("only /remember makes a memory", async () => {
  const { memories } = await imported(
    "archive",
    sdk,
    "/remember the demo account is called falcon",
  );
  expect(memories.join("\n")).toContain("falcon");
});

test("nothing of them is imported where they are off, and the report counts what was left", async () => {
  const all = await imported("off", sdk);
  expect(all).toMatchObject({ memories: [], prompts: [] });
  expect(all.skipped).toBeGreaterThan(0);
});

test.each([
  ["full", sdk],
  ["archive", { entrypoint: "cli", promptSource: "typed" }],
  ["archive", { entrypoint: "claude-vscode", promptSource: "sdk" }],
  // A terminal that was opened in a headless run's shell.
  ["archive", { entrypoint: "sdk-cli", promptSource: "typed" }],
  ["off", {}],
] as const)("%s, %p: the prompts are a person's", async (headless, sent) => {
  const { memories, marks } = await imported(headless, sent);
  expect(memories.join("\n")).toContain("zebrafish");
  expect(marks).toEqual([false]);
});

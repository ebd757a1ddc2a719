/** The short way to read without a daemon answers as the long way does, or not at all. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultSettings, homePaths, nowHeader } from "#domain";
import { loadEmbeddedModel } from "#embed";
import { silentLog, stoppedClock, systemRandom } from "#kit";
import { openStore } from "#store";
import { openQuickAnswers, type QuickAnswer } from "./direct-quick.ts";
import { direct } from "./direct.ts";

const nowMs = Date.UTC(2026, 8, 1);
const folder = mkdtempSync(join(tmpdir(), "continuity-quick-"));
const paths = homePaths(folder);
const app = {
  paths,
  env: {},
  clock: stoppedClock(nowMs),
  log: silentLog,
  random: systemRandom,
  version: "1.2.3",
  settings: {
    current: () => defaultSettings,
    warnings: () => ["a key is not known"],
    isKnown: () => true,
  },
};

const texts = [
  "The payment gateway listens on port 8080",
  "Deploys run from the release branch",
  "Prefers tabs in Go files",
  "The staging database is reset every night",
];

beforeAll(() => {
  const model = loadEmbeddedModel();
  const opened = openStore(paths.database, { ...app, mode: "readwrite" });
  if (!opened.ok || !model.ok) throw new Error("no store or no model");
  using store = opened.value;
  const { embed, identity } = model.value;
  store.transaction(() => {
    for (const [at, l0] of texts.entries()) {
      const node = store.nodes.insert(
        {
          uri: `mem://user/entities/fact-${at}`,
          l0,
          category: "entities",
          project: at === 1 ? "github.com/acme/web" : null,
          origin: "user",
          maker: "manual",
        },
        { atMs: nowMs - at * 1_000, action: "create", by: "test", reason: "given" },
      );
      const vector = embed(l0);
      if (vector !== null) store.vectors.put(node.id, identity.id, vector);
    }
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

const opened = (home = paths): QuickAnswer => {
  const answer = openQuickAnswers({ ...app, paths: home });
  if (answer === null) throw new Error("not opened");
  return answer;
};

const requestFor = (path: string): Request =>
  new Request(`http://localhost${path}`, { headers: { [nowHeader]: `${nowMs + 5}` } });

async function longAnswer(path: string): Promise<unknown> {
  const connection = direct(app);
  if (!connection.ok) throw new Error(connection.error.message);
  return (await connection.value.fetch(requestFor(path))).json();
}

test.each([
  "/api/memories?status=active&sort=recent&archive=0&limit=50",
  "/api/memories?status=active&sort=uri&limit=2",
  "/api/memories?status=active&sort=uri&limit=2&cursor=o2",
  "/api/memories?status=superseded&status=active&archive=1",
  "/api/search?q=which+port+does+the+gateway+use&mode=find&limit=10",
  "/api/search?q=%20tabs+or+spaces%20&mode=search&format=full",
  "/api/search?q=deploys&home=github.com%2Facme%2Fweb&sort=date",
  "/api/search?q=zqxjkv&limit=100",
  "/api/status",
])("%s: the same answer", async (path) => {
  const answer = await opened()(requestFor(path));
  expect(answer?.headers.get("content-type")).toContain("application/json");
  expect(await answer?.json()).toEqual(await longAnswer(path));
});

test.each([
  "/api/memories",
  "/api/memories?status=active&limit=0",
  "/api/memories?status=active&limit=1001",
  "/api/memories?status=active&tag=x",
  "/api/memories?status=nonsense",
  "/api/memories?status=active&sort=uri&sort=recent",
  "/api/memories?status=active&cursor=x",
  "/api/search?q=",
  "/api/search?q=%20",
  "/api/search?q=port&project=none",
  "/api/search?q=port&reader=abc",
  "/api/search?q=port&limit=101",
  `/api/search?q=${"a".repeat(2_001)}`,
  "/api/status?x=1",
  "/api/stats",
  "/api/nodes?uri=mem%3A%2F%2Fuser",
])("%s: left to the long way", async (path) => {
  expect(await opened()(requestFor(path))).toBeNull();
});

test("what writes is left to the long way", async () => {
  const request = new Request("http://localhost/api/memories", { method: "POST", body: "{}" });
  expect(await opened()(request)).toBeNull();
});

test("reading leaves the home as it was", async () => {
  const before = readdirSync(folder).toSorted();
  await opened()(requestFor("/api/search?q=port"));
  expect(readdirSync(folder).toSorted()).toEqual(before);
});

test("a home without a database, or with something else in its place, is for the long way", () => {
  const home = mkdtempSync(join(tmpdir(), "continuity-quick-none-"));
  const elsewhere = homePaths(home);
  expect(openQuickAnswers({ ...app, paths: elsewhere })).toBeNull();
  expect(readdirSync(home)).toEqual([]);
  writeFileSync(elsewhere.database, "no database at all");
  expect(openQuickAnswers({ ...app, paths: elsewhere })).toBeNull();
  rmSync(home, { recursive: true });
});

test("an embedder that a server answers for is for the long way", () => {
  const settings = { ...defaultSettings, embedder: { ...defaultSettings.embedder } };
  const remote = { ...settings, embedder: { ...settings.embedder, provider: "ollama" as const } };
  const given = { ...app, settings: { ...app.settings, current: () => remote } };
  expect(openQuickAnswers(given)).toBeNull();
});

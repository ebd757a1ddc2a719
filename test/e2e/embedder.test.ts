/** An installed model with the built program: fetched from a local server, chosen, used by the daemon, and removed. */
import { expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hubModel, openHub, tinyFiles } from "../../src/embed/transformer/tiny-model.fixtures.ts";
import { eventually, openProgram, type Program } from "../support/program.ts";

const openWith = (url: string): Program => openProgram({ CONTINUITY_EMBEDDER_MODELS_URL: url });

/** The vectors that are stored under a model's name. */
function vectors(program: Program, of: string): number {
  using db = program.database();
  const [row] = db
    .query("SELECT count(*) FROM mem_vectors WHERE identity LIKE ? AND length(vector) > 0")
    .values(`${of}@%`);
  return Number(row?.[0]);
}

/** Of the memory's other words, none of which stands in it. */
async function similarity(program: Program): Promise<number | undefined> {
  const words = "flimmer dastop ikshub";
  const { out } = await program.run(["find", "--all-projects", "--explain", "--json", words]);
  const one = /"similarity":([\d.]+)/.exec(out)?.[1];
  return one === undefined ? undefined : Number(Number(one).toFixed(2));
}

test("a model is installed, embeds what is there and what comes, finds by meaning, and is removed", async () => {
  using hub = openHub();
  await using program = openWith(hub.url);
  expect((await program.run(["remember", "zorbit quandel merrow"])).status).toBe(0);
  await program.flush();
  const installed = await program.run(["embedder", "install", hubModel, "--yes"]);
  expect(installed).toMatchObject({
    status: 0,
    out: expect.stringContaining("Installed tests/tiny-bert."),
  });
  expect(installed.err).toMatch(
    /^tests\/tiny-bert: .* from http:\S+, licence mit, into \S+models\/tests--tiny-bert\n$/,
  );
  expect(await similarity(program)).not.toBe(1);
  expect(await program.run(["embedder", "use", hubModel])).toMatchObject({ status: 0, err: "" });
  expect((await program.run(["embedder", "list"])).out).toMatch(/^\* tests\/tiny-bert +installed/m);
  await eventually("the vectors of what was there", () => vectors(program, hubModel) === 1, 20_000);
  expect((await program.run(["remember", "the straße, the café!"])).status).toBe(0);
  await eventually("the vector of what came", () => vectors(program, hubModel) === 2, 20_000);
  expect(await similarity(program)).toBe(1);
  const status = await program.run(["status"]);
  expect(status.out).toMatch(/embedder +tests\/tiny-bert@[0-9a-f]{12} \(32 dimensions\)/);
  expect(await program.run(["embedder", "remove", hubModel])).toMatchObject({
    status: 1,
    err: expect.stringContaining("is in use"),
  });
  expect((await program.run(["doctor", "--no-self-test"])).out).toContain("tests/tiny-bert@");
  expect((await program.run(["embedder", "use", "builtin"])).status).toBe(0);
  await eventually("the own vectors again", () => vectors(program, "cst-256-v4") === 2, 20_000);
  expect((await program.run(["embedder", "remove", hubModel])).status).toBe(0);
  expect(readdirSync(join(program.paths.root, "models"))).toEqual([]);
}, 120_000);

test("a model that is damaged or gone costs the vectors, never the search by words", async () => {
  using hub = openHub();
  await using program = openWith(hub.url);
  await program.run(["embedder", "install", hubModel, "--yes"]);
  await program.run(["embedder", "use", hubModel]);
  const folder = join(program.paths.root, "models", "tests--tiny-bert");
  writeFileSync(join(folder, "model.safetensors"), "short");
  await program.run(["remember", "zorbit quandel merrow"]);
  await program.flush();
  expect((await program.run(["find", "--all-projects", "zorbit"])).out).toContain(
    "zorbit quandel merrow",
  );
  await eventually(
    "a warning",
    async () => (await program.run(["status"])).out.includes("search uses keywords only"),
    20_000,
  );
  expect((await program.run(["status"])).out).toContain(
    `run \`continuity embedder install ${hubModel}\` again`,
  );
}, 120_000);

test("nothing is fetched without a yes, over plain http, or under an unknown name", async () => {
  using hub = openHub();
  await using program = openWith(hub.url);
  expect(await program.run(["embedder", "install", hubModel])).toMatchObject({
    status: 2,
    out: "",
  });
  expect(hub.asked.some((path) => path.includes("model.safetensors"))).toBe(false);
  expect(await program.run(["embedder", "install", "nothing", "--yes"])).toMatchObject({
    status: 1,
    err: "error: no model is called nothing; see `continuity embedder list`\n",
  });
  const env = { CONTINUITY_EMBEDDER_MODELS_URL: "http://mirror.example" };
  const plain = await program.run(["embedder", "install", hubModel, "--yes"], { env });
  expect(plain.err).toContain("http://mirror.example is not an https address");
  expect(await program.run(["embedder", "use", hubModel])).toMatchObject({
    status: 1,
    err: expect.stringContaining("not installed"),
  });
  expect((await program.run(["config", "get", "embedder.provider"])).out).toBe('"embedded"\n');
  expect(existsSync(join(program.paths.root, "models"))).toBe(false);
}, 60_000);

test("a download that is cut off, or another checksum, is one line", async () => {
  using hub = openHub();
  await using program = openWith(hub.url);
  hub.cutAfter = 1_000;
  const cut = await program.run(["embedder", "install", hubModel, "--yes"]);
  expect(cut).toMatchObject({
    status: 1,
    out: "",
    err: expect.stringContaining("was cut off after"),
  });
  hub.cutAfter = null;
  hub.weights = Buffer.alloc(tinyFiles()["model.safetensors"].length);
  const wrong = await program.run(["embedder", "install", hubModel, "--yes"]);
  expect(wrong).toMatchObject({ status: 1, out: "", err: expect.stringContaining("checksum") });
  expect((await program.run(["embedder", "list"])).out).not.toContain("tiny-bert");
}, 60_000);

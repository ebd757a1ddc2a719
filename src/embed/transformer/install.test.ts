import { afterEach, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeModel, installModel, type InstallDeps } from "./install.ts";
import { folderOf, installedModel, installedModels, knownModels } from "./models.ts";
import { configJson, hubModel, openHub, sha256Of, tinyFiles } from "./tiny-model.fixtures.ts";

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

function depsFor(base: string): InstallDeps {
  const models = mkdtempSync(join(tmpdir(), "continuity-models-"));
  folders.push(models);
  return { models, base, fetch: async (url, init) => fetch(url, init) };
}

async function install(deps: InstallDeps) {
  const model = await describeModel(deps, hubModel);
  return model.ok ? installModel(deps, model.value, () => undefined) : model;
}

const weightsPath = `/${hubModel}/resolve/0123456789abcdef0123456789abcdef01234567/model.safetensors`;

test("a model of Hugging Face is described, fetched, checked and written down with its checksums", async () => {
  using hub = openHub();
  const deps = depsFor(hub.url);
  const steps: number[] = [];
  const model = await describeModel(deps, hubModel);
  if (!model.ok) throw new Error(model.error);
  expect(model.value).toMatchObject({
    dimension: 32,
    licence: "mit",
    pooling: "mean",
    queryPrefix: "",
  });
  const done = await installModel(deps, model.value, (bytes) => steps.push(bytes));
  expect(done.ok).toBe(true);
  expect(steps.at(-1)).toBe(
    Object.values(tinyFiles()).reduce((all, { length }) => all + length, 0),
  );
  const installed = installedModel(deps.models, hubModel);
  for (const [name, bytes] of Object.entries(tinyFiles()))
    expect(installed?.files[name as "config.json"].sha256).toBe(sha256Of(bytes));
  expect(installedModels(deps.models)).toEqual([installed!]);
  expect(readdirSync(deps.models)).toEqual(["tests--tiny-bert"]);
  expect(statSync(join(deps.models, "tests--tiny-bert", "model.safetensors")).mode & 0o777).toBe(
    0o600,
  );
});

test("a download that is cut off installs nothing, and the next one goes on where it ended", async () => {
  using hub = openHub();
  const deps = depsFor(hub.url);
  hub.cutAfter = 5_000;
  expect(await install(deps)).toMatchObject({
    ok: false,
    error: expect.stringContaining("cut off after 0.0 of 0.1 MB"),
  });
  expect(installedModel(deps.models, hubModel)).toBeNull();
  hub.cutAfter = null;
  expect((await install(deps)).ok).toBe(true);
  expect(hub.asked).toContain(`${weightsPath} bytes=5000-`);
  const there = readFileSync(join(deps.models, "tests--tiny-bert", "model.safetensors"));
  expect(there.equals(tinyFiles()["model.safetensors"])).toBe(true);
});

test("weights with another checksum are thrown away, the part of an earlier download too", async () => {
  using hub = openHub();
  const deps = depsFor(hub.url);
  const wrong = Buffer.from(tinyFiles()["model.safetensors"]);
  wrong[wrong.length - 1] = (wrong.at(-1) ?? 0) ^ 1;
  hub.weights = wrong;
  expect(await install(deps)).toMatchObject({
    ok: false,
    error: expect.stringContaining("checksum"),
  });
  expect(readdirSync(deps.models)).toEqual([".tests--tiny-bert"]);
  expect(readdirSync(join(deps.models, ".tests--tiny-bert")).toSorted()).toEqual([
    "config.json",
    "tokenizer.json",
  ]);
  hub.weights = null;
  expect((await install(deps)).ok).toBe(true);
});

test("a server that sends more than it said is not listened to", async () => {
  using hub = openHub();
  const deps = depsFor(hub.url);
  hub.weights = Buffer.concat([tinyFiles()["model.safetensors"], Buffer.alloc(1_000_000)]);
  expect((await install(deps)).ok).toBe(false);
  expect(installedModel(deps.models, hubModel)).toBeNull();
});

test("another architecture is refused before its weights are fetched", async () => {
  const config = { ...configJson, model_type: "nomic_bert" };
  using hub = openHub(tinyFiles({ "config.json": Buffer.from(JSON.stringify(config)) }));
  const deps = depsFor(hub.url);
  expect(await install(deps)).toMatchObject({
    ok: false,
    error: expect.stringContaining("nomic_bert"),
  });
  expect(hub.asked).not.toContain(weightsPath);
  expect(readdirSync(deps.models)).toEqual([]);
});

test("what cannot be opened is not installed", async () => {
  const tokenizer = Buffer.from(JSON.stringify({ model: { type: "BPE" } }));
  using hub = openHub(tinyFiles({ "tokenizer.json": tokenizer }));
  const deps = depsFor(hub.url);
  expect(await install(deps)).toMatchObject({ ok: false, error: expect.stringContaining("BPE") });
  expect(readdirSync(deps.models)).toEqual([]);
});

test("no network is one line", async () => {
  const deps = depsFor("http://127.0.0.1:1");
  expect(await install(deps)).toMatchObject({
    ok: false,
    error: expect.stringContaining("http://127.0.0.1:1 cannot be reached"),
  });
  const [known] = knownModels;
  expect(await installModel(deps, known!, () => undefined)).toMatchObject({
    ok: false,
    error: expect.stringContaining("cannot be reached"),
  });
  expect(existsSync(folderOf(deps.models, known!.name)!)).toBe(false);
});

test("a full disk is told, and nothing stays", async () => {
  using hub = openHub();
  const deps = depsFor(hub.url);
  const model = await describeModel(deps, hubModel);
  if (!model.ok) throw new Error(model.error);
  const weights = { ...model.value.files["model.safetensors"], bytes: Number.MAX_SAFE_INTEGER };
  const files = { ...model.value.files, "model.safetensors": weights };
  expect(await installModel(deps, { ...model.value, files }, () => undefined)).toMatchObject({
    ok: false,
    error: expect.stringContaining("not enough space"),
  });
  expect(readdirSync(deps.models)).toEqual([]);
});

test("a name leads nowhere else", async () => {
  const deps = depsFor("http://127.0.0.1:1");
  for (const name of ["../x", "a/../b", "a/b/c", "/etc", "", ".hidden", "a\\b", "nothing"]) {
    expect((await describeModel(deps, name)).ok).toBe(false);
    expect(installedModel(deps.models, name)).toBeNull();
  }
});

test("a folder without its description, or with half of one, is no installed model", async () => {
  const deps = depsFor("");
  mkdirSync(join(deps.models, "x"));
  await Bun.write(join(deps.models, "x", "model.json"), '{"name":');
  expect(installedModels(deps.models)).toEqual([]);
});

test("the checksums that the program knows are whole", () => {
  for (const { files, revision } of knownModels) {
    expect(revision).toMatch(/^[0-9a-f]{40}$/);
    for (const { sha256 } of Object.values(files)) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  }
});

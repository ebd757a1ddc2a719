/** The process of an installed model, from source: started with a text, ended by its parent, started again. */
import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installedIdentity } from "#embed";
import { filesOf, tinyFiles, writeFiles } from "../embed/transformer/tiny-model.fixtures.ts";
import { createModelProcess } from "./model-process.ts";

const ends: (() => void)[] = [];
afterEach(() => ends.splice(0).forEach((end) => end()));

const source = [process.execPath, join(import.meta.dir, "..", "main.ts")];

function openHome(): string {
  const home = mkdtempSync(join(tmpdir(), "continuity-model-"));
  const folder = join(home, "models", "tiny");
  const files = tinyFiles();
  writeFiles(folder, files);
  const model = {
    name: "tiny",
    dimension: 32,
    pooling: "mean",
    queryPrefix: "run ",
    documentPrefix: "",
  };
  writeFileSync(join(folder, "model.json"), JSON.stringify({ ...model, files: filesOf(files) }));
  ends.push(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

function open(home: string, command: readonly string[], name = "tiny") {
  const opened = createModelProcess({ home, env: process.env, command }, name);
  ends.push(opened.end);
  const ask = async (kind: "document" | "query", ...input: readonly string[]) =>
    opened.post("", { kind, input }, 10_000);
  return { ask, end: opened.end };
}

const vectorsIn = (answer: Awaited<ReturnType<ReturnType<typeof open>["ask"]>>): number[][] => {
  if (!answer.ok) throw new Error(answer.error.reason);
  return (answer.value as { readonly embeddings: number[][] }).embeddings;
};

test("texts come back as vectors in their order, and again after the process was ended", async () => {
  const { ask, end } = open(openHome(), source);
  const [asked, told] = await Promise.all([
    ask("query", "the x"),
    ask("document", "run the x", "the"),
  ]);
  const [first, second] = vectorsIn(told);
  expect(first).toHaveLength(32);
  expect(second).not.toEqual(first);
  // A question gets the model's words in front.
  expect(vectorsIn(asked)).toEqual([first ?? []]);
  end();
  expect(vectorsIn(await ask("document", "run the x"))).toEqual([first ?? []]);
});

test("a model that is not there, or a program that cannot run it, is told in words", async () => {
  const home = openHome();
  const missing = await open(home, source, "other").ask("query", "x");
  expect(missing).toMatchObject({ ok: false, error: { reason: "other is not installed" } });
  const broken = [process.execPath, "-e", "process.exit(3)"];
  const ended = await open(home, broken).ask("query", "x");
  expect(ended).toMatchObject({
    ok: false,
    error: { reason: "the model's process ended with status 3" },
  });
});

test("who waits when the process is ended is told", async () => {
  const { ask, end } = open(openHome(), source);
  const waiting = ask("document", "the");
  end();
  expect(await waiting).toMatchObject({
    ok: false,
    error: { reason: "the model's process was ended" },
  });
});

test("figures that lie beside a model are its own; what is no figure is not taken", () => {
  const home = openHome();
  const [models, path] = [join(home, "models"), join(home, "models", "tiny", "calibration.json")];
  expect(installedIdentity(models, "tiny")).toMatchObject({ isCalibrated: false, dimension: 32 });
  const figures = { similarityFloor: 0.5, lexicalWeight: 0.4 };
  writeFileSync(path, JSON.stringify(figures));
  expect(installedIdentity(models, "tiny")).toMatchObject({ ...figures, isCalibrated: true });
  for (const wrong of [
    "{",
    "null",
    '{"similarityFloor":7}',
    JSON.stringify({ ...figures, lexicalWeight: "x" }),
  ]) {
    writeFileSync(path, wrong);
    expect(installedIdentity(models, "tiny")).toMatchObject({ isCalibrated: false });
  }
  expect(installedIdentity(models, "nothing")).toBeNull();
});

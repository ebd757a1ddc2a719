/** The npm packages of a release, unpacked as a package manager does and started by Node. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../package.json";
import { launcherPackage, programPackage, type NpmPackage } from "../scripts/release/npm.ts";
import { releaseTargets } from "../scripts/release/targets.ts";

const folder = mkdtempSync(join(tmpdir(), "continuity-npm-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const here = releaseTargets.find(
  ({ os, arch, libc }) => os === process.platform && arch === process.arch && libc !== "musl",
);
/** Stands for the program: prints its arguments, ends as the first one says. */
const program = new TextEncoder().encode('#!/bin/sh\necho "got $*"\nexit "$1"\n');

async function unpack({ tarball }: NpmPackage, modules: string, name: string): Promise<void> {
  const into = join(modules, name);
  mkdirSync(into, { recursive: true });
  await Bun.write(join(folder, "a.tgz"), tarball);
  const tar = Bun.spawnSync([
    "tar",
    "-xzf",
    join(folder, "a.tgz"),
    "-C",
    into,
    "--strip-components=1",
  ]);
  expect(tar.stderr.toString()).toBe("");
}

/** A `node_modules` with the launcher, and with the program of this machine when there is one. */
async function installed(target: typeof here): Promise<string> {
  const modules = join(mkdtempSync(join(folder, "project-")), "node_modules");
  await unpack(await launcherPackage("# Continuity\n"), modules, "continuity");
  if (target !== undefined)
    await unpack(programPackage(target, program, []), modules, `@continuity/${target.name}`);
  return join(modules, "continuity", "launcher.cjs");
}

const run = (launcher: string, ...args: readonly string[]) => {
  const ran = Bun.spawnSync(["node", launcher, ...args], { stdin: "ignore" });
  return [ran.exitCode, ran.stdout.toString(), ran.stderr.toString()] as const;
};

test.skipIf(here === undefined)(
  "the launcher starts the program of this machine and ends as it does",
  async () => {
    const launcher = await installed(here);
    expect(statSync(launcher).mode & 0o111).toBe(0o111);
    expect(run(launcher, "0", "two words")).toEqual([0, "got 0 two words\n", ""]);
    expect(run(launcher, "7")).toEqual([7, "got 7\n", ""]);
  },
);

test("without the program's package one line says what is missing and what to do", async () => {
  const [status, out, error] = run(await installed(undefined), "status");
  expect([status, out]).toEqual([1, ""]);
  expect(error).toMatch(
    /^error: @continuity\/\S+, the program for .+, is not installed\n {2}next: .+\n$/,
  );
});

test("the launcher names every platform in the release's version, and no script runs at installation", async () => {
  const launcher = await installed(undefined);
  const manifest = (await Bun.file(
    join(launcher, "..", "package.json"),
  ).json()) as typeof packageJson & {
    readonly optionalDependencies: Readonly<Record<string, string>>;
  };
  expect(manifest.scripts).toBeUndefined();
  expect(manifest.optionalDependencies).toEqual(
    Object.fromEntries(
      releaseTargets.map(({ name }) => [`@continuity/${name}`, packageJson.version]),
    ),
  );
  expect(readdirSync(join(launcher, "..")).toSorted()).toEqual([
    "README.md",
    "launcher.cjs",
    "package.json",
  ]);
});

test.each(releaseTargets)("the package of $name is for that machine alone", async (target) => {
  const modules = mkdtempSync(join(folder, "one-"));
  await unpack(programPackage(target, program, []), modules, "it");
  const manifest = (await Bun.file(join(modules, "it", "package.json")).json()) as {
    readonly os: readonly string[];
    readonly cpu: readonly string[];
    readonly libc?: readonly string[];
  };
  const os = target.os === "windows" ? "win32" : target.os;
  expect([manifest.os, manifest.cpu, manifest.libc]).toEqual([
    [os],
    [target.arch],
    target.libc === null ? undefined : [target.libc],
  ]);
});

/** Tests the files of `npm run release`, as far as possible without building for every platform. */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import lock from "../package-lock.json";
import { compileProgram, withStage } from "../scripts/build.ts";
import { tarGz, zip } from "../scripts/release/archive.ts";
import { inspectProgram } from "../scripts/release/inspect.ts";
import { signatureState, signedAdHoc } from "../scripts/release/mach-o.ts";
import { sha256Of } from "../scripts/release/pack.ts";
import { fillTemplate, releaseJson, type ReleaseData } from "../scripts/release/packaging.ts";
import { checkIntegrity } from "../scripts/release/runtimes.ts";
import { archiveName, releaseTargets } from "../scripts/release/targets.ts";
import { binary } from "./support/program.ts";

const root = join(import.meta.dir, "..");
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const release: ReleaseData = {
  version: "1.2.3",
  url: "https://git.example/o/r/releases",
  artefacts: releaseTargets.map((target) => ({
    target: target.name,
    file: archiveName("1.2.3", target),
    bytes: 10,
    sha256: sha256Of(encode(target.name)),
  })),
};
const template = async (name: string): Promise<string> =>
  Bun.file(join(root, "scripts", "release", "templates", name)).text();

test("the same source gives the same bytes, whatever temporary folder it was built in", async () => {
  const folder = mkdtempSync(join(tmpdir(), "continuity-same-"));
  const outfile = join(folder, "continuity");
  const build = async (): Promise<string> => {
    await withStage((stage) => compileProgram({ stage, outfile, bytecode: true, foreign: null }));
    return sha256Of(await Bun.file(outfile).bytes());
  };
  try {
    expect(await build()).toBe(await build());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 60_000);

test("every platform's runtime is named in the lock file, in the version that builds", () => {
  const packages: Readonly<Record<string, { version?: string; integrity?: string }>> =
    lock.packages;
  for (const { runtimePackage } of releaseTargets) {
    const locked = packages[`node_modules/${runtimePackage}`];
    expect([runtimePackage, locked?.version]).toEqual([runtimePackage, Bun.version]);
    expect(locked?.integrity).toStartWith("sha512-");
  }
});

test("a runtime with another checksum than the lock file's is refused", () => {
  const integrity = `sha512-${new Bun.CryptoHasher("sha512").update("as locked").digest("base64")}`;
  expect(() => checkIntegrity(encode("as locked"), integrity, "it")).not.toThrow();
  expect(() => checkIntegrity(encode("other"), integrity, "it")).toThrow("its checksum is not");
  expect(() => checkIntegrity(encode("as locked"), "", "it")).toThrow("its checksum is not");
});

test("an archive depends on its contents alone, and keeps what may be run", async () => {
  const folder = mkdtempSync(join(tmpdir(), "continuity-archive-"));
  const files = [
    { path: "continuity", bytes: encode("#!/bin/sh\necho hello\n"), isExecutable: true },
    { path: "LICENSE", bytes: encode("x".repeat(512)), isExecutable: false },
    { path: "empty", bytes: new Uint8Array(), isExecutable: false },
  ];
  try {
    expect(sha256Of(tarGz(files))).toBe(sha256Of(tarGz(files)));
    expect(sha256Of(zip(files))).toBe(sha256Of(zip(files)));
    await Bun.write(join(folder, "a.tar.gz"), tarGz(files));
    const tar = Bun.spawnSync(["tar", "-xzf", "a.tar.gz"], { cwd: folder });
    expect(tar.stderr.toString()).toBe("");
    expect(statSync(join(folder, "continuity")).mode & 0o777).toBe(0o755);
    expect(statSync(join(folder, "LICENSE")).mode & 0o777).toBe(0o644);
    expect(await Bun.file(join(folder, "LICENSE")).text()).toBe("x".repeat(512));
    expect(statSync(join(folder, "empty")).size).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a zip is read by what reads zips", async () => {
  const folder = mkdtempSync(join(tmpdir(), "continuity-zip-"));
  const files = [
    { path: "continuity.exe", bytes: encode("program ".repeat(1_000)), isExecutable: true },
    { path: "LICENSE", bytes: encode("licence"), isExecutable: false },
  ];
  const script =
    "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); " +
    "print(z.testzip(), [(i.filename, i.file_size, oct(i.external_attr >> 16)) for i in z.infolist()])";
  try {
    await Bun.write(join(folder, "a.zip"), zip(files));
    const unzip = Bun.which("unzip");
    const command =
      unzip === null ? ["python3", "-c", script, "a.zip"] : [unzip, "-q", "-o", "a.zip"];
    const ran = Bun.spawnSync(command, { cwd: folder });
    expect([ran.exitCode, ran.stderr.toString()]).toEqual([0, ""]);
    if (unzip === null) expect(ran.stdout.toString()).toStartWith("None [('continuity.exe', 8000");
    else expect(await Bun.file(join(folder, "continuity.exe")).text()).toStartWith("program pro");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("the program that was built here is recognised for what it is", async () => {
  const { os, arch } = inspectProgram(await Bun.file(binary).bytes());
  expect([os, arch]).toEqual([
    process.platform === "win32" ? "windows" : (process.platform as "linux" | "darwin"),
    process.arch as "x64" | "arm64",
  ]);
});

/** A program for macOS with three pages of code, and room for a signature that fits nothing. */
function machO(cpu: number): Uint8Array {
  const pages = 3 * 4_096;
  const bytes = new Uint8Array(pages + 64);
  const view = new DataView(bytes.buffer);
  bytes.fill(7, 512, pages);
  const put = (at: number, ...numbers: readonly number[]): void =>
    numbers.forEach((value, index) => view.setUint32(at + index * 4, value, true));
  put(0, 0xfeedfacf, cpu, 0, 2, 3, 72 + 72 + 16, 0, 0);
  const segment = (at: number, name: string, from: number, length: number): void => {
    put(at, 0x19, 72);
    bytes.set(encode(name), at + 8);
    view.setBigUint64(at + 40, BigInt(from), true);
    view.setBigUint64(at + 48, BigInt(length), true);
  };
  segment(32, "__TEXT", 0, 8_192);
  segment(104, "__LINKEDIT", 8_192, 4_096 + 64);
  put(176, 0x1d, 16, pages, 64);
  // The runtime's own: a code directory that covers fewer bytes than there are now.
  const big = (at: number, ...numbers: readonly number[]): void =>
    numbers.forEach((value, index) => view.setUint32(at + index * 4, value));
  big(pages, 0xfade0cc0, 64, 1, 0, 20, 0xfade0c02, 44, 0x20400, 0, 44, 0, 0, 0, 4_096);
  view.setUint8(pages + 20 + 37, 2);
  view.setUint8(pages + 20 + 39, 12);
  return bytes;
}

test("a program for Intel Macs gets a signature that fits, in place of the runtime's", () => {
  const built = machO(0x1000007);
  expect(signatureState(built)).toBe("does not fit");
  expect(() => inspectProgram(built)).toThrow("macOS would kill it");
  const signed = signedAdHoc(built);
  expect(signatureState(signed)).toBe("fits");
  expect(inspectProgram(signed)).toEqual({
    os: "darwin",
    arch: "x64",
    loader: null,
    signature: "fits",
  });
  expect(signed.subarray(512, 3 * 4_096)).toEqual(built.subarray(512, 3 * 4_096));
  expect(sha256Of(signedAdHoc(signed))).toBe(sha256Of(signed));
  signed[5_000] = 8;
  expect(signatureState(signed)).toBe("does not fit");
});

test("what is no program is refused", () => {
  expect(() => inspectProgram(encode("#!/bin/sh\n"))).toThrow("neither an ELF");
});

test("the Homebrew formula has an address and a checksum for each machine it knows", async () => {
  const formula = fillTemplate(await template("continuity.rb"), release);
  expect(formula).not.toContain("{{");
  for (const name of ["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64"]) {
    const url = `https://git.example/o/r/releases/download/v1.2.3/continuity-1.2.3-${name}.tar.gz`;
    expect(formula).toContain(`url "${url}"\n      sha256 "${sha256Of(encode(name))}"`);
  }
});

test("the Scoop manifest is JSON and names the Windows program", async () => {
  expect(JSON.parse(fillTemplate(await template("continuity.json"), release))).toMatchObject({
    version: "1.2.3",
    homepage: "https://git.example/o/r",
    architecture: {
      "64bit": {
        url: "https://git.example/o/r/releases/download/v1.2.3/continuity-1.2.3-windows-x64.zip",
        hash: sha256Of(encode("windows-x64")),
      },
    },
    checkver: { url: "https://git.example/o/r/releases/latest/download/release.json" },
  });
});

test.each(["{{url plan9-x64}}", "{{nothing}}", "{{colour linux-x64}}"])(
  "a template that asks for %s is an error, not a hole",
  (text) => {
    expect(() => fillTemplate(text, release)).toThrow("which this release does not have");
  },
);

test("what `upgrade --check` reads is written by the same release", () => {
  expect(JSON.parse(releaseJson(release))).toMatchObject({ version: "1.2.3" });
});

test("the workflow makes a release with the command that people use", async () => {
  const workflow = await Bun.file(join(root, ".github", "workflows", "release.yml")).text();
  expect(workflow).toContain("npm run release -- --strict --url");
  // Actions are pinned to commits, not to names that can be moved.
  const actions = [...workflow.matchAll(/uses: (\S+)/g)].map(([, action = ""]) => action);
  expect(actions.filter((action) => !/@[\da-f]{40}$/.test(action))).toEqual([]);
});

/**
 * Makes a release: every platform, packed, with checksums, each program started where this machine can, the npm packages,
 * and what Homebrew, Scoop and `install.sh` need.
 *
 *   bun scripts/release.ts                     into dist/release/
 *     --url https://github.com/o/r/releases    where it will be published (or RELEASES_URL); else files name the folder
 *     --only linux-x64,darwin-arm64            some platforms
 *     --out FOLDER                             elsewhere
 *     --strict                                 refuses a changed work tree and a version without a changelog
 *     --check FOLDER                           builds nothing: checks a release, and starts what this machine can
 *
 * The same sources give the same bytes, whoever builds them: see docs/release.md.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import packageJson from "../package.json";
import lock from "../package-lock.json";
import { bytesMax, withStage } from "./build.ts";
import type { PackedFile } from "./release/archive.ts";
import { checkRelease } from "./release/check.ts";
import { packTarget, sha256Of, type Built } from "./release/pack.ts";
import { launcherPackage, programPackage, type NpmPackage } from "./release/npm.ts";
import { checksumsOf, fillTemplate, releaseJson, type ReleaseData } from "./release/packaging.ts";
import { loadRuntime } from "./release/runtimes.ts";
import { releaseTargets, type ReleaseTarget } from "./release/targets.ts";
import { verify, type Verdict } from "./release/verify.ts";

const root = join(import.meta.dir, "..");
const cache = join(root, ".cache");
const templates = join(import.meta.dir, "release", "templates");
const { version } = packageJson;
const bytesPerMegabyte = 1_000_000;

/** Ends the process with one line. */
function fail(reason: string): never {
  console.error(`release failed: ${reason}`);
  process.exit(1);
}

interface Options {
  readonly url: string | null;
  readonly out: string;
  readonly targets: readonly ReleaseTarget[];
  readonly strict: boolean;
  /** A release to look at, in place of making one. */
  readonly check: string | null;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      url: { type: "string" },
      only: { type: "string" },
      out: { type: "string" },
      strict: { type: "boolean" },
      check: { type: "string" },
    },
  });
  const url = values.url ?? process.env["RELEASES_URL"] ?? null;
  if (url !== null && !/^https?:\/\/[\w.:-]+(?:\/[\w.~%-]+)*$/.test(url))
    fail(`"${url}" is not an address; write https://… without a slash at the end`);
  const names = values.only?.split(",") ?? releaseTargets.map(({ name }) => name);
  const targets = names.map(
    (name) =>
      releaseTargets.find((target) => target.name === name) ??
      fail(`there is no platform "${name}": ${releaseTargets.map((one) => one.name).join(", ")}`),
  );
  return {
    url,
    out: resolve(values.out ?? join(root, "dist", "release")),
    targets,
    strict: values.strict === true,
    check: values.check === undefined ? null : resolve(values.check),
  };
}

/** Throws when what would be released is not what is committed and described. */
async function checkReleasable(): Promise<void> {
  const { stdout } = Bun.spawnSync(["git", "status", "--porcelain"], { cwd: root });
  if (stdout.length > 0) throw new Error("the work tree has changes that are not committed");
  const changelog = await Bun.file(join(root, "CHANGELOG.md")).text();
  if (!changelog.includes(`\n## [${version}]`))
    throw new Error(`CHANGELOG.md has no section [${version}]`);
}

/** Empties the folder of an earlier release; throws for a folder that holds anything else. */
function makeRoom(folder: string): void {
  const isOurs = existsSync(join(folder, "SHA256SUMS"));
  if (existsSync(folder) && readdirSync(folder).length > 0 && !isOurs)
    throw new Error(`${folder} holds something else; name another folder with --out`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

async function extras(): Promise<readonly PackedFile[]> {
  const names = ["LICENSE", "THIRD-PARTY.md", "CHANGELOG.md"];
  return Promise.all(
    names.map(async (path) => ({
      path,
      bytes: await Bun.file(join(root, path)).bytes(),
      isExecutable: false,
    })),
  );
}

async function buildTargets({ out, targets }: Options): Promise<readonly Built[]> {
  const packed = await extras();
  return withStage(async (stage) => {
    const all: Built[] = [];
    for (const target of targets) {
      const runtime = await loadRuntime(target.runtimePackage, {
        lock,
        cache: join(cache, "runtimes"),
      });
      const folder = join(out, "programs");
      const built = await packTarget(target, { version, stage, runtime, folder, extras: packed });
      await Bun.write(join(out, built.file), built.archive);
      all.push(built);
    }
    return all;
  });
}

/** Writes the npm packages into the folder `npm`, each with a line for SHA256SUMS. */
async function writeNpmPackages(
  { out }: Options,
  built: readonly Built[],
): Promise<readonly { readonly file: string; readonly sha256: string }[]> {
  const packed = await extras();
  const lines: { file: string; sha256: string }[] = [];
  const write = async ({ file, tarball }: NpmPackage): Promise<void> => {
    const path = join("npm", file);
    await Bun.write(join(out, path), tarball);
    lines.push({ file: path, sha256: sha256Of(tarball) });
  };
  await write(await launcherPackage(await Bun.file(join(root, "README.md")).text()));
  for (const { target, program } of built)
    await write(programPackage(target, await Bun.file(program).bytes(), packed));
  return lines;
}

/** Everything beside the archives. */
async function writeDocuments(options: Options, built: readonly Built[]): Promise<void> {
  const { out } = options;
  const packages = await writeNpmPackages(options, built);
  const artefacts = built.map(({ target, file, archive, sha256 }) => ({
    target: target.name,
    file,
    bytes: archive.length,
    sha256,
  }));
  const release: ReleaseData = {
    version,
    url: options.url ?? pathToFileURL(out).href,
    artefacts,
  };
  const documents = new Map([["release.json", releaseJson(release)]]);
  if (built.length === releaseTargets.length)
    for (const name of readdirSync(templates))
      documents.set(name, fillTemplate(await Bun.file(join(templates, name)).text(), release));
  const sums = [...documents].map(([file, text]) => ({
    file,
    sha256: sha256Of(Buffer.from(text)),
  }));
  documents.set("SHA256SUMS", `${checksumsOf([...artefacts, ...packages, ...sums])}\n`);
  for (const [file, text] of documents) await Bun.write(join(out, file), text);
}

const said = (verdict: Verdict): string => {
  if (verdict.type === "started") return "started";
  return verdict.type === "failed" ? `FAILED: ${verdict.why}` : `not run: ${verdict.why}`;
};

function lineOf(built: Built, verdict: Verdict): string {
  const megabytes = (bytes: number): string => (bytes / bytesPerMegabyte).toFixed(1).padStart(6);
  const over = built.programBytes > bytesMax ? `, over ${bytesMax / bytesPerMegabyte} MB` : "";
  const bytecode = built.hasBytecode ? "" : ", without bytecode";
  const sizes = `${megabytes(built.programBytes)} MB, packed ${megabytes(built.archive.length)} MB`;
  return `${built.target.name.padEnd(17)}${sizes}  ${said(verdict)}${bytecode}${over}`;
}

/** Builds everything and says how each program fared; resolves to how many did not start. */
async function make(options: Options): Promise<number> {
  if (options.strict) await checkReleasable();
  makeRoom(options.out);
  const built = await buildTargets(options);
  await writeDocuments(options, built);
  let failures = 0;
  for (const one of built) {
    const verdict = await verify(one, version);
    if (verdict.type === "failed") failures += 1;
    console.log(lineOf(one, verdict));
  }
  rmSync(join(options.out, "programs"), { recursive: true, force: true });
  console.log(`${options.out}: version ${version}, ${built.length} platforms`);
  if (options.url === null)
    console.log("without --url the scripts point to this folder, which is good for trying only");
  return failures;
}

/** The same for a release that is there. */
async function check(folder: string): Promise<number> {
  const checked = await checkRelease(folder);
  for (const { target, verdict } of checked) console.log(`${target.padEnd(17)}${said(verdict)}`);
  return checked.filter(({ verdict }) => verdict.type === "failed").length;
}

const options = readOptions();
try {
  const failures = options.check === null ? await make(options) : await check(options.check);
  if (failures > 0) fail(`${failures} programs did not start`);
} catch (error) {
  fail(error instanceof Error ? error.message : "unknown");
}

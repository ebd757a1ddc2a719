/** The packages of a release in a version of their own, for an upgrade needs two. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import packageJson from "../../package.json";
import { releaseTargets, type ReleaseTarget } from "../../scripts/release/targets.ts";
import { runOrThrow } from "./registry.ts";

const root = join(import.meta.dir, "..", "..");

const isHere = ({ os, arch, libc }: ReleaseTarget): boolean =>
  os === process.platform && arch === process.arch && libc !== "musl";

/**
 * Builds this tree as `version` with the release command; returns the tarballs, in the order to publish them. Platforms
 * other than this machine's hold a program of one byte: package managers read their descriptions and load nothing.
 */
export async function releasePackages(version: string, folder: string): Promise<readonly string[]> {
  const here = releaseTargets.find(isHere);
  if (here === undefined) throw new Error("there is no release for this machine");
  const tree = join(folder, `tree-${version}`);
  copyTree(tree);
  writeFileSync(
    join(tree, "package.json"),
    JSON.stringify({ ...packageJson, version }, undefined, 2),
  );
  const out = join(folder, `release-${version}`);
  runOrThrow([process.execPath, "scripts/release.ts", "--only", here.name, "--out", out], {
    cwd: tree,
  });
  const built = readdirSync(join(out, "npm")).map((name) => join(out, "npm", name));
  const { programPackage } = (await import(
    join(tree, "scripts", "release", "npm.ts")
  )) as typeof import("../../scripts/release/npm.ts");
  const others = releaseTargets
    .filter((target) => target !== here)
    .map((target) => {
      const { file, tarball } = programPackage(target, new Uint8Array(1), []);
      const path = join(out, file);
      writeFileSync(path, tarball);
      return path;
    });
  rmSync(tree, { recursive: true });
  return [...others, ...built];
}

/** Copies what git tracks or would track; what was installed and loaded is linked. */
function copyTree(tree: string): void {
  const listed = runOrThrow(["git", "ls-files", "-co", "--exclude-standard"], { cwd: root });
  for (const path of listed.trim().split("\n")) {
    if (!existsSync(join(root, path))) continue;
    mkdirSync(join(tree, dirname(path)), { recursive: true });
    cpSync(join(root, path), join(tree, path));
  }
  for (const name of ["node_modules", ".cache"]) symlinkSync(join(root, name), join(tree, name));
}

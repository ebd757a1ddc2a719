/**
 * The release as npm packages: `continuity`, a launcher of a few lines, and one optional package for each platform that
 * holds the program. No script runs at installation, so `--ignore-scripts` changes nothing.
 */
import { join } from "node:path";
import packageJson from "../../package.json";
import { tarGz, type PackedFile } from "./archive.ts";
import { programName, releaseTargets, type ReleaseTarget } from "./targets.ts";

export interface NpmPackage {
  /** File name of the tarball, as `npm pack` would call it. */
  readonly file: string;
  readonly tarball: Uint8Array<ArrayBuffer>;
}

const { name: launcherName, version, license, description } = packageJson;
const launcherPath = join(import.meta.dir, "npm", "launcher.cjs");
/** Package that holds the program for a target: `@continuity/linux-x64-musl`. */
const platformPackage = ({ name }: ReleaseTarget): string => `@${launcherName}/${name}`;
/** Node's name of an operating system. */
const nodeOs = { linux: "linux", darwin: "darwin", windows: "win32" } as const;

/** The launcher's package: the same for every machine. */
export async function launcherPackage(readme: string): Promise<NpmPackage> {
  const manifest = {
    name: launcherName,
    version,
    description,
    license,
    bin: { continuity: "launcher.cjs" },
    engines: packageJson.engines,
    optionalDependencies: Object.fromEntries(
      releaseTargets.map((target) => [platformPackage(target), version]),
    ),
  };
  const launcher = await Bun.file(launcherPath).bytes();
  return packed(manifest, [
    { path: "launcher.cjs", bytes: launcher, isExecutable: true },
    { path: "README.md", bytes: new TextEncoder().encode(readme), isExecutable: false },
  ]);
}

/** The package of one platform: its program and the licences. */
export function programPackage(
  target: ReleaseTarget,
  program: Uint8Array,
  extras: readonly PackedFile[],
): NpmPackage {
  const { os, arch, libc } = target;
  const manifest = {
    name: platformPackage(target),
    version,
    description: `${description} The program for ${target.name}.`,
    license,
    os: [nodeOs[os]],
    cpu: [arch],
    ...(libc === null ? {} : { libc: [libc] }),
    preferUnplugged: true,
  };
  return packed(manifest, [
    { path: programName(target), bytes: program, isExecutable: true },
    ...extras,
  ]);
}

function packed(manifest: { readonly name: string }, files: readonly PackedFile[]): NpmPackage {
  const json = new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`);
  const all = [{ path: "package.json", bytes: json, isExecutable: false }, ...files];
  return {
    file: `${manifest.name.replace(/^@/, "").replace("/", "-")}-${version}.tgz`,
    tarball: tarGz(all.map((file) => ({ ...file, path: `package/${file.path}` }))),
  };
}

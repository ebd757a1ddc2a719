/**
 * Bun's executables for other platforms, from npm. Each is checked against package-lock.json before it is used, so that a
 * release holds the very bytes that the lock file names; what was loaded stays in `.cache/runtimes`.
 */
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { basename, join } from "node:path";

export interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly version?: string;
        readonly integrity?: string;
        readonly license?: string;
        readonly dev?: boolean;
        readonly dependencies?: Readonly<Record<string, string>>;
      }
    >
  >;
}

const registry = (): string =>
  (process.env["npm_config_registry"] ?? "https://registry.npmjs.org/").replace(/\/$/, "");

/** Path of the executable inside a package, by its file name. */
export async function loadRuntime(
  packageName: string,
  { lock, cache }: { readonly lock: Lock; readonly cache: string },
): Promise<string> {
  const locked = lock.packages[`node_modules/${packageName}`];
  if (locked?.version === undefined || locked.integrity === undefined)
    throw new Error(`package-lock.json names no version and checksum of ${packageName}`);
  const name = basename(packageName);
  const folder = join(cache, `${name}-${locked.version}`);
  const file = join(folder, name.includes("windows") ? "bun.exe" : "bun");
  if (existsSync(file)) return file;
  const url = `${registry()}/${packageName}/-/${name}-${locked.version}.tgz`;
  const archive = await download(url);
  checkIntegrity(archive, locked.integrity, url);
  // Unpacked beside its place and renamed into it: what is there is whole.
  const half = `${folder}.${process.pid}.part`;
  await new Bun.Archive(archive).extract(half, { glob: "package/bin/*" });
  mkdirSync(cache, { recursive: true });
  renameSync(join(half, "package", "bin"), folder);
  return file;
}

async function download(url: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(url).catch((error: unknown) => {
    throw new Error(`${url}: ${error instanceof Error ? error.message : "unknown"}`);
  });
  if (!response.ok) throw new Error(`${url}: status ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** `integrity` is as npm writes it: `sha512-` and base64. */
export function checkIntegrity(bytes: Uint8Array, integrity: string, what: string): void {
  const [algorithm, expected] = integrity.split("-", 2);
  const found = new Bun.CryptoHasher("sha512").update(bytes).digest("base64");
  if (algorithm !== "sha512" || found !== expected)
    throw new Error(`${what}: its checksum is not the one in package-lock.json`);
}

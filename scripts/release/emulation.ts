/**
 * Ways to start programs that are not for this machine: Debian's qemu for another processor, a root with musl for another
 * C library. Everything is loaded into a cache once; nothing is installed.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";

const mirror = process.env["DEBIAN_MIRROR"] ?? "http://deb.debian.org/debian";
/** Its qemu (10) runs Bun; that of Debian 12 (7.2) aborts. Its musl is the 1.2.5 that Bun is linked against. */
const suite = "trixie";
/** A wheel for musl that carries Alpine's libstdc++ and libgcc, which Bun needs and Debian has for glibc only. */
const wheel = { project: "greenlet", version: "3.5.6" } as const;

/**
 * The words before a command that runs it with `root` as its root, with /proc and /dev as in any container. The mounts
 * belong to that process and end with it; process numbers are those of this machine.
 */
export const enter = (root: string): readonly string[] => [
  "unshare",
  "--mount",
  "sh",
  "-c",
  'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec /usr/sbin/chroot "$0" "$@"',
  root,
];

type DebianArch = "amd64" | "arm64";
const machineOf = { amd64: "x86_64", arm64: "aarch64" } as const;

/** Folder with a package's files. */
async function debianPackage(cache: string, name: string, arch: DebianArch): Promise<string> {
  const folder = join(cache, `${name}-${arch}`);
  if (existsSync(folder)) return folder;
  const index = `${mirror}/dists/${suite}/main/binary-${arch}/Packages.xz`;
  const packages = run(["xz", "-dc"], await download(index)).toString();
  const found = packages.split("\n\n").find((entry) => entry.startsWith(`Package: ${name}\n`));
  const path = /^Filename: (.+)$/m.exec(found ?? "")?.[1];
  const sum = /^SHA256: (.+)$/m.exec(found ?? "")?.[1];
  if (path === undefined) throw new Error(`${index} has no package ${name}`);
  const bytes = await download(`${mirror}/${path}`);
  if (new Bun.CryptoHasher("sha256").update(bytes).digest("hex") !== sum)
    throw new Error(`${path}: its checksum is not the one in ${index}`);
  const half = `${folder}.${process.pid}.part`;
  mkdirSync(half, { recursive: true });
  await Bun.write(join(half, "package.deb"), bytes);
  run(["dpkg-deb", "-x", join(half, "package.deb"), join(half, "files")]);
  renameSync(join(half, "files"), folder);
  rmSync(half, { recursive: true, force: true });
  return folder;
}

/** Path of a static qemu for programs of an arm64 Linux. */
export const qemuArm64 = async (cache: string): Promise<string> =>
  join(await debianPackage(cache, "qemu-user", "amd64"), "usr", "bin", "qemu-aarch64");

/** A root with glibc for arm64: libraries only. */
export async function glibcArm64Root(cache: string): Promise<string> {
  const root = await debianPackage(cache, "libc6", "arm64");
  // Debian's own link, which belongs to another package.
  if (!existsSync(join(root, "lib"))) symlinkSync(join("usr", "lib"), join(root, "lib"));
  return root;
}

/** An Alpine-like root: musl, libstdc++ and, on this machine's processor, a busybox with its commands. */
export async function muslRoot(cache: string, arch: DebianArch): Promise<string> {
  const root = join(cache, `root-musl-${arch}`);
  if (existsSync(root)) return root;
  const half = `${root}.${process.pid}.part`;
  for (const folder of ["bin", "dev", "etc", "lib", "proc", "root", "tmp", "usr/lib"])
    mkdirSync(join(half, folder), { recursive: true });
  const machine = machineOf[arch];
  const musl = await debianPackage(cache, "musl", arch);
  cpSync(
    join(musl, "usr", "lib", `${machine}-linux-musl`, "libc.so"),
    join(half, "lib", `ld-musl-${machine}.so.1`),
  );
  symlinkSync(`ld-musl-${machine}.so.1`, join(half, "lib", `libc.musl-${machine}.so.1`));
  await addLibraries(cache, machine, join(half, "usr", "lib"));
  if (arch === "amd64") await addBusybox(cache, half);
  renameSync(half, root);
  return root;
}

async function addLibraries(cache: string, machine: string, into: string): Promise<void> {
  const files = join(cache, `wheel-${machine}`);
  const archive = `${files}.${process.pid}.zip`;
  await Bun.write(archive, await loadWheel(machine));
  run(["unzip", "-qo", "-d", files, archive, "*.libs/*"]);
  rmSync(archive);
  const libraries = join(files, `${wheel.project}.libs`);
  for (const name of readdirSync(libraries)) {
    cpSync(join(libraries, name), join(into, name));
    const generic = name.startsWith("libstdc++") ? "libstdc++.so.6" : "libgcc_s.so.1";
    symlinkSync(name, join(into, generic));
  }
}

async function loadWheel(machine: string): Promise<Uint8Array<ArrayBuffer>> {
  const index = `https://pypi.org/simple/${wheel.project}/`;
  const page = await fetch(index);
  const name = `${wheel.project}-${wheel.version}-cp312-cp312-musllinux_1_2_${machine}.whl`;
  const links = [...(await page.text()).matchAll(/href="([^"]+)"/g)].map(([, link = ""]) => link);
  const found = links.find((link) => link.includes(`/${name}`));
  if (found === undefined) throw new Error(`${index} has no ${name}`);
  return download(new URL(found, page.url).href);
}

async function addBusybox(cache: string, root: string): Promise<void> {
  const busybox = join(root, "bin", "busybox");
  const folder = await debianPackage(cache, "busybox-static", "amd64");
  const packed = ["usr/bin/busybox", "bin/busybox"].map((path) => join(folder, path));
  cpSync(packed.find((path) => existsSync(path)) ?? join(folder, "busybox"), busybox);
  run([busybox, "--install", "-s", join(root, "bin")]);
  // Absolute links would lead out of the root when it is looked at from outside.
  for (const name of readdirSync(join(root, "bin")).filter((one) => one !== "busybox")) {
    rmSync(join(root, "bin", name));
    symlinkSync("busybox", join(root, "bin", name));
  }
}

async function download(url: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: status ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Runs a program that must succeed; its output. */
export function run(command: readonly string[], input?: Uint8Array): Buffer {
  const { success, stdout, stderr } = Bun.spawnSync([...command], {
    stdin: input ?? "ignore",
    stderr: "pipe",
  });
  if (!success) throw new Error(`${command[0]} failed: ${stderr.toString().trim()}`);
  return stdout;
}

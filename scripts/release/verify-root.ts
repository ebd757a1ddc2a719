/**
 * Proves that a released archive needs nothing but itself: in an empty root without Node or Bun it installs and runs the
 * session of in-root.sh, and then every whole-product test whose client is ours. Linux, as root.
 *
 *   bun scripts/release/verify-root.ts --archive dist/release/continuity-0.1.0-linux-x64.tar.gz
 *     --root FOLDER    a root to use; by default one that debootstrap makes (glibc), or an Alpine-like one (musl)
 *     --brief          the session alone
 */
import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { version } from "../../package.json";
import { enter, muslRoot, run } from "./emulation.ts";

const repository = join(import.meta.dir, "..", "..");
const cache = join(repository, ".cache", "emulation");
/** Debian 12: an older glibc than most who will run it have. */
const suite = "bookworm";
/** Tests of test/e2e that drive the built program alone; the others need a client of this machine. */
const tests = [
  "bad-database",
  "durability",
  "hooks",
  "main-job",
  "model",
  "output",
  "payloads",
] as const;

function fail(reason: string): never {
  console.error(`verify-root failed: ${reason}`);
  process.exit(1);
}

/** An empty root with glibc, made once. */
function glibcRoot(): string {
  const root = join(cache, `root-glibc-${suite}`);
  if (existsSync(root)) return root;
  const half = `${root}.${process.pid}.part`;
  const mirror = process.env["DEBIAN_MIRROR"] ?? "http://deb.debian.org/debian";
  mkdirSync(cache, { recursive: true });
  run(["debootstrap", "--variant=minbase", suite, half, mirror]);
  renameSync(half, root);
  return root;
}

/** The session of in-root.sh; false when something in it was wrong. */
function livesThroughSession(root: string, archive: string): boolean {
  const folder = join(root, "opt");
  mkdirSync(folder, { recursive: true });
  copyFileSync(archive, join(folder, "release.tar.gz"));
  copyFileSync(join(import.meta.dir, "in-root.sh"), join(folder, "in-root.sh"));
  const { success } = Bun.spawnSync(
    [...enter(root), "/bin/sh", "/opt/in-root.sh", "/opt/release.tar.gz", version],
    { stdio: ["ignore", "inherit", "inherit"], env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" } },
  );
  return success;
}

/** The tests of this machine, with a program that lives in the root: they share /tmp, and nothing else. */
function passesTests(root: string, archive: string): boolean {
  const folder = join(root, "opt", "continuity");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  run(["tar", "-xzf", archive, "-C", folder]);
  const wrapper = join(cache, `in-${basename(root)}.sh`);
  run(["sh", "-c", 'cat > "$0"', wrapper], new TextEncoder().encode(wrapperOf(root)));
  chmodSync(wrapper, 0o755);
  const { success } = Bun.spawnSync(
    [
      process.execPath,
      "test",
      "--timeout",
      "120000",
      ...tests.map((name) => `test/e2e/${name}.test.ts`),
    ],
    {
      cwd: repository,
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, CONTINUITY_BINARY: wrapper },
    },
  );
  return success;
}

/** `unshare` goes into root and folder without a shell, which would add to the environment. */
const wrapperOf = (root: string): string => `#!/bin/sh
exec unshare --mount sh -c '
  mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && mount --rbind /tmp "$0/tmp" || exit 1
  folder=$(pwd)
  [ -d "$0$folder" ] || folder=/
  exec unshare --root="$0" --wd="$folder" /opt/continuity/continuity "$@"
' ${root} "$@"
`;

const { values } = parseArgs({
  options: { archive: { type: "string" }, root: { type: "string" }, brief: { type: "boolean" } },
});
const archive = resolve(values.archive ?? fail("name a release with --archive"));
if (!existsSync(archive)) fail(`there is no ${archive}`);
if (process.platform !== "linux" || process.getuid?.() !== 0) fail("it needs Linux, and root");
const isMusl = basename(archive).includes("-musl");
const root = values.root ?? (isMusl ? await muslRoot(cache, "amd64") : glibcRoot());
if (!livesThroughSession(root, archive)) fail(`the session in ${root}`);
if (values.brief !== true && !passesTests(root, archive))
  fail(`the tests with the program in ${root}`);
console.log(`${basename(archive)} needs nothing but itself (${root})`);

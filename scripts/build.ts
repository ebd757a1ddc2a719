/**
 * Builds the one file that is shipped.
 *
 *   bun scripts/build.ts                     dist/continuity, for this machine
 *   bun scripts/build.ts --outfile PATH      the same, elsewhere
 *   bun scripts/build.ts --all               every platform into dist/release/, with SHA256SUMS (loads Bun's runtimes)
 */
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { version } from "../package.json";

/** Most of it is the runtime: an empty compiled program has about 100 MB. */
const bytesMax = 125 * 1_024 * 1_024;

const root = join(import.meta.dir, "..");

const targets = [
  "bun-linux-x64",
  "bun-linux-arm64",
  "bun-linux-x64-musl",
  "bun-linux-arm64-musl",
  "bun-darwin-arm64",
  "bun-darwin-x64",
  "bun-windows-x64",
] as const;

const flags = [
  "--compile",
  // Bytecode, and chunks that are loaded on demand: a hook starts at 1.1 times an empty program instead of 6.
  "--bytecode",
  "--format=esm",
  "--splitting",
  "--minify-syntax",
  "--minify-whitespace",
  // A compiled program reads `.env` and runs the preloads of `bunfig.toml` of its working folder unless it is told not
  // to: a cloned repository would run code in every hook.
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
  "--no-compile-autoload-tsconfig",
  "--no-compile-autoload-package-json",
];

/** Builds for one target (null = this machine). Ends the process when the build fails or is too large. */
function build(outfile: string, target: string | null): void {
  mkdirSync(dirname(outfile), { recursive: true });
  const started = performance.now();
  const result = Bun.spawnSync(
    [
      process.execPath,
      "build",
      ...flags,
      ...(target === null ? [] : [`--target=${target}`]),
      "src/main.ts",
      "--outfile",
      outfile,
    ],
    { cwd: root, stdio: ["ignore", "pipe", "pipe"] },
  );
  // Bun leaves its intermediate file in the working folder when it is stopped half-way.
  for (const name of readdirSync(root).filter((entry) => entry.endsWith(".bun-build")))
    rmSync(join(root, name), { force: true });
  if (result.exitCode !== 0) fail(result.stderr.toString());
  const { size } = statSync(outfile);
  const megabytes = (size / 1_024 / 1_024).toFixed(1);
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  console.log(`${outfile}: ${megabytes} MB, version ${version}, built in ${seconds} s`);
  if (size > bytesMax) fail(`that is more than ${bytesMax / 1_024 / 1_024} MB`);
}

function fail(reason: string): never {
  console.error(`build failed: ${reason}`);
  process.exit(1);
}

/** One archive-ready folder: a binary per platform and their checksums. */
async function buildAll(): Promise<void> {
  const folder = join(root, "dist", "release");
  rmSync(folder, { recursive: true, force: true });
  const sums: string[] = [];
  for (const target of targets) {
    const name = target.replace(/^bun-/, "continuity-");
    const file = join(folder, target.includes("windows") ? `${name}.exe` : name);
    build(file, target);
    const hash = new Bun.CryptoHasher("sha256").update(await Bun.file(file).arrayBuffer());
    sums.push(`${hash.digest("hex")}  ${basename(file)}`);
  }
  await Bun.write(join(folder, "SHA256SUMS"), `${sums.join("\n")}\n`);
}

const args = process.argv.slice(2);
const outfile = args[args.indexOf("--outfile") + 1];
if (args.includes("--all")) await buildAll();
else
  build(
    args.includes("--outfile") && outfile !== undefined
      ? outfile
      : join(root, "dist", "continuity"),
    null,
  );

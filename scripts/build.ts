/**
 * Builds the one file that is shipped.
 *
 *   bun scripts/build.ts                     dist/continuity, for this machine
 *   bun scripts/build.ts --outfile PATH      the same, elsewhere
 *
 * Other platforms are built by scripts/release.ts, from the same stages.
 *
 * Two stages. What a hook needs is compiled to bytecode, which keeps its start near an empty program's; bytecode is seven
 * times the size of its source, so everything else (command line, daemon, model providers) is bundled first and lies in
 * the binary as packed source, loaded by whoever is not a hook.
 */
import type { BunPlugin } from "bun";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { systemClock } from "#kit";
import { createMcp, openingOf } from "#mcp";
import offRecordWords from "../src/language/off-record-words.ts";
import { version } from "../package.json";
import { buildViewer } from "./build-viewer.ts";
import { closedRuntime } from "./closed-runtime.ts";
import { lightAge } from "./light-age.ts";

/** Most of it is the runtime: an empty compiled program has 109 MB. */
export const bytesMax = 125_800_000;
const bytesPerMegabyte = 1_000_000;

const root = join(import.meta.dir, "..");
const model = "cst-256-v4.bin";
/** Packs the model as well as the highest level, in a fiftieth of its time. */
const zstdLevelOfModel = 9;
/** For small files. */
const zstdLevelMost = 19;

/** A platform other than this machine's, and the runtime that is put before the program. */
export interface ForeignTarget {
  /** Bun's name of it. */
  readonly target: Bun.Build.CompileTarget;
  /** Path of Bun's executable for that platform. */
  readonly executablePath: string;
}

export interface Compile {
  /** The folder that `withStage` gave. */
  readonly stage: string;
  readonly outfile: string;
  /** Compiled beforehand, the hook path starts faster; the format belongs to one version of Bun. */
  readonly bytecode: boolean;
  /** Null = this machine. */
  readonly foreign: ForeignTarget | null;
}

/**
 * Hooks and reading commands end before compiled code pays for itself: with code compiled ten times later a spooled
 * hook takes a quarter less processor time; later still, a search without a daemon takes a third more (measured).
 * What runs longer sets the usual policy (src/app/compiling.ts).
 */
const shortLivedPolicy = 10;

/** The keys by which the second stage tells the first where the embedded model and the viewer's page lie. */
const modelPathKey = 'Symbol.for("continuity.model")';
const viewerPathKey = 'Symbol.for("continuity.viewer")';
const viewer = "viewer.bin";
const openings = "openings.ts";
const openingsFile = "src/app/mcp-openings.ts";
/** The page belongs to whoever may become a daemon; no hook needs to know where it lies. */
const daemonFile = "src/app/local.ts";
const viewerImport = `
        import viewer from "stage:${viewer}";
        globalThis[${viewerPathKey}] = viewer;`;

/** A `.bin` file is not a copy but a path that the second stage knows. */
const modelBySymbol: BunPlugin = {
  name: "model-by-symbol",
  setup: (build) =>
    void build.onLoad({ filter: /\.bin$/ }, () => ({
      contents: `export default globalThis[${modelPathKey}];`,
      loader: "js",
    })),
};

/**
 * The MCP SDK brings a validator of JSON schemas (130 KB minified) for forms that a server shows its user. We show none:
 * what tools are given is checked by zod.
 */
const withoutSchemaValidator: BunPlugin = {
  name: "without-schema-validator",
  setup: (build) => {
    const filter = /^@modelcontextprotocol\/server\/_shims$/;
    build.onResolve({ filter }, () => ({ path: "shims", namespace: "mcp" }));
    build.onLoad({ filter: /^shims$/, namespace: "mcp" }, () => ({
      contents: `
        export { default as process } from "node:process";
        export class DefaultJsonSchemaValidator {
          getValidator() { throw new Error("forms are not part of this program"); }
        }`,
      loader: "js",
    }));
  },
};

/** Comments and empty lines of the word lists are for people: without them the program is 6 KB smaller. */
const bareLists: BunPlugin = {
  name: "bare-lists",
  setup: (build) =>
    void build.onLoad(
      { filter: /[\\/]language[\\/]lists[\\/]\w[\w-]*\.txt$/ },
      async ({ path }) => ({
        contents: (await Bun.file(path).text()).replace(/^(?:# .*)?\n/gm, ""),
        loader: "text",
      }),
    ),
};

/** The words of not remembering are sorted when the program is built. */
const sortedWords: BunPlugin = {
  name: "sorted-words",
  setup: (build) =>
    void build.onLoad({ filter: /[\\/]language[\\/]off-record-words\.ts$/ }, () => ({
      contents: offRecordWords,
      loader: "text",
    })),
};

/**
 * The parts that are bundled as plain source, with the names that others import from them. The
 * gate's rules and the settings' parser are needed by few hooks: those whose text may hold a
 * secret, or whose home has settings, while the daemon is away. The adapters of other agents are
 * none of them: as source they took a hook 3 ms, half an empty program, and compiled they are 25 KB
 * more.
 */
const staged = [
  { file: daemonFile, names: ["createLocal"] },
  { file: "src/app/direct.ts", names: ["readDirectly"] },
  { file: "src/app/commands.ts", names: ["runAny"] },
  { file: "src/app/mcp.ts", names: ["serveMcp"] },
  { file: "src/app/settings.ts", names: ["createSettingsSource"] },
  { file: "src/privacy/gate.ts", names: ["createGate"] },
] as const;

type Staged = (typeof staged)[number];

/** The files that no chunk of the program holds. */
export const stagedFiles: readonly string[] = staged.map(({ file }) => file);

/** Folders of the stage that hold the parts of the bundles, and nothing else. */
const partsFolder = "parts";
const packedFolder = "packed";
const entryOf = ({ file }: Staged): string => `${basename(file, ".ts")}.js`;

/**
 * Bundles the staged modules and all that they import into files of source: what two of them share, and what is imported
 * only when asked for, lies in a part of its own, so that each loads no more than it needs.
 */
/**
 * Parts name each other by a name that the program gives them as it runs (`places`): packed they take a third of the
 * room, and unpacking what a command needs takes about a millisecond.
 */
async function packParts(folder: string): Promise<void> {
  mkdirSync(join(folder, packedFolder));
  for (const name of readdirSync(join(folder, partsFolder))) {
    const source = await Bun.file(join(folder, partsFolder, name)).text();
    const renamed = source.replace(/(["'])\.\/([\w-]+\.js)\1/g, '"part:$2"');
    const packed = Bun.zstdCompressSync(Buffer.from(renamed), { level: zstdLevelMost });
    await Bun.write(join(folder, packedFolder, name), packed);
    rmSync(join(folder, partsFolder, name));
  }
}

/** Source of the module that tells the runtime where the packed parts lie. */
function placesOf(folder: string): string {
  const names = readdirSync(join(folder, packedFolder)).toSorted();
  return `
    import { readFileSync } from "node:fs";
    ${names.map((name, at) => `import p${at} from "stage:${packedFolder}/${name}";`).join("\n")}
    const places = { ${names.map((name, at) => `"${name}": p${at}`).join(", ")} };
    Bun.plugin({
      name: "parts",
      setup: (build) => {
        for (const name in places)
          build.module("part:" + name, () => ({
            contents: new TextDecoder().decode(Bun.zstdDecompressSync(readFileSync(places[name]))),
            loader: "js",
          }));
      },
    });
    export const importPart = (name) => import("part:" + name);`;
}

async function bundle(folder: string): Promise<void> {
  const result = await Bun.build({
    entrypoints: staged.map(({ file }) => join(root, file)),
    target: "bun",
    format: "esm",
    minify: true,
    splitting: true,
    outdir: join(folder, partsFolder),
    naming: { entry: "[name].js", chunk: "part-[hash].js" },
    plugins: [modelBySymbol, withoutSchemaValidator, lightAge, bareLists, sortedWords],
    throw: false,
  });
  if (!result.success) throw failureOf(result);
  await packParts(folder);
}

const failureOf = ({ logs }: Bun.BuildOutput): Error =>
  new Error(logs.map(({ message }) => message).join("\n"));

/**
 * In the second stage a staged module is a file to be imported when asked for. The names of chunks are hashes over
 * source texts, so these name no temporary folder: the same source gives the same bytes.
 */
const stagedAsFiles = (folder: string): BunPlugin => ({
  name: "staged-as-files",
  setup: (build) => {
    build.onResolve({ filter: /^stage:/ }, ({ path }) => ({
      path: path.slice("stage:".length),
      namespace: "stage",
    }));
    build.onResolve({ filter: /^places$/ }, ({ path }) => ({ path, namespace: "places" }));
    build.onLoad({ filter: /./, namespace: "places" }, () => ({
      contents: placesOf(folder),
      loader: "ts",
    }));
    build.onLoad({ filter: /./, namespace: "stage" }, async ({ path }) => ({
      contents: await Bun.file(join(folder, path)).bytes(),
      loader: "file",
    }));
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (path === join(root, openingsFile))
        return { contents: readFileSync(join(folder, openings), "utf8"), loader: "ts" };
      const found = staged.find(({ file }) => path === join(root, file));
      if (found === undefined) return undefined;
      const contents = `
        import { importPart } from "places";
        import model from "stage:${model}";
        globalThis[${modelPathKey}] = model;
        ${found.file === daemonFile ? viewerImport : ""}
        const staged = await importPart("${entryOf(found)}");
        ${found.names.map((name) => `export const ${name} = staged.${name};`).join("\n")}`;
      return { contents, loader: "ts" };
    });
  },
});

const isAnswers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && "initialize" in value;

/** `mcpOpenings` asks a server that can say nothing but what it is. */
async function mcpOpenings(): Promise<string> {
  const of = async (scope: "read" | "write"): Promise<object> =>
    openingOf(
      createMcp({
        clock: systemClock,
        connect: () => Promise.reject(new Error("the build asks for no memory")),
        project: () => null,
        whyNotKept: () => null,
        session: null,
        scope,
        program: "continuity",
        version,
      }),
    );
  const all = { read: await of("read"), write: await of("write") };
  // Answers that several revisions share are written once.
  const texts: string[] = [];
  const inserted = JSON.stringify(all, (_, value: unknown) => {
    if (!isAnswers(value)) return value;
    const places = Object.entries(value).map(([name, answer]) => {
      const text = JSON.stringify(answer);
      if (!texts.includes(text)) texts.push(text);
      return [name, `@${texts.indexOf(text)}@`];
    });
    return Object.fromEntries(places);
  }).replace(/"@(\d+)@"/g, "all[$1]");
  return `const all = [${texts.join(",")}]; export const openings = ${inserted};`;
}

/**
 * Prepares the first stage in a temporary folder, for as many platforms as `use` builds; removes it afterwards.
 */
export async function withStage<Value>(use: (stage: string) => Promise<Value>): Promise<Value> {
  const stage = mkdtempSync(join(tmpdir(), "continuity-build-"));
  try {
    const bytes = await Bun.file(join(root, "models", model)).bytes();
    await Bun.write(join(stage, model), Bun.zstdCompressSync(bytes, { level: zstdLevelOfModel }));
    await buildViewer(join(stage, viewer));
    await Bun.write(join(stage, openings), await mcpOpenings());
    await bundle(stage);
    return await use(stage);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** The second stage: builds one program. Resolves to its size in bytes; throws when the build fails. */
export async function compileProgram(options: Compile): Promise<number> {
  const { stage, outfile, bytecode, foreign } = options;
  mkdirSync(dirname(outfile), { recursive: true });
  const runtime = join(stage, "runtime");
  await Bun.write(
    runtime,
    closedRuntime(await Bun.file(foreign?.executablePath ?? process.execPath).bytes()),
  );
  chmodSync(runtime, 0o755);
  const result = await Bun.build({
    entrypoints: [join(root, "src/main.ts")],
    format: "esm",
    splitting: true,
    bytecode,
    minify: true,
    // Parts find each other by name, side by side.
    naming: { asset: "[name].[ext]" },
    plugins: [modelBySymbol, bareLists, sortedWords, stagedAsFiles(stage)],
    throw: false,
    compile: {
      outfile,
      ...foreign,
      executablePath: runtime,
      jitPolicy: shortLivedPolicy,
      // A compiled program reads `.env` and runs the preloads of `bunfig.toml` of its working folder unless it is told
      // not to: a cloned repository would run code in every hook.
      autoloadDotenv: false,
      autoloadBunfig: false,
      autoloadTsconfig: false,
      autoloadPackageJson: false,
    },
  });
  sweepIntermediates();
  if (!result.success) throw failureOf(result);
  writeAtOnce(outfile);
  return statSync(outfile).size;
}

/**
 * Writes a program again in one write. Linux caches a file in pieces of the size in which it was written; in those that
 * the compiler leaves, each start takes 1 to 1.6 ms more.
 */
function writeAtOnce(path: string): void {
  const copy = `${path}.copy`;
  writeFileSync(copy, readFileSync(path), { mode: 0o755 });
  renameSync(copy, path);
}

/** A build takes seconds: an older intermediate file is nobody's, a younger one may be another build's. */
const buildMsMax = 600_000;

/** Removes what Bun left in the working folder when it was stopped half-way. */
function sweepIntermediates(): void {
  for (const name of readdirSync(root).filter((entry) => entry.endsWith(".bun-build"))) {
    const path = join(root, name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > buildMsMax) rmSync(path, { force: true });
  }
}

/** Builds for this machine. Ends the process when the build fails or is too large. */
async function buildHere(outfile: string): Promise<void> {
  const started = performance.now();
  const size = await withStage((stage) =>
    compileProgram({ stage, outfile, bytecode: true, foreign: null }),
  ).catch((error: unknown) => fail(error instanceof Error ? error.message : "unknown"));
  const megabytes = (size / bytesPerMegabyte).toFixed(1);
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  console.log(`${outfile}: ${megabytes} MB, version ${version}, built in ${seconds} s`);
  if (size > bytesMax) fail(`that is more than ${bytesMax / bytesPerMegabyte} MB`);
}

function fail(reason: string): never {
  console.error(`build failed: ${reason}`);
  process.exit(1);
}

if (import.meta.main) {
  const args = process.argv.slice(2);
  const wanted = args[args.indexOf("--outfile") + 1];
  await buildHere(
    args.includes("--outfile") && wanted !== undefined ? wanted : join(root, "dist", "continuity"),
  );
}

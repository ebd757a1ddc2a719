/**
 * Fetches a model into a folder of the home. Files arrive in a hidden folder beside the others, each checked by its
 * checksum; the folder gets its name when the model has been opened and has embedded a word. A download that is cut off
 * is gone on with by the next one.
 */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { err, msPerSecond, ok, type Result } from "#kit";
import type { Pooling } from "./encoder.ts";
import {
  folderOf,
  knownModels,
  manifest,
  modelFiles,
  type InstalledModel,
  type ModelFile,
} from "./models.ts";
import { openTransformer } from "./open.ts";
import { shapeOf } from "./shape.ts";

export interface InstallDeps {
  /** The home's `models`. */
  readonly models: string;
  /** Address of Hugging Face or a mirror, without a slash at its end. */
  readonly base: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** Bytes of all files that are there, of all that there will be. */
type Progress = (done: number, total: number) => void;

const bytesPerMegabyte = 1_048_576;
const answerMsMax = 30 * msPerSecond;
/** A server that sends nothing for so long is taken to be gone. */
const stallMs = 60 * msPerSecond;
const answerBytesMax = 5_000_000;
/** In front of the checksum of a small file, of which Hugging Face states Git's own and no SHA-256. */
const gitMark = "git:";

/**
 * What there is to install under a short name, or `owner/name` of Hugging Face: then revision, sizes and checksums are
 * what its API states. Error: in words, why not.
 */
export async function describeModel(
  deps: InstallDeps,
  name: string,
): Promise<Result<InstalledModel, string>> {
  const known = knownModels.find((one) => one.name === name);
  if (known !== undefined) return ok(known);
  if (!name.includes("/") || folderOf(deps.models, name) === null)
    return err(`no model is called ${name}`);
  const told = await ask(deps, `/api/models/${name}/revision/main`);
  if (!told.ok) return told;
  const revision = field(told.value, "sha");
  if (typeof revision !== "string" || !/^[0-9a-f]{40}$/.test(revision))
    return err(`${deps.base} names no revision of ${name}`);
  const tree = await ask(deps, `/api/models/${name}/tree/${revision}`);
  if (!tree.ok) return tree;
  const files = filesIn(tree.value);
  if (!files.ok) return err(`${name} ${files.error}`);
  const at = `/${name}/resolve/${revision}`;
  const config = await ask(deps, `${at}/config.json`);
  if (!config.ok) return config;
  const shape = shapeOf(config.value);
  if (!shape.ok) return err(`${name} cannot be used: ${shape.error}`);
  const licence = field(field(told.value, "cardData"), "license");
  return ok({
    name,
    repository: name,
    revision,
    licence: typeof licence === "string" ? licence : "not stated",
    dimension: shape.value.hidden,
    files: files.value,
    ...(await habitsOf(deps, at)),
  });
}

const field = (of: unknown, name: string): unknown =>
  typeof of === "object" && of !== null ? (of as Readonly<Record<string, unknown>>)[name] : null;

/** How the model's makers pool, and what they put before texts; both lie in small files that not all have. */
async function habitsOf(
  deps: InstallDeps,
  at: string,
): Promise<Pick<InstalledModel, "documentPrefix" | "pooling" | "queryPrefix">> {
  const [pool, texts] = await Promise.all([
    ask(deps, `${at}/1_Pooling/config.json`),
    ask(deps, `${at}/config_sentence_transformers.json`),
  ]);
  const isCls = pool.ok && field(pool.value, "pooling_mode_cls_token") === true;
  const pooling: Pooling = isCls ? "cls" : "mean";
  const prompts = texts.ok ? field(texts.value, "prompts") : null;
  const prompt = (...names: readonly string[]): string => {
    const found = names.map((name) => field(prompts, name)).find((one) => typeof one === "string");
    return typeof found === "string" ? found : "";
  };
  return {
    pooling,
    queryPrefix: prompt("query"),
    documentPrefix: prompt("document", "passage"),
  };
}

function filesIn(tree: unknown): Result<InstalledModel["files"], string> {
  const listed = Array.isArray(tree) ? tree : [];
  const fileOf = (name: string): ModelFile | null => {
    const entry: unknown = listed.find((one) => field(one, "path") === name);
    const stored = field(entry, "lfs");
    const [bytes, sum, own] = [field(entry, "size"), field(stored, "oid"), field(entry, "oid")];
    if (typeof bytes !== "number") return null;
    if (typeof sum === "string") return { bytes, sha256: sum };
    return typeof own === "string" ? { bytes, sha256: gitMark + own } : null;
  };
  const [config, tokenizer, weights] = modelFiles.map(fileOf);
  if (!config || !tokenizer || !weights) return err(`does not have ${modelFiles.join(", ")}`);
  return ok({ "config.json": config, "tokenizer.json": tokenizer, "model.safetensors": weights });
}

/** JSON of the server; at most some megabytes. */
async function ask({ base, fetch }: InstallDeps, path: string): Promise<Result<unknown, string>> {
  try {
    const signal = AbortSignal.timeout(answerMsMax);
    const response = await fetch(base + path, { signal, headers: { "user-agent": "continuity" } });
    if (!response.ok) return err(`${base}${path} answered with status ${response.status}`);
    const text = await response.text();
    return text.length > answerBytesMax
      ? err(`${base}${path} answered too much`)
      : ok(JSON.parse(text));
  } catch (error) {
    return err(`${base} cannot be reached: ${reasonOf(error)}`);
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : "unknown");

/** Downloads, checks and opens a model. Error: in words, and nothing is installed then. */
export async function installModel(
  deps: InstallDeps,
  model: InstalledModel,
  onProgress: Progress,
): Promise<Result<InstalledModel, string>> {
  const folder = folderOf(deps.models, model.name);
  if (folder === null) return err(`no model is called ${model.name}`);
  const hidden = join(dirname(folder), `.${model.name.replace("/", "--")}`);
  try {
    mkdirSync(hidden, { recursive: true, mode: 0o700 });
    const total = modelFiles.reduce((all, name) => all + model.files[name].bytes, 0);
    const { bavail, bsize } = statfsSync(hidden);
    if (bavail * bsize < total) return discarded(hidden, diskIsFull(deps.models));
    let before = 0;
    for (const name of modelFiles) {
      const wanted = model.files[name];
      const url = `${deps.base}/${model.repository}/resolve/${model.revision}/${name}`;
      const path = join(hidden, name);
      const fetched = await fetchFile(deps, { url, path, wanted }, (done) =>
        onProgress(before + done, total),
      );
      if (!fetched.ok) return fetched;
      before += wanted.bytes;
      if (name === "config.json") {
        const shape = shapeOf(JSON.parse(readFileSync(path, "utf8")));
        if (!shape.ok) return discarded(hidden, `${model.name} cannot be used: ${shape.error}`);
      }
    }
    return settle(model, { hidden, folder });
  } catch (error) {
    const isFull = error instanceof Error && "code" in error && error.code === "ENOSPC";
    if (isFull) return discarded(hidden, diskIsFull(deps.models));
    return err(`${model.name} was not installed: ${reasonOf(error)}`);
  }
}

const diskIsFull = (models: string): string =>
  `the disk of ${models} has not enough space left for it`;

function discarded(hidden: string, reason: string): Result<never, string> {
  rmSync(hidden, { recursive: true, force: true });
  return err(reason);
}

/** Opens what was downloaded, and gives the folder its name. */
function settle(
  model: InstalledModel,
  { hidden, folder }: { readonly hidden: string; readonly folder: string },
): Result<InstalledModel, string> {
  const opened = openTransformer(hidden, model);
  if (!opened.ok) return discarded(hidden, `${model.name} cannot be used: ${opened.error}`);
  const vector = opened.value.embed("ready", "document");
  opened.value.close();
  if (!vector.every(Number.isFinite) || vector.length !== model.dimension)
    return discarded(hidden, `${model.name} cannot be used: it gives no vector`);
  const files = Object.fromEntries(
    modelFiles.map((name) => [
      name,
      { bytes: model.files[name].bytes, sha256: sumOf(join(hidden, name), "sha256") },
    ]),
  ) as InstalledModel["files"];
  const installed = { ...model, files };
  writeFileSync(join(hidden, manifest), `${JSON.stringify(installed, null, 2)}\n`, { mode: 0o600 });
  const old = `${hidden}.old`;
  rmSync(old, { recursive: true, force: true });
  if (existsSync(folder)) renameSync(folder, old);
  renameSync(hidden, folder);
  rmSync(old, { recursive: true, force: true });
  return ok(installed);
}

interface Wanted {
  readonly url: string;
  readonly path: string;
  readonly wanted: ModelFile;
}

async function fetchFile(
  { base, fetch }: InstallDeps,
  { url, path, wanted }: Wanted,
  onProgress: (done: number) => void,
): Promise<Result<null, string>> {
  const megabytes = (bytes: number): string => (bytes / bytesPerMegabyte).toFixed(1);
  const part = `${path}.part`;
  if (sizeOf(path) === wanted.bytes && isRight(path, wanted)) return ok(null);
  if (sizeOf(part) > wanted.bytes) rmSync(part);
  if (sizeOf(part) < wanted.bytes) {
    const cut = await download({ url, part, wanted }, fetch, onProgress);
    if (cut !== null && sizeOf(part) === 0) return err(`${base} cannot be reached: ${cut}`);
    if (cut !== null)
      return err(
        `the download was cut off after ${megabytes(sizeOf(part))} of ${megabytes(wanted.bytes)} MB (${cut})`,
      );
  }
  if (!isRight(part, wanted)) {
    rmSync(part, { force: true });
    return err(`${url} has not the checksum that it should have; nothing of it was kept`);
  }
  renameSync(part, path);
  return ok(null);
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Null when all of it arrived, else why not. Throws what the disk says. */
async function download(
  { url, part, wanted }: Pick<Wanted, "url" | "wanted"> & { readonly part: string },
  fetch: InstallDeps["fetch"],
  onProgress: (done: number) => void,
): Promise<string | null> {
  const stalled = new AbortController();
  const watch = (): Timer => setTimeout(() => stalled.abort(), stallMs);
  let timer = watch();
  try {
    const there = sizeOf(part);
    const response = await fetch(url, {
      signal: stalled.signal,
      headers: { "user-agent": "continuity", ...(there > 0 ? { range: `bytes=${there}-` } : {}) },
    });
    if (!response.ok) return `status ${response.status}`;
    // A server may send all of it again.
    if (response.status !== 206 && there > 0) truncateSync(part, 0);
    const done = await keep(response, { part, bytesMax: wanted.bytes }, (bytes) => {
      clearTimeout(timer);
      timer = watch();
      onProgress(bytes);
    });
    return done === wanted.bytes ? null : `${done} bytes came, not ${wanted.bytes}`;
  } catch (error) {
    if (error instanceof DiskFault) throw error.cause;
    return stalled.signal.aborted ? "nothing came any more" : reasonOf(error);
  } finally {
    clearTimeout(timer);
  }
}

/** Tells what the disk said from what the network did. */
class DiskFault extends Error {}

/** Writes what comes behind what is there; resolves to the bytes that there are then. */
async function keep(
  response: Response,
  { part, bytesMax }: { readonly part: string; readonly bytesMax: number },
  onBytes: (done: number) => void,
): Promise<number> {
  let done = sizeOf(part);
  const file = openSync(part, "a", 0o600);
  try {
    for await (const bytes of response.body ?? []) {
      done += bytes.length;
      if (done > bytesMax) return done;
      try {
        writeFully(file, bytes);
      } catch (error) {
        throw new DiskFault("disk", { cause: error });
      }
      onBytes(done);
    }
    return done;
  } finally {
    closeSync(file);
  }
}

/** A disk that fills up may take a part. */
function writeFully(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
}

const isRight = (path: string, { bytes, sha256 }: ModelFile): boolean =>
  sha256.startsWith(gitMark)
    ? sumOf(path, "sha1", `blob ${bytes}\0`) === sha256.slice(gitMark.length)
    : sumOf(path, "sha256") === sha256;

/** In pieces: the file may be larger than memory. */
function sumOf(path: string, algorithm: "sha1" | "sha256", before = ""): string {
  const hash = new Bun.CryptoHasher(algorithm).update(before);
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(1 << 20);
    for (let read = readSync(file, bytes); read > 0; read = readSync(file, bytes))
      hash.update(bytes.subarray(0, read));
  } finally {
    closeSync(file);
  }
  return hash.digest("hex");
}

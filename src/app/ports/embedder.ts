/** `continuity embedder`: models in the home's folder, and the setting that chooses one. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { CliDeps, CliError } from "#cli";
import { connectDaemon, stopDaemon } from "#daemon";
import {
  describeModel,
  folderOf,
  installedModel,
  installedModels,
  installModel,
  knownModels,
  type InstallDeps,
  type InstalledModel,
} from "#embed/transformer";
import { err, ok, type Result } from "#kit";
import { trustingFetch } from "#llm";
import profile from "../../../models/cst-256-v4.json";
import type { AppDeps } from "../context.ts";

type EmbedderPort = Awaited<ReturnType<CliDeps["embedder"]>>;
type EmbedderEntry = ReturnType<EmbedderPort["list"]>[number];

export interface EmbedderPortDeps extends AppDeps {
  readonly config: CliDeps["config"];
  /** Starts the daemon again. */
  readonly start: () => Promise<Result<unknown, CliError>>;
}

const builtin = "builtin";
const huggingFace = "https://huggingface.co";

const failed = (message: string, next: string): Result<never, CliError> =>
  err({ type: "embedder.failed", message, next });

export function createEmbedderPort(deps: EmbedderPortDeps): EmbedderPort {
  const { models } = deps.paths;
  const { modelsUrl } = deps.settings.current().embedder;
  const base = (modelsUrl === "" ? huggingFace : modelsUrl).replace(/\/+$/, "");
  const fetching: InstallDeps = { models, base, fetch: trustingFetch(process.env) };
  const entryOf = (model: InstalledModel): EmbedderEntry => ({
    name: model.name,
    installed: installedModel(models, model.name) !== null,
    used: usedName(deps) === model.name,
    dimension: model.dimension,
    bytes: bytesOf(model),
    licence: model.licence,
    source: `${base}/${model.repository}`,
  });
  return {
    list: () => {
      const known = new Map(
        [...knownModels, ...installedModels(models)].map((model) => [model.name, model]),
      );
      return [builtinEntry(usedName(deps)), ...[...known.values()].map(entryOf)];
    },
    offer: async (name) => {
      if (!isTrusted(base))
        return failed(`${base} is not an https address`, "change embedder.models_url");
      const there = installedModel(models, name);
      const model = there === null ? await describeModel(fetching, name) : ok(there);
      if (!model.ok) return failed(model.error, "see `continuity embedder list`");
      return ok({
        ...entryOf(model.value),
        folder: folderOf(models, name) ?? models,
        fetch: async (onProgress) => {
          const done = await installModel(fetching, model.value, onProgress);
          const again = `run \`continuity embedder install ${name}\` again`;
          return done.ok ? ok(null) : failed(done.error, again);
        },
      });
    },
    use: (name) => use(deps, name),
    remove: (name) => remove(deps, name),
  };
}

const bytesOf = ({ files }: InstalledModel): number =>
  Object.values(files).reduce((all, { bytes }) => all + bytes, 0);

/** Plain http is for this machine only: anybody could answer. */
function isTrusted(address: string): boolean {
  const url = URL.parse(address);
  const isLocal = url !== null && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  return url?.protocol === "https:" || (url?.protocol === "http:" && isLocal);
}

/** Null when a server embeds. */
function usedName({ settings }: AppDeps): string | null {
  const { provider, model } = settings.current().embedder;
  if (provider === "installed") return model;
  return provider === "embedded" ? builtin : null;
}

const builtinEntry = (used: string | null): EmbedderEntry => ({
  name: builtin,
  installed: true,
  used: used === builtin,
  dimension: profile.dimension,
  bytes: 0,
  licence: "",
  source: "",
});

async function use(deps: EmbedderPortDeps, name: string): Promise<Result<null, CliError>> {
  const { paths, config } = deps;
  if (name !== builtin && installedModel(paths.models, name) === null)
    return failed(`${name} is not installed`, `run \`continuity embedder install ${name}\``);
  // The name first: until the provider is `installed`, it says nothing.
  const changes =
    name === builtin
      ? ([["embedder.provider", "embedded"]] as const)
      : ([
          ["embedder.model", name],
          ["embedder.provider", "installed"],
        ] as const);
  for (const [key, value] of changes) {
    const set = config.set(key, value);
    if (!set.ok) return set;
  }
  if ((await connectDaemon(paths)) === null) return ok(null);
  await stopDaemon(paths);
  const started = await deps.start();
  return started.ok ? ok(null) : started;
}

function remove(
  deps: EmbedderPortDeps,
  name: string,
): Result<{ readonly bytes: number }, CliError> {
  const { models } = deps.paths;
  const folder = folderOf(models, name);
  const model = installedModel(models, name);
  if (folder === null || model === null)
    return failed(`${name} is not installed`, "see `continuity embedder list`");
  if (usedName(deps) === name)
    return failed(`${name} is in use`, "run `continuity embedder use builtin` first");
  rmSync(folder, { recursive: true, force: true });
  rmSync(join(models, `.${name.replace("/", "--")}`), { recursive: true, force: true });
  return ok({ bytes: bytesOf(model) });
}

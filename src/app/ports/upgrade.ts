/**
 * The newest release, asked over the network: by `continuity upgrade --check` and by nobody else. One GET for a small
 * file; no cookie, no identity, no version of ours.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { CliDeps, CliError } from "#cli";
import { isInPackage } from "#keep";
import { err, msPerSecond, ok, type Result } from "#kit";
import { setupFiles } from "#clients";
import { serviceFile, type ServiceFile, servicePlaces, serviceSystemOf } from "#daemon";

/** Put in by the build of a release; unknown elsewhere. */
declare const RELEASES_URL: string | null | undefined;
const builtIn = typeof RELEASES_URL === "string" ? RELEASES_URL : null;

const timeoutMs = 10 * msPerSecond;
/** The file has about 2 KB. */
const bytesMax = 65_536;
const versionForm = /^\d{1,6}\.\d{1,6}\.\d{1,6}(?:-[0-9A-Za-z.-]{1,40})?$/;

export interface UpgradeInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Path of this program; null when it runs from source. */
  readonly binary: string | null;
}

export const createLatestRelease =
  ({ env, binary }: UpgradeInput): CliDeps["latestRelease"] =>
  async () => {
    const base = baseFrom(env["CONTINUITY_RELEASES_URL"] ?? builtIn);
    if (!base.ok) return base;
    const version = await askVersion(base.value);
    return version.ok ? ok({ version: version.value, how: howTo(base.value, binary) }) : version;
  };

const fault = (message: string, next: string): Result<never, CliError> =>
  err({ type: "upgrade.unknown", message, next });

const setUrl = "set CONTINUITY_RELEASES_URL to an https URL";

/** The address without a slash at its end. Plain http is for this machine only: anybody could answer. */
function baseFrom(address: string | null): Result<string, CliError> {
  if (address === null) return fault("this build has no release URL", setUrl);
  return isTrusted(address)
    ? ok(address.replace(/\/+$/, ""))
    : fault("the release URL is not an https URL", setUrl);
}

function isTrusted(address: string): boolean {
  const url = URL.parse(address);
  const isLocal = url !== null && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  return url?.protocol === "https:" || (url?.protocol === "http:" && isLocal);
}

async function askVersion(base: string): Promise<Result<string, CliError>> {
  const lookYourself = `check the network, or look at ${base} yourself`;
  try {
    const response = await fetch(`${base}/latest/download/release.json`, {
      headers: { accept: "application/json", "user-agent": "continuity" },
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok || !isTrusted(response.url))
      return fault(`${base} has no release (status ${response.status})`, lookYourself);
    const version = versionIn(await textOf(response));
    return version === null
      ? fault(`${base} did not answer with a release`, lookYourself)
      : ok(version);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown";
    return fault(`the releases cannot be reached: ${reason}`, lookYourself);
  }
}

/** At most `bytesMax` of the body. */
async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > bytesMax) return "";
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** The version a text names; null when it is not what a release says of itself. */
function versionIn(text: string): string | null {
  try {
    const found: unknown = JSON.parse(text);
    const { version } = (found ?? {}) as { readonly version?: unknown };
    return typeof version === "string" && versionForm.test(version) ? version : null;
  } catch {
    return null; // A page of some proxy.
  }
}

/** By where the program lies: its package manager, or the script that put it there. */
function howTo(base: string, binary: string | null): string {
  if (binary !== null && /\/(?:Cellar|homebrew|linuxbrew)\//.test(binary))
    return "brew upgrade continuity";
  if (binary !== null && /[\\/]scoop[\\/]/.test(binary)) return "scoop update continuity";
  if (binary !== null && isInPackage(binary))
    return "npm install -g continuity@latest && continuity install";
  if (process.platform === "win32") return `${base}/latest`;
  return `curl -fsSL ${base}/latest/download/install.sh | sh`;
}

// The user service on the real disk.

interface ServiceDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The program as an absolute path; null when it runs from source. */
  readonly binary: string | null;
  readonly platform: string;
}

/** Writes or removes one file, never one that somebody else wrote or changed. */
export function createServicePort(deps: ServiceDeps): CliDeps["service"] {
  const wanted = (): Result<ServiceFile & { readonly path: string }, CliError> => {
    const system = serviceSystemOf(deps.platform);
    if (system === null || deps.binary === null) return err(noService(deps.binary));
    const home = deps.env["CONTINUITY_HOME"] ?? null;
    const path = join(deps.env["HOME"] ?? homedir(), servicePlaces[system]);
    return ok({ path, ...serviceFile(system, { binary: deps.binary, home }) });
  };
  return {
    print: () => {
      const file = wanted();
      return file.ok ? ok(file.value.text) : file;
    },
    install: () => {
      const file = wanted();
      if (!file.ok) return file;
      if (deps.binary !== null && !existsSync(deps.binary)) return err(notInstalled);
      const { path, text, start } = file.value;
      const before = textAt(path);
      if (before !== null && !isOurs(before)) return err(foreign(path));
      if (before !== text) setupFiles.replace(path, Buffer.from(text), 0o644);
      return ok({ path, changed: before !== text, next: start });
    },
    uninstall: () => {
      const file = wanted();
      if (!file.ok) return file;
      const { path, stop } = file.value;
      const before = textAt(path);
      if (before === null) return ok({ path, changed: false, next: null });
      if (!isOurs(before)) return err(foreign(path));
      setupFiles.remove(path);
      return ok({ path, changed: true, next: stop });
    },
  };
}

/** The copy that a program from npm is called by is made by `install`. */
const notInstalled: CliError = {
  type: "service.not-installed",
  message: "the service would start a program that is not there yet",
  next: "run `continuity install` first",
};

const textAt = (path: string): string | null => {
  const bytes = setupFiles.read(path);
  return bytes === null ? null : Buffer.from(bytes).toString("utf8");
};

/** What install wrote, whichever version and path it was for. */
const isOurs = (text: string): boolean =>
  /serve --idle-exit never|<string>--idle-exit<\/string>/.test(text) && /continuity/i.test(text);

const foreign = (path: string): CliError => ({
  type: "service.foreign",
  message: `${path} was not created by continuity and was left unchanged`,
  next: "move it away and try again",
});

const noService = (binary: string | null): CliError =>
  binary === null
    ? {
        type: "service.no-program",
        message: "a service needs the built program",
        next: "build it with `npm run build` and run `dist/continuity service`",
      }
    : {
        type: "service.unsupported",
        message: "user services are not supported on this system",
        next: "hooks start the daemon automatically",
      };

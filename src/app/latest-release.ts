/**
 * The newest release, asked over the network: by `continuity upgrade --check` and by nobody else. One GET for a small
 * file; no cookie, no identity, no version of ours.
 */
import type { CliDeps, CliError } from "#cli";
import { isInPackage } from "#keep";
import { err, msPerSecond, ok, type Result } from "#kit";

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

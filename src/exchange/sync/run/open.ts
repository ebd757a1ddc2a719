/** Addresses and what carries them. Each carrier is loaded by the address that names it. */
import { type Carrier, CarrierFailure, channelOf, folderOf } from "./carrier.ts";
import {
  asked,
  type CarrierAddress,
  openClient,
  postgresPlace,
  withoutPassword,
} from "./postgres-client.ts";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

export interface CarrierAsk extends CarrierAddress {
  /** A folder of this home for what a carrier keeps beside. */
  readonly folder: string;
}

/** The address without a password. */
export const shownUrl = (url: string): string =>
  url.replace(/^([a-z0-9+]+:\/\/[^/@:]*):[^@/]*@/, "$1:…@").replace(/([?&]password=)[^&]*/, "$1…");

/** A password goes to the other credentials, and the address is kept without it. */
export function splitAddress(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
): CarrierAddress {
  const access = accessFor(url, env);
  if (!isPostgres(schemeOf(url))) return { url, access };
  const split = withoutPassword(url);
  const { password } = split;
  return {
    url: split.url,
    access: password === null ? access : { ...access, PGPASSWORD: password },
  };
}

const schemeOf = (url: string): string => /^([a-z0-9+]+):/.exec(url)?.[1] ?? "";
const isPostgres = (scheme: string): boolean => /^postgres(?:ql)?$/.test(scheme);
const isGit = (scheme: string): boolean => /^git\+(?:ssh|https|file)$/.test(scheme);

/** All that git and its ssh are given of an environment. */
const gitVariables = (
  "PATH HOME USER XDG_CONFIG_HOME SSH_AUTH_SOCK DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR USERPROFILE APPDATA " +
  "LOCALAPPDATA SystemRoot GIT_SSH_COMMAND HTTPS_PROXY https_proxy NO_PROXY no_proxy"
).split(" ");
const bucketVariables = (
  "AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_REGION AWS_DEFAULT_REGION AWS_PROFILE " +
  "AWS_SHARED_CREDENTIALS_FILE AWS_ENDPOINT_URL_S3 AWS_ENDPOINT_URL S3_ENDPOINT"
).split(" ");

function variablesOf(scheme: string): readonly string[] {
  if (isPostgres(scheme)) return ["PGPASSWORD"];
  if (isGit(scheme)) return gitVariables;
  return scheme === "s3" ? bucketVariables : [];
}

/**
 * `accessFor` gives the part of the environment that is kept for later: the daemon that a hook
 * starts inherits no keys.
 */
export function accessFor(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    variablesOf(schemeOf(url)).flatMap((name) => (env[name] ? [[name, env[name]] as const] : [])),
  );
}

/**
 * `accessNow` gives the kept access; for git the environment comes first, since an ssh agent has
 * another socket after each login.
 */
export const accessNow = (
  url: string,
  from: {
    readonly kept: Readonly<Record<string, string>>;
    readonly env: Readonly<Record<string, string | undefined>>;
  },
): Readonly<Record<string, string>> =>
  url.startsWith("git+") ? { ...from.kept, ...accessFor(url, from.env) } : from.kept;

/** Opens a carrier; throws `CarrierFailure` for an address that names none. */
export async function openCarrier(ask: CarrierAsk): Promise<Carrier> {
  const scheme = schemeOf(ask.url);
  if (scheme === "file") return (await import("./carrier.ts")).openFolder(ask.url);
  if (scheme === "s3") return (await import("./bucket.ts")).openBucket(ask);
  if (isGit(scheme)) return (await import("./git.ts")).openGit(ask);
  if (isPostgres(scheme)) return (await import("./postgres.ts")).openPostgres(ask);
  throw new CarrierFailure(
    `no carrier is known for ${scheme === "" ? "this address" : `${scheme}:`}`,
    "write file:///path, s3://bucket/prefix, git+ssh://git@host/path.git or postgres://user@host/database",
  );
}

// Hears that another machine wrote: at once where the carrier tells (PostgreSQL), by a look at a folder each second.
// The daemon uses it: no keys.

/** Between two looks at a folder, ms. */
const lookMs = 1_000;

/**
 * `watchSpace` resolves to the function that ends it; null where the carrier tells nothing. Throws
 * when it cannot be reached.
 */
export async function watchSpace(
  { url, access }: CarrierAddress,
  device: string,
  onNews: () => void,
): Promise<(() => Promise<void>) | null> {
  if (url.startsWith("file:")) return watchFolder(join(folderOf(url), "log"), device, onNews);
  if (!/^postgres(?:ql)?:/.test(url) || /[?&]listen=off/.test(url)) return null;
  const place = postgresPlace(url, access);
  const sql = openClient(place, 1);
  const stop = (): Promise<void> => sql.close({ timeout: 0 });
  const told = (name: string): void => {
    if (!name.startsWith(`log/${device}/`)) onNews();
  };
  try {
    await asked(place, () => sql.listen(channelOf(place.space), told));
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

/** Asks nothing but when the folders of the other machines changed. */
function watchFolder(log: string, device: string, onNews: () => void): () => Promise<void> {
  const look = (): string => {
    try {
      return readdirSync(log)
        .filter((name) => name !== device)
        .map((name) => `${name} ${statSync(join(log, name)).mtimeMs}`)
        .toSorted()
        .join("\n");
    } catch {
      return ""; // Not mounted now, or nobody has written yet.
    }
  };
  let seen = look();
  const timer = setInterval(() => {
    const now = look();
    if (now === seen) return;
    seen = now;
    onNews();
  }, lookMs);
  timer.unref();
  return async () => clearInterval(timer);
}

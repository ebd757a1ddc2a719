/** Addresses and what carries them. Each carrier is loaded by the address that names it. */
import { CarrierFailure, type Carrier } from "./carrier.ts";
import { type CarrierAddress, withoutPassword } from "./postgres-client.ts";

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
